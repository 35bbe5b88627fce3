package io.holdfast.exchange.foreign;

import io.holdfast.boosting.model.Tree;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/** A tree of ours in the making, from nodes in their order. Of one tree; not thread-safe. */
public final class TreeDraft {
  private static final long[] NUMERIC = {};

  private final NodeOrder order;
  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final long[][] categorySet;
  private final int[] left;
  private final int[] right;

  /** A tree of these nodes. */
  public TreeDraft(NodeOrder order) {
    this.order = order;
    int nodes = order.innerNodes();
    feature = new int[nodes];
    threshold = new double[nodes];
    missingLeft = new boolean[nodes];
    categorySet = new long[nodes][];
    left = order.left().clone();
    right = order.right().clone();
  }

  /** The node at a place tests a number: at most the threshold goes left. */
  public void numeric(int place, int column, double atMost, boolean missing) {
    feature[place] = column;
    threshold[place] = atMost;
    missingLeft[place] = missing;
    categorySet[place] = NUMERIC;
  }

  /** The node at a place tests a category: the codes, of which there is one, go left. */
  public void categorical(int place, int column, int[] codes, boolean missing)
      throws ExchangeException {
    int most = Arrays.stream(codes).max().orElse(0);
    if (most >> 6 >= Tree.MAX_CATEGORY_WORDS) {
      throw ExchangeException.of(
          "a test of categories names %d of them, and can hold %d",
          most + 1, Tree.MAX_CATEGORY_WORDS << 6);
    }
    feature[place] = column;
    missingLeft[place] = missing;
    categorySet[place] = set(codes);
  }

  /** Codes as a set of bits, of one word at least. */
  public static long[] set(int[] codes) {
    long[] set = new long[(Arrays.stream(codes).max().orElse(0) >> 6) + 1];
    for (int code : codes) {
      set[code >> 6] |= 1L << code;
    }
    return set;
  }

  /** Swaps the children of the node at a place. */
  public void swap(int place) {
    int child = left[place];
    left[place] = right[place];
    right[place] = child;
  }

  /** The tree for a raw score, with the values of leaves by the file's numbers. */
  public Tree tree(String name, IntToDoubleFunction value, int output) throws ExchangeException {
    double[] leaves = new double[order.leaves()];
    Arrays.setAll(leaves, place -> value.applyAsDouble(order.leaf(place)));
    try {
      return new Tree(
          feature,
          threshold,
          missingLeft,
          categorySet,
          left,
          right,
          new Tree.Leaves(leaves, output, 1));
    } catch (IllegalArgumentException e) {
      throw ExchangeException.of("%s cannot be taken over: %s", name, e.getMessage());
    }
  }

  /**
   * The tree with the gains and row counts of its training, by the file's numbers, for explanations
   * and refits; as it is if one of them cannot be.
   */
  public Tree withStatistics(Tree tree, IntToDoubleFunction gainOf, IntToDoubleFunction coverOf) {
    float[] gain = new float[order.innerNodes()];
    float[] cover = new float[order.leaves()];
    boolean known = true;
    for (int place = 0; place < gain.length; place++) {
      gain[place] = (float) gainOf.applyAsDouble(order.inner(place));
      known &= Float.isFinite(gain[place]);
    }
    for (int place = 0; place < cover.length; place++) {
      cover[place] = (float) coverOf.applyAsDouble(order.leaf(place));
      known &= cover[place] >= 0 && cover[place] < Float.POSITIVE_INFINITY;
    }
    return known ? tree.withStatistics(gain, cover) : tree;
  }
}
