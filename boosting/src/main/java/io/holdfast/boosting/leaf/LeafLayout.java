package io.holdfast.boosting.leaf;

import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The unknowns of a joint step over the leaves of several trees, and which of them moves which raw
 * score of which row. Immutable; arrays are shared and must not be changed.
 */
final class LeafLayout {
  /*
   * Unknowns are ordered by tree, then leaf, then value. Taking outputs in descending order gives the
   * lower triangle of a matrix in them: a tree's outputs are above those of the trees before it.
   */
  /** Unknowns of a dense system at most: its matrix has their square of entries. */
  static final int MAX_COUPLED = 1 << 12;

  /**
   * The leaves of one tree, whose values add to {@code outputs} raw scores from {@code output} on.
   *
   * @param leafOf by row
   * @param bounds by leaf, for each of its values
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Leaves(int[] leafOf, int output, int outputs, LeafBounds bounds) {}

  final int rows;
  final int[] outputs; // ascending
  final int[][] unknownOf; // by place in outputs, by row; arrays may be longer
  final int size;
  final boolean[] reached; // whether an unknown moves some row
  final double[] lower;
  final double[] upper;
  final LeafArrays arrays;
  private final int[] start; // of each tree's unknowns, and the end
  final boolean bounded; // whether some unknown is

  LeafLayout(List<Leaves> trees) {
    this(trees, trees.getFirst().leafOf.length, false, new LeafArrays(new Buffers()));
  }

  /** The leaves of trees; {@code grown} on these rows, so that no leaf is empty. */
  private LeafLayout(List<Leaves> trees, int rows, boolean grown, LeafArrays arrays) {
    this.rows = rows;
    this.arrays = arrays;
    start = new int[trees.size() + 1];
    for (int tree = 0; tree < trees.size(); tree++) {
      Leaves leaves = trees.get(tree);
      int unknowns = Math.multiplyExact(leaves.bounds.lower().length, leaves.outputs);
      start[tree + 1] = Math.addExact(start[tree], unknowns);
    }
    size = start[trees.size()];
    outputs = new int[trees.stream().mapToInt(Leaves::outputs).sum()];
    unknownOf = new int[outputs.length][];
    lower = new double[size];
    upper = new double[size];
    int at = 0;
    for (int tree = 0; tree < trees.size(); tree++) {
      Leaves leaves = trees.get(tree);
      for (int k = 0; k < leaves.outputs; k++) {
        outputs[at] = leaves.output + k;
        Check.that(
            at == 0 || outputs[at] > outputs[at - 1],
            "trees of a joint step must add to ascending outputs: %s after %s",
            outputs[at],
            at == 0 ? -1 : outputs[at - 1]);
        unknownOf[at] = unknowns(leaves, start[tree] + k, at);
        at++;
      }
      for (int unknown = start[tree]; unknown < start[tree + 1]; unknown++) {
        int leaf = (unknown - start[tree]) / leaves.outputs;
        lower[unknown] = leaves.bounds.lower()[leaf];
        upper[unknown] = leaves.bounds.upper()[leaf];
      }
    }
    bounded =
        Arrays.stream(lower).anyMatch(bound -> bound > Double.NEGATIVE_INFINITY)
            || Arrays.stream(upper).anyMatch(bound -> bound < Double.POSITIVE_INFINITY);
    reached = new boolean[size];
    Arrays.fill(reached, grown);
    for (int[] unknowns : grown ? new int[0][] : unknownOf) {
      for (int row = 0; row < rows; row++) {
        reached[unknowns[row]] = true;
      }
    }
  }

  private int[] unknowns(Leaves leaves, int first, int output) {
    if (first == 0 && leaves.outputs == 1) {
      return leaves.leafOf;
    }
    int[] target = arrays.unknownOf(output, rows);
    for (int row = 0; row < rows; row++) {
      target[row] = first + leaves.leafOf[row] * leaves.outputs;
    }
    return target;
  }

