package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;
import java.util.Arrays;

/** All trees' nodes in flat arrays, walked without allocating. Immutable; safe to share. */
final class FlatScorer implements Scorer {
  /*
   * Nodes of all trees stand one after the other, and so do leaf values; children are absolute, a
   * negative child c being the leaf whose first value is at −1 − c. A node's category set is words[setStart, setEnd); both are 0 for a
   * numeric node. Leaf values are multiplied by their segment's decay once, here: the product is
   * rounded alone, before it is added, so the bits are those of the plain walk.
   */
  private final int width;
  private final Base base;
  private final int[] roots;
  private final int[] output; // of each tree: the raw score that a leaf's first value adds to
  private final int[] outputs; // of each tree: values a leaf
  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final int[] left;
  private final int[] right;
  private final int[] setStart;
  private final int[] setEnd;
  private final double[] leafValues;
  private long[] words = new long[16];
  private int wordsUsed;

  FlatScorer(Model model) {
    width = model.features().size();
    base = model.base();
    int nodes = 0;
    int values = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        nodes += tree.innerNodes();
        values += tree.leaves() * tree.outputs();
      }
    }
    roots = new int[model.trees()];
    output = new int[roots.length];
    outputs = new int[roots.length];
    feature = new int[nodes];
    threshold = new double[nodes];
    missingLeft = new boolean[nodes];
    left = new int[nodes];
    right = new int[nodes];
    setStart = new int[nodes];
    setEnd = new int[nodes];
    leafValues = new double[values];
    int tree = 0;
    int node = 0;
    int value = 0;
    for (Segment segment : model.segments()) {
      for (Tree source : segment.trees()) {
        roots[tree] = source.innerNodes() == 0 ? -1 - value : node;
        output[tree] = source.output();
        outputs[tree] = source.outputs();
        tree++;
        copyNodes(source, node, value);
        node += source.innerNodes();
        for (int leaf = 0; leaf < source.leaves(); leaf++) {
          for (int k = 0; k < source.outputs(); k++) {
            leafValues[value++] = segment.decay() * source.leafValue(leaf, k);
          }
        }
      }
    }
  }

  @Override
  public int outputs() {
    return base.outputs();
  }

  @Override
  public double score(double[] features) {
    checkWidth(features);
    Check.that(outputs() == 1, "a model of %s raw scores gives them by array only", outputs());
    double score = base.score(features);
    for (int root : roots) {
      score += leafValues[leafFrom(root, features)];
    }
    return score;
  }

  @Override
  public void score(double[] features, double[] target) {
    checkWidth(features);
    base.score(features, target);
    for (int tree = 0; tree < roots.length; tree++) {
      int value = leafFrom(roots[tree], features);
      int first = output[tree];
      for (int k = 0; k < outputs[tree]; k++) {
        target[first + k] += leafValues[value + k];
      }
    }
  }

  private void checkWidth(double[] features) {
    Check.that(features.length == width, "a row must have %s features: %s", width, features.length);
  }

  /** Where the values of the leaf are that a row ends in. */
  private int leafFrom(int root, double[] features) {
    int node = root;
    while (node >= 0) {
      node = goesLeft(node, features[feature[node]]) ? left[node] : right[node];
    }
    return -1 - node;
  }

  private boolean goesLeft(int node, double value) {
    if (setEnd[node] > 0) {
      return categoryGoesLeft(node, value);
    }
    // False for NaN, which then asks for the default; the comparison alone decides most rows.
    return value <= threshold[node] || (Double.isNaN(value) && missingLeft[node]);
  }

  private boolean categoryGoesLeft(int node, double value) {
    int code = (int) value;
    if (code != value || code < 0) {
      return missingLeft[node];
    }
    int word = setStart[node] + (code >> 6);
    return word < setEnd[node] && (words[word] >>> code & 1) != 0;
  }

  private void copyNodes(Tree tree, int firstNode, int firstValue) {
    for (int k = 0; k < tree.innerNodes(); k++) {
      int node = firstNode + k;
      feature[node] = tree.feature(k);
      threshold[node] = tree.threshold(k);
      missingLeft[node] = tree.missingLeft(k);
      left[node] = absolute(tree, tree.left(k), firstNode, firstValue);
      right[node] = absolute(tree, tree.right(k), firstNode, firstValue);
      if (tree.categorical(k)) {
        addWords(node, tree.categorySet(k));
      }
    }
  }

  private static int absolute(Tree tree, int child, int firstNode, int firstValue) {
    return child < 0 ? -1 - (firstValue + (-1 - child) * tree.outputs()) : child + firstNode;
  }

  private void addWords(int node, long[] set) {
    int end = wordsUsed + set.length;
    if (end > words.length) {
      words = Arrays.copyOf(words, Math.max(end, 2 * words.length));
    }
    System.arraycopy(set, 0, words, wordsUsed, set.length);
    setStart[node] = wordsUsed;
    setEnd[node] = end;
    wordsUsed = end;
  }
}
