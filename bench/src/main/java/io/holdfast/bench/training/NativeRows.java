package io.holdfast.bench.training;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.boosting.data.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Rows as a row-major matrix of doubles and labels of 32 bits, outside of the heap. */
final class NativeRows {
  final int rows;
  final int width;
  final MemorySegment matrix;
  final MemorySegment labels;

  NativeRows(Rows source, Arena arena) {
    rows = source.size();
    width = source.width();
    matrix = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, LightGbm.matrix(source));
    labels = arena.allocateFrom(ValueLayout.JAVA_FLOAT, LightGbm.labels(source));
  }
}
