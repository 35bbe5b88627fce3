package io.holdfast.schemas.ledger;

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
    List<Double> leafValues = new ArrayList<>(nodes + 1);
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
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      leafValues.add(tree.leafValue(leaf));
    }
    return new TreeNodes(
        features, thresholds, missingLeft, categorySets, categorySetEnds, left, right, leafValues);
  }

  /**
   * The tree.
   *
   * @throws LedgerException if the arrays describe none, or one that is too deep
   */
  static Tree decode(TreeNodes nodes, int number) throws LedgerException {
    try {
      Tree tree =
          new Tree(
              nodes.getFeatures().stream().mapToInt(Integer::intValue).toArray(),
              nodes.getThresholds().stream().mapToDouble(Double::doubleValue).toArray(),
              booleans(nodes.getMissingLeft()),
              categorySets(nodes),
              nodes.getLeft().stream().mapToInt(Integer::intValue).toArray(),
              nodes.getRight().stream().mapToInt(Integer::intValue).toArray(),
              nodes.getLeafValues().stream().mapToDouble(Double::doubleValue).toArray());
      LedgerLimits.read(depth(tree), LedgerLimits.DEPTH, "the depth of tree " + number);
      return tree;
    } catch (IllegalArgumentException e) {
      throw new LedgerException(
          Reason.BAD_RECORD, Sentence.of("tree %d is no tree: %s", number, e.getMessage()));
    }
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
