package io.holdfast.bench.scoring;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.scoring.Scorer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Rows to score, in every form that contenders read, made before any clock runs. Immutable. */
final class TestBench {
  final int rows;
  final int width;
  final double[][] single;
  final double[] block;
  final MemorySegment nativeBlock;
  final MemorySegment nativeFloats;

  TestBench(Rows source, Arena arena) {
    rows = source.size();
    width = source.width();
    single = new double[rows][width];
    block = new double[rows * width];
    for (int row = 0; row < rows; row++) {
      source.copyFeatures(row, single[row]);
      System.arraycopy(single[row], 0, block, row * width, width);
    }
    nativeBlock = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, block);
    float[] floats = new float[block.length];
    for (int k = 0; k < floats.length; k++) {
      floats[k] = (float) block[k];
    }
    nativeFloats = arena.allocateFrom(ValueLayout.JAVA_FLOAT, floats);
  }

  /** Each row by itself, where C can read it. */
  MemorySegment[] nativeRows() {
    MemorySegment[] single = new MemorySegment[rows];
    Arrays.setAll(single, row -> nativeRows(row, 1));
    return single;
  }

  /** The features of rows from {@code row} on, where C can read them. */
  MemorySegment nativeRows(int row, int count) {
    long size = (long) width * Double.BYTES;
    return nativeBlock.asSlice(row * size, count * size);
  }

  /** A scorer of ours: one row, or a block at once. */
  BlockScorer holdfast(Scorer scorer, int blockRows) {
    if (blockRows == 1) {
      return (from, _) -> scorer.score(single[from]);
    }
    double[] target = new double[blockRows];
    double[][] blocks = new double[rows / blockRows][];
    for (int k = 0; k < blocks.length; k++) {
      blocks[k] = Arrays.copyOfRange(block, k * blockRows * width, (k + 1) * blockRows * width);
    }
    return (from, count) -> {
      scorer.scores(blocks[from / blockRows], count, target);
      return target[count - 1];
    };
  }

  /** The score of one row whose features were rounded to floats: what XGBoost must find. */
  double scoreOfFloats(Scorer scorer, int row) {
    double[] features = new double[width];
    for (int k = 0; k < width; k++) {
      features[k] = (float) single[row][k];
    }
    return scorer.score(features);
  }

  /** A scorer of ours, row by row whatever the block. */
  BlockScorer oneByOne(Scorer scorer) {
    return (from, count) -> {
      double last = 0;
      for (int row = from; row < from + count; row++) {
        last = scorer.score(single[row]);
      }
      return last;
    };
  }
}
