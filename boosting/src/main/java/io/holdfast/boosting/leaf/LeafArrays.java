package io.holdfast.boosting.leaf;

import io.holdfast.boosting.numeric.Buffers;
import java.util.ArrayList;
import java.util.List;

/** Arrays by row that each round's layout and system are written to anew. Not thread-safe. */
final class LeafArrays {
  private final Buffers buffers;
  private final List<int[]> leafOf = new ArrayList<>();
  private final List<int[]> unknownOf = new ArrayList<>();

  private double[] values = {};

  LeafArrays(Buffers buffers) {
    this.buffers = buffers;
  }

  /** For the leaves of a tree of the round. */
  int[] leafOf(int tree, int rows) {
    return entry(leafOf, tree, rows);
  }

  /** For the unknowns of an output. */
  int[] unknownOf(int output, int rows) {
    return entry(unknownOf, output, rows);
  }

  /** Scratch. */
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
