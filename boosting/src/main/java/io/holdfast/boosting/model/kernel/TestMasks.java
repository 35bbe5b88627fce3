package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * The distinct tests of an ensemble, asked for a block of rows at once: which rows go right, a bit
 * a row. Immutable; safe to share.
 */
final class TestMasks {
  /*
   * Tests of a column stand by ascending bound, slot s of n + 1. A row whose rank exceeds exactly s
   * of the n bounds puts its bit into slot s; then every slot takes in the bits of those above it,
   * and slot s has the rows that go right at bound s - 1. So a column costs a bit a row and an OR a
   * test, however many rows there are. Slot 0 is not used by any node.
   *
   * With w words of 64 rows, those of slot s are at [s * w, s * w + w).
   */
  private final Columns columns;
  private final int[] firstSlot; // of each column
  private final int[][] bounds; // of each column: ascending, distinct
  private final char[][] slotOfRank; // of each numeric column: bounds below a rank

  TestMasks(Columns columns, List<RankedTree> trees) {
    this.columns = columns;
    int count = columns.count();
    firstSlot = new int[count + 1];
    bounds = new int[count][];
    slotOfRank = new char[count][];
    for (int column = 0; column < count; column++) {
      bounds[column] = new int[0];
    }
    int[] used = new int[count];
    for (RankedTree tree : trees) {
      for (int node = 0; node < tree.innerNodes(); node++) {
        int column = tree.column()[node];
        if (used[column] == bounds[column].length) {
          bounds[column] = Arrays.copyOf(bounds[column], Math.max(8, 2 * used[column]));
        }
        bounds[column][used[column]++] = tree.bound()[node];
      }
    }
    for (int column = 0; column < count; column++) {
      bounds[column] = Arrays.stream(bounds[column], 0, used[column]).sorted().distinct().toArray();
      firstSlot[column + 1] = firstSlot[column] + bounds[column].length + 1;
      slotOfRank[column] = slots(bounds[column], columns.highestRank(column));
    }
  }

  private static char[] slots(int[] bounds, int highestRank) {
    char[] slots = new char[highestRank + 1];
    for (int rank = 1, slot = 0; rank <= highestRank; rank++) {
      slot += slot < bounds.length && bounds[slot] < rank ? 1 : 0;
      slots[rank] = (char) slot;
    }
    return slots;
  }

  /** Whether slots can be told by 16 bits. */
  static boolean fits(Columns columns) {
    for (int column = 0; column < columns.count(); column++) {
      if (columns.highestRank(column) > Character.MAX_VALUE) {
        return false;
      }
    }
    return true;
  }

  /** How many slots there are. */
  int slots() {
    return firstSlot[firstSlot.length - 1];
  }

  /** The slot of a node's test. */
  int slot(int column, int bound) {
    return firstSlot[column] + 1 + Arrays.binarySearch(bounds[column], bound);
  }

  /**
   * Fills {@code scratch.masks} for a block.
   *
   * @param words of 64 rows; rows beyond the last go left
   */
  void fill(FeatureBlock block, int words, BlockScratch scratch) {
    Arrays.fill(scratch.masks, 0, slots() * words, 0);
    for (int search = 0; search < columns.searches(); search++) {
      block.copyColumn(columns.searchedFeature(search), scratch.column);
      columns.rank(search, scratch.column, block.rows(), scratch.ranks);
      int left = columns.leftColumn(search);
      if (left >= 0) {
        fill(left, 0, block.rows(), words, scratch);
      }
      int right = columns.rightColumn(search);
      if (right >= 0) {
        fill(right, columns.highestRank(right), block.rows(), words, scratch);
      }
    }
    CategorySets sets = columns.sets();
    for (int k = 0; k < sets.features(); k++) {
      block.copyColumn(sets.feature(k), scratch.column);
      for (int row = 0; row < block.rows(); row++) {
        scratch.ranks[row] = sets.line(k, scratch.column[row]);
      }
      fillSets(k, block.rows(), words, scratch);
    }
  }

  private void fill(int column, int missing, int rows, int words, BlockScratch scratch) {
    long[] masks = scratch.masks;
    char[] slots = slotOfRank[column];
    int first = firstSlot[column];
    for (int word = 0; word < words; word++) {
      int to = Math.min(rows, (word + 1) << 6);
      for (int row = word << 6; row < to; row++) {
        int rank = scratch.ranks[row];
        int slot = slots[rank < 0 ? missing : rank];
        masks[(first + slot) * words + word] |= 1L << row;
      }
    }
    for (int at = (firstSlot[column + 1] - 1) * words - 1; at >= first * words; at--) {
      masks[at] |= masks[at + words];
    }
  }

  private void fillSets(int k, int rows, int words, BlockScratch scratch) {
    CategorySets sets = columns.sets();
    long[] lines = scratch.lines;
    for (int word = 0; word < words; word++) {
      int from = word << 6;
      int to = Math.min(rows, from + Long.SIZE);
      for (int part = 0; part < sets.words(k); part++) {
        Arrays.fill(lines, 0);
        for (int row = from; row < to; row++) {
          lines[row - from] = sets.bits(k, scratch.ranks[row], part);
        }
        BitMatrix.transpose(lines);
        int tests = Math.min(Long.SIZE, sets.tests(k) - (part << 6));
        int column = sets.firstColumn(k) + (part << 6);
        for (int test = 0; test < tests; test++) {
          scratch.masks[(firstSlot[column + test] + 1) * words + word] = lines[test];
        }
      }
    }
  }

  long bytes() {
    long bytes = 4L * firstSlot.length;
    for (int column = 0; column < bounds.length; column++) {
      bytes += 4L * bounds[column].length + 2L * slotOfRank[column].length;
    }
    return bytes;
  }
}
