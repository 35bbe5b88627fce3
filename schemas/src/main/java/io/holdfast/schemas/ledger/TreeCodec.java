package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.ledger.LedgerException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Engine trees to and from their contract. Stateless. */
final class TreeCodec {
  private TreeCodec() {}

  static TreeNodes encode(Tree tree) {
    int nodes = tree.innerNodes();
    List<Integer> features = new ArrayList<>(nodes);
    List<Double> thresholds = new ArrayList<>(nodes);
    List<Boolean> missingLeft = new ArrayList<>(nodes);
    List<Long> categorySets = new ArrayList<>();
    List<Integer> categorySetEnds = new ArrayList<>(nodes);
    List<Integer> left = new ArrayList<>(nodes);
    List<Integer> right = new ArrayList<>(nodes);
    List<Float> gains = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      features.add(tree.feature(node));
      thresholds.add(tree.threshold(node));
      missingLeft.add(tree.missingLeft(node));
      for (long word : tree.categorySet(node)) {
        categorySets.add(word);
      }
      categorySetEnds.add(categorySets.size());
      left.add(tree.left(node));
      right.add(tree.right(node));
      if (tree.hasStatistics()) {
        gains.add(tree.gain(node));
      }
    }
    List<Double> leafValues = new ArrayList<>(tree.leaves() * tree.outputs());
    List<Float> leafCovers = new ArrayList<>();
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      for (int k = 0; k < tree.outputs(); k++) {
        leafValues.add(tree.leafValue(leaf, k));
      }
      if (tree.hasStatistics()) {
        leafCovers.add(tree.leafCover(leaf));
      }
    }
    return TreeNodes.newBuilder()
        .setFeatures(features)
        .setThresholds(thresholds)
        .setMissingLeft(missingLeft)
        .setCategorySets(categorySets)
        .setCategorySetEnds(categorySetEnds)
        .setLeft(left)
        .setRight(right)
        .setLeafValues(leafValues)
        .setOutput(tree.output())
        .setOutputs(tree.outputs())
        .setGains(gains)
        .setLeafCovers(leafCovers)
        .build();
  }

  /**
   * The tree.
   *
   * @throws LedgerException if the arrays describe none, or one that is too deep or adds to a raw
   *     score beyond the limit
   */
  static Tree decode(TreeNodes nodes, int number) throws LedgerException {
    LedgerLimits.read(
        (long) nodes.getOutput() + nodes.getOutputs(),
        LedgerLimits.OUTPUTS,
        "the raw scores up to the last of tree " + number);
    try {
      Tree tree =
          new Tree(
              nodes.getFeatures().stream().mapToInt(Integer::intValue).toArray(),
              doubles(nodes.getThresholds()),
              booleans(nodes.getMissingLeft()),
              categorySets(nodes),
              nodes.getLeft().stream().mapToInt(Integer::intValue).toArray(),
              nodes.getRight().stream().mapToInt(Integer::intValue).toArray(),
              new Tree.Leaves(
                  doubles(nodes.getLeafValues()), nodes.getOutput(), nodes.getOutputs()));
      LedgerLimits.read(depth(tree), LedgerLimits.DEPTH, "the depth of tree " + number);
      return nodes.getGains().isEmpty() && nodes.getLeafCovers().isEmpty()
          ? tree
          : tree.withStatistics(floats(nodes.getGains()), floats(nodes.getLeafCovers()));
    } catch (IllegalArgumentException e) {
      throw new LedgerException(
          Reason.BAD_RECORD, Sentence.of("tree %d is no tree: %s", number, e.getMessage()));
    }
  }

  /** How many numbers all trees of the segments hold, about: what scoring them takes. */
  static long numbers(List<Segment> segments) {
    long numbers = 0;
    for (Segment segment : segments) {
      for (Tree tree : segment.trees()) {
        numbers += (long) tree.leaves() * tree.outputs() + 4L * tree.innerNodes();
        for (int node = 0; node < tree.innerNodes(); node++) {
          numbers += tree.categoryWords(node);
        }
      }
    }
    return numbers;
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static float[] floats(List<Float> values) {
    float[] array = new float[values.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = values.get(i);
    }
    return array;
  }

  private static boolean[] booleans(List<Boolean> values) {
    boolean[] array = new boolean[values.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = values.get(i);
    }
    return array;
  }

  private static long[][] categorySets(TreeNodes nodes) {
    long[] words = nodes.getCategorySets().stream().mapToLong(Long::longValue).toArray();
    List<Integer> ends = nodes.getCategorySetEnds();
    long[][] sets = new long[ends.size()][];
    int from = 0;
    for (int node = 0; node < sets.length; node++) {
      int to = ends.get(node);
      if (to < from || to > words.length) {
        throw new IllegalArgumentException(
            Sentence.of(
                "the category set of node %d must end at %d to %d: %d",
                node, from, words.length, to));
      }
      sets[node] = Arrays.copyOfRange(words, from, to);
      from = to;
    }
    if (from != words.length) {
      throw new IllegalArgumentException(
          Sentence.of("%d words belong to no category set", words.length - from));
    }
    return sets;
  }

  /** Splits between root and leaf at most; children come after their parents. */
  private static int depth(Tree tree) {
    int[] depths = new int[tree.innerNodes()];
    int deepest = 0;
    for (int node = 0; node < depths.length; node++) {
      int below = depths[node] + 1;
      deepest = Math.max(deepest, below);
      if (tree.left(node) >= 0) {
        depths[tree.left(node)] = below;
      }
      if (tree.right(node) >= 0) {
        depths[tree.right(node)] = below;
      }
    }
    return deepest;
  }
}
