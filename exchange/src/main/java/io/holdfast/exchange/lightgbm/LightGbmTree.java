package io.holdfast.exchange.lightgbm;

import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.NodeOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.stream.IntStream;

/** A tree as LightGBM's text has it: inner nodes from 0, leaves as negative children. Immutable. */
final class LightGbmTree {
  /*
   * decision_type is a set of bits:
   *
   *   0     the node tests a category
   *   1     a missing value goes left
   *   2, 3  what is missing: 0 nothing, 1 zero and NaN, 2 NaN
   *
   * The threshold of a categorical node is its place in cat_boundaries, which says where its words
   * of 32 codes are in cat_threshold.
   */
  private static final int CATEGORICAL = 1;
  private static final int DEFAULT_LEFT = 2;
  private static final int WORD = 32;

  /** What a node takes for missing. */
  enum Missing {
    NONE,
    ZERO,
    NAN
  }

  private final String name;
  private final int[] feature;
  private final double[] threshold;
  private final int[] decision;
  private final int[] left;
  private final int[] right;
  private final double[] leafValues;
  private final double[] gains;
  private final double[] leafCounts;
  private final int[] categoryEnds;
  private final long[] categoryWords;

  private LightGbmTree(String name, Map<String, String> lines, int leaves)
      throws ExchangeException {
    this.name = name;
    int nodes = leaves - 1;
    feature = ints(lines, "split_feature", nodes);
    threshold = doubles(lines, "threshold", nodes);
    decision = ints(lines, "decision_type", nodes);
    left = ints(lines, "left_child", nodes);
    right = ints(lines, "right_child", nodes);
    leafValues = doubles(lines, "leaf_value", leaves);
    // LightGBM before 4.6 writes no counts of a tree of one leaf that it has read itself.
    boolean statistics =
        nodes > 0 && lines.containsKey("split_gain") && lines.containsKey("leaf_count");
    gains = statistics ? doubles(lines, "split_gain", nodes) : new double[0];
    leafCounts = statistics ? doubles(lines, "leaf_count", leaves) : new double[0];
    int categorical =
        (int) Arrays.stream(decision).filter(type -> (type & CATEGORICAL) != 0).count();
    categoryEnds = categorical > 0 ? ints(lines, "cat_boundaries", -1) : new int[0];
    categoryWords = categorical > 0 ? words(lines) : new long[0];
    checkNodes();
  }

  /** Reads the lines of a tree, which has that name in messages. */
  static LightGbmTree of(String name, Map<String, String> lines) throws ExchangeException {
    ExchangeException.require(
        lines.containsKey("shrinkage"),
        "%s is cut off: its last line, shrinkage, is missing",
        name);
    if ("1".equals(lines.get("is_linear"))) {
      throw ExchangeException.of(
          "%s has a linear function in each leaf, and leaves of ours are numbers: train it without"
              + " linear_tree",
          name);
    }
    long leaves = LightGbmNumbers.whole(name, "num_leaves", lines.getOrDefault("num_leaves", ""));
    String values = lines.getOrDefault("leaf_value", "");
    if (leaves < 1 || leaves > values.length()) { // nothing is made for leaves that are not there
      throw ExchangeException.of("%s must have as many leaf values as leaves, %d", name, leaves);
    }
    return new LightGbmTree(name, lines, (int) leaves);
  }

  private int[] ints(Map<String, String> lines, String key, int count) throws ExchangeException {
    List<Integer> read = new ArrayList<>();
    var tokens = new StringTokenizer(lines.getOrDefault(key, ""), " ");
    while (tokens.hasMoreTokens()) {
      long value = LightGbmNumbers.whole(name, key, tokens.nextToken());
      if (value != (int) value) {
        throw ExchangeException.of(
            "%s has %d in its line %s, which is no node or feature", name, value, key);
      }
      read.add((int) value);
    }
    checkCount(key, read.size(), count);
    return read.stream().mapToInt(Integer::intValue).toArray();
  }

