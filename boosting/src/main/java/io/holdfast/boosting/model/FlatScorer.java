package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;
import java.util.Arrays;

/** All trees' nodes in flat arrays, walked without allocating. Immutable; safe to share. */
final class FlatScorer implements Scorer {
  /*
   * Nodes of all trees stand one after the other, and so do leaves; children are absolute, a negative
   * child c being the leaf −1 − c. A node's category set is words[setStart, setEnd); both are 0 for a
   * numeric node. Leaf values are multiplied by their segment's decay once, here: the product is
   * rounded alone, before it is added, so the bits are those of the plain walk.
   */
  private final int width;
  private final double base;
  private final int[] roots;
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
    int leaves = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        nodes += tree.innerNodes();
        leaves += tree.leaves();
      }
    }
    roots = new int[model.trees()];
    feature = new int[nodes];
    threshold = new double[nodes];
    missingLeft = new boolean[nodes];
    left = new int[nodes];
    right = new int[nodes];
    setStart = new int[nodes];
    setEnd = new int[nodes];
    leafValues = new double[leaves];
    int tree = 0;
    int node = 0;
    int leaf = 0;
    for (Segment segment : model.segments()) {
      for (Tree source : segment.trees()) {
        roots[tree++] = source.innerNodes() == 0 ? -1 - leaf : node;
        copyNodes(source, node, leaf);
        for (int k = 0; k < source.leaves(); k++) {
          leafValues[leaf + k] = segment.decay() * source.leafValue(k);
        }
        node += source.innerNodes();
        leaf += source.leaves();
      }
    }
  }

  @Override
  public double score(double[] features) {
    Check.that(features.length == width, "a row must have %s features: %s", width, features.length);
    double score = base;
    for (int root : roots) {
      int node = root;
      while (node >= 0) {
        node = goesLeft(node, features[feature[node]]) ? left[node] : right[node];
      }
      score += leafValues[-1 - node];
    }
    return score;
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

  private void copyNodes(Tree tree, int firstNode, int firstLeaf) {
    for (int k = 0; k < tree.innerNodes(); k++) {
      int node = firstNode + k;
      feature[node] = tree.feature(k);
      threshold[node] = tree.threshold(k);
      missingLeft[node] = tree.missingLeft(k);
      left[node] = absolute(tree.left(k), firstNode, firstLeaf);
      right[node] = absolute(tree.right(k), firstNode, firstLeaf);
      if (tree.categorical(k)) {
        addWords(node, tree.categorySet(k));
      }
    }
  }

  private static int absolute(int child, int firstNode, int firstLeaf) {
    return child < 0 ? child - firstLeaf : child + firstNode;
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
