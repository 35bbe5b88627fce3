package io.holdfast.boosting.histogram;

import java.util.stream.IntStream;

/** Rows of a tree, in one leaf. */
public final class RowSamples {
  private RowSamples() {}

  /** These rows. */
  public static RowSample of(int... rows) {
    return new RowSample(rows.clone(), rows.length);
  }

  static RowSample all(int size) {
    return of(IntStream.range(0, size).toArray());
  }
}
