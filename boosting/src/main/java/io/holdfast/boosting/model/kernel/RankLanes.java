package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.stream.IntStream;

/** A row's ranks as bytes in two tables of 32 lanes. Immutable; safe to share. */
final class RankLanes {
  /** Lanes of a table. */
  static final int TABLE = 32;

  private static final int TABLES = 2;
  private static final int MIDDLE = 128; // of ranks, so that signed bytes have their order
  private static final int HIGHEST_RANK = 255;

  private final Columns source;
  private final boolean wide;
  private final boolean inOneTable; // a row that misses nothing, its searches in order
  private final int columns;
  private final int pairs; // features with a lane in both tables; 0 if columns simply follow

  /**
   * Finds the lanes of columns.
   *
   * @param wide for vectors of 512 bits, not 256
   */
  RankLanes(Columns columns, boolean wide) {
    source = columns;
    this.wide = wide;
    this.columns = columns.count();
    // Where missing values go both ways, a feature's columns have the same lane of the two tables,
    // so
    // that the first is enough for rows that miss nothing.
    pairs = this.columns - columns.pairs() <= TABLE ? columns.pairs() : 0;
    inOneTable = pairs > 0 || this.columns <= TABLE;
  }

  /** Whether columns and ranks are few enough. */
  static boolean fit(Columns columns) {
    return columns.count() <= TABLES * TABLE
        && IntStream.range(0, columns.count())
            .allMatch(k -> columns.highestRank(k) <= HIGHEST_RANK);
  }

  /** The lane of a column in its table. */
  int lane(int column) {
    if (pairs == 0) {
      return column % TABLE;
    }
    return column < pairs ? column : column - pairs;
  }

  /** Whether a column's rank is in the second table. */
  boolean inSecond(int column) {
    return pairs == 0 ? column >= TABLE : column >= pairs && column < 2 * pairs;
  }

  /** A rank as a signed byte, in the order of ranks. */
  static byte narrowed(int rank) {
    return (byte) (rank - MIDDLE);
  }

  /**
   * Writes a row's ranks as bytes, and whether the second table is needed. Vectors of 512 bits, if
   * it is for them, are there and compiled.
   */
  void rank(double[] features, RowScratch scratch) {
    /*
     * What is written in fours and read in 32s waits until it is in the cache, so bytes are written
     * at once where that can be: a row of 30 features in 95 ns instead of 140.
     */
    if (inOneTable && source.rankInBytes(features, -MIDDLE, wide, scratch)) {
      scratch.twoTables = false;
      return;
    }
    source.rank(features, scratch);
    scratch.twoTables = narrow(scratch.ranks, scratch.bytes);
  }

  private boolean narrow(int[] ranks, byte[] bytes) {
    if (pairs == 0) {
      narrow(ranks, 0, columns, bytes, 0);
      return columns > TABLE;
    }
    narrow(ranks, 0, pairs, bytes, 0);
    narrow(ranks, pairs, pairs, bytes, TABLE);
    narrow(ranks, 2 * pairs, columns - 2 * pairs, bytes, pairs);
    return !Arrays.equals(bytes, 0, pairs, bytes, TABLE, TABLE + pairs);
  }

  private static void narrow(int[] ranks, int from, int count, byte[] bytes, int to) {
    for (int k = 0; k < count; k++) {
      bytes[to + k] = (byte) (ranks[from + k] - MIDDLE);
    }
  }
}