  /**
   * Of the trees that one round grew: one for each of {@code outputs} raw scores, or one for all.
   * It holds until the arrays are used again.
   */
  static LeafLayout ofRound(List<TreeStructure> trees, int outputs, LeafArrays arrays) {
    Check.that(
        trees.size() == outputs || trees.size() == 1,
        "a round must have 1 tree or one for each of %s outputs: %s",
        outputs,
        trees.size());
    int rows = trees.getFirst().rows();
    Leaves[] leaves = new Leaves[trees.size()];
    for (int tree = 0; tree < leaves.length; tree++) {
      TreeStructure structure = trees.get(tree);
      int[] leafOf = arrays.leafOf(tree, rows);
      structure.copyLeafOf(leafOf);
      leaves[tree] = new Leaves(leafOf, tree, outputs / leaves.length, LeafBounds.of(structure));
    }
    return new LeafLayout(List.of(leaves), rows, true, arrays);
  }

  boolean ofOneTree() {
    return start.length == 2;
  }

  /** A number for each set of unknowns that are linked, directly or not, by rows in common. */
  int[] links() {
    int[] link = new int[size];
    if (ofOneTree()) {
      Arrays.setAll(link, k -> reached[k] ? k - k % outputs.length : k);
      return link;
    }
    Arrays.setAll(link, unknown -> unknown);
    for (int a = 1; a < unknownOf.length; a++) {
      for (int row = 0; row < rows; row++) {
        int one = end(link, unknownOf[0][row]);
        int other = end(link, unknownOf[a][row]);
        link[Math.max(one, other)] = Math.min(one, other);
      }
    }
    for (int unknown = 0; unknown < size; unknown++) {
      link[unknown] = link[link[unknown]]; // links lead to lower numbers, which are done
    }
    return link;
  }

  private static int end(int[] link, int unknown) {
    int at = unknown;
    while (link[at] != at) {
      link[at] = link[link[at]];
      at = link[at];
    }
    return at;
  }

  /** Adds values to the raw scores of each row; there are {@code entries} of all outputs. */
  void add(double[] values, double[] scores, int entries, double[] target, Workers workers) {
    if (outputs.length * rows < entries) { // some are not moved
      System.arraycopy(scores, 0, target, 0, entries);
    }
    for (int a = 0; a < outputs.length; a++) {
      int first = outputs[a] * rows;
      int[] unknowns = unknownOf[a];
      workers.rows(
          0,
          rows,
          (worker, from, to) -> {
            for (int row = from; row < to; row++) {
              target[first + row] = scores[first + row] + values[unknowns[row]];
            }
          });
    }
  }

  /** The values of each tree, leaf by leaf. */
  double[][] byTree(double[] values) {
    double[][] byTree = new double[start.length - 1][];
    Arrays.setAll(byTree, tree -> Arrays.copyOfRange(values, start[tree], start[tree + 1]));
    return byTree;
  }

  /** Arrays by row that each round's layout and system use again. Not thread-safe. */
  static final class LeafArrays {
    private final Buffers buffers;
    private final List<int[]> leafOf = new ArrayList<>(); // by tree
    private final List<int[]> unknownOf = new ArrayList<>(); // by output
    private double[] values = {};

    LeafArrays(Buffers buffers) {
      this.buffers = buffers;
    }

    int[] leafOf(int tree, int rows) {
      return entry(leafOf, tree, rows);
    }

    int[] unknownOf(int output, int rows) {
      return entry(unknownOf, output, rows);
    }

    /** Scratch, valid until the next call. */
    double[] values(int size) {
      if (values.length < size) {
        values = buffers.doubles(size);
      }
      return values;
    }

    private int[] entry(List<int[]> arrays, int number, int rows) {
      while (arrays.size() <= number) {
        arrays.add(buffers.ints(rows));
      }
      if (arrays.get(number).length < rows) {
        arrays.set(number, buffers.ints(rows));
      }
      return arrays.get(number);
    }
  }
}
