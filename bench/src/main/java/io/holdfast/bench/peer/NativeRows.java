package io.holdfast.bench.peer;

import io.holdfast.boosting.data.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Rows as a row-major matrix of doubles and labels of 32 bits, outside of the heap. */
public record NativeRows(MemorySegment matrix, MemorySegment labels, int rows, int width) {
  public static NativeRows of(Rows rows, Arena arena) {
    double[] matrix = new double[rows.size() * rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.width(); column++) {
        matrix[row * rows.width() + column] = rows.feature(row, column);
      }
    }
    return new NativeRows(
        arena.allocateFrom(ValueLayout.JAVA_DOUBLE, matrix),
        arena.allocateFrom(ValueLayout.JAVA_FLOAT, labels(rows)),
        rows.size(),
        rows.width());
  }

  static float[] labels(Rows rows) {
    float[] labels = new float[rows.size()];
    for (int row = 0; row < labels.length; row++) {
      labels[row] = (float) rows.label(row);
    }
    return labels;
  }
}