  private long[] words(Map<String, String> lines) throws ExchangeException {
    var tokens = new StringTokenizer(lines.getOrDefault("cat_threshold", ""), " ");
    long[] words = new long[tokens.countTokens()];
    for (int k = 0; k < words.length; k++) {
      words[k] = LightGbmNumbers.whole(name, "cat_threshold", tokens.nextToken());
      if (words[k] < 0 || words[k] >= 1L << WORD) {
        throw ExchangeException.of(
            "%s has %d in its line cat_threshold, which are words of 32 bits", name, words[k]);
      }
    }
    return words;
  }

  private double[] doubles(Map<String, String> lines, String key, int count)
      throws ExchangeException {
    var tokens = new StringTokenizer(lines.getOrDefault(key, ""), " ");
    checkCount(key, tokens.countTokens(), count);
    double[] read = new double[tokens.countTokens()];
    for (int k = 0; k < read.length; k++) {
      read[k] = LightGbmNumbers.number(name, key, tokens.nextToken());
    }
    return read;
  }

  private void checkCount(String key, int found, int count) throws ExchangeException {
    if (count >= 0 && found != count) {
      throw ExchangeException.of(
          "%s must have %d numbers in its line %s: %d", name, count, key, found);
    }
  }

  private void checkNodes() throws ExchangeException {
    for (int node = 0; node < feature.length; node++) {
      if (!categorical(node)) {
        if (kind(node) >= Missing.values().length) {
          throw ExchangeException.of(
              "node %d of %s has a missing type %d, and there are 0 to 2", node, name, kind(node));
        }
        continue;
      }
      int place = (int) threshold[node];
      boolean there =
          place >= 0
              && place + 1 < categoryEnds.length
              && categoryEnds[place] >= 0
              && categoryEnds[place] <= categoryEnds[place + 1]
              && categoryEnds[place + 1] <= categoryWords.length;
      ExchangeException.require(
          there, "node %d of %s names categories that its line cat_threshold has not", node, name);
    }
  }

  String name() {
    return name;
  }

  int nodes() {
    return feature.length;
  }

  int feature(int node) {
    return feature[node];
  }

  boolean categorical(int node) {
    return (decision[node] & CATEGORICAL) != 0;
  }

  boolean defaultLeft(int node) {
    return (decision[node] & DEFAULT_LEFT) != 0;
  }

  /** What a numeric node takes for missing. */
  Missing missing(int node) {
    return Missing.values()[kind(node)];
  }

  private int kind(int node) {
    return decision[node] >> 2 & 3;
  }

  double threshold(int node) {
    return threshold[node];
  }

  /** The codes that a categorical node sends left, ascending. */
  int[] codes(int node) {
    int place = (int) threshold[node];
    int from = categoryEnds[place];
    IntStream.Builder codes = IntStream.builder();
    for (int word = from; word < categoryEnds[place + 1]; word++) {
      for (long bits = categoryWords[word]; bits != 0; bits &= bits - 1) {
        codes.add((word - from) * WORD + Long.numberOfTrailingZeros(bits));
      }
    }
    return codes.build().toArray();
  }

  boolean hasStatistics() {
    return leafCounts.length > 0;
  }

  double gain(int node) {
    return gains[node];
  }

  /** The value of the leaf of a number in {@link #order}. */
  double leafValue(int number) {
    return leafValues[number - feature.length];
  }

  /** The training rows of the leaf of a number in {@link #order}. */
  double leafCount(int number) {
    return leafCounts[number - feature.length];
  }

  /** The nodes in order: inner nodes by their numbers, leaves after them. */
  NodeOrder order() throws ExchangeException {
    int nodes = feature.length;
    NodeOrder order =
        NodeOrder.of(
            name,
            nodes + leafValues.length,
            number -> number >= nodes,
            number -> number(left[number]),
            number -> number(right[number]));
    ExchangeException.require(
        order.innerNodes() == nodes, "%s is no tree: not all of its nodes hang together", name);
    return order;
  }

  private int number(int child) {
    return child >= 0 && child < feature.length
        ? child
        : child < 0 && -1 - child < leafValues.length ? feature.length - 1 - child : -1;
  }
}
