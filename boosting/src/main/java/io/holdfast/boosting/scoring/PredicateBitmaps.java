package io.holdfast.boosting.scoring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The distinct tests of an ensemble, asked for a block of rows at once: which rows go right, a bit
 * a row. Immutable; safe to share.
 */
final class PredicateBitmaps {
  /*
   * Every threshold of a feature has a slot, in ascending order, behind one that no node uses. A row
   * puts its bit into the slot of its rank; then every slot takes in the bits of those above it, and
   * slot s + 1 has the rows that rank above s. So a feature costs a bit a row and an OR a threshold,
   * however many rows there are. Missing values rank 0 there, or highest if all nodes send them
   * right. Where nodes disagree, the tests that send them right have slots of their own: copies, and
   * the rows where the feature is missing. A block in which no such feature is missing does without
   * the copies, a third of all slots: its splits ask the tests that were copied.
   *
   * With w words of 64 rows, the rows of slot s are at [s * w, s * w + w).
   */
  private static final int[] NONE = {};
  private static final int NOT_COPIED = -1;
  private static final int HIGHEST_BYTE = 255;

  private final Columns columns;
  private final int[] slotOf; // of each column's bound 0
  private final int[][]
      copied; // of each search: bounds of tests with slots of their own, ascending
  private final int[] firstCopy; // of each search
  private final int[] searchOfCopied; // of each column whose tests are copies, or NOT_COPIED
  private final int slots;

  PredicateBitmaps(Columns columns, List<RankedTree> trees) {
    this.columns = columns;
    int searches = columns.searches();
    slotOf = new int[columns.count()];
    copied = new int[searches][];
    firstCopy = new int[searches];
    searchOfCopied = new int[columns.count()];
    Arrays.fill(searchOfCopied, NOT_COPIED);
    for (int search = 0; search < searches; search++) {
      if (columns.leftColumn(search) >= 0 && columns.rightColumn(search) >= 0) {
        searchOfCopied[columns.rightColumn(search)] = search;
      }
    }
    int[][] bounds = bounds(trees);
    int next = 0;
    for (int search = 0; search < searches; search++) {
      int left = columns.leftColumn(search);
      int right = columns.rightColumn(search);
      int column = Math.max(left, right);
      slotOf[column] = next + 1;
      next += columns.highestRank(column) + 1;
      copied[search] = NONE;
      if (left >= 0 && right >= 0) {
        slotOf[left] = slotOf[column];
        copied[search] = bounds[right];
        firstCopy[search] = next;
        next += bounds[right].length;
      }
    }
    CategorySets sets = columns.sets();
    for (int k = 0; k < sets.features(); k++) {
      for (int test = 0; test < sets.tests(k); test++) {
        slotOf[sets.firstColumn(k) + test] = next++;
      }
    }
    slots = next;
  }

  /** The distinct bounds of each column whose tests are copies, ascending. */
  private int[][] bounds(List<RankedTree> trees) {
    BitSet[] asked = new BitSet[searchOfCopied.length];
    for (int column = 0; column < asked.length; column++) {
      asked[column] = new BitSet();
    }
    for (RankedTree tree : trees) {
      for (int node = 0; node < tree.innerNodes(); node++) {
        int column = tree.column()[node];
        if (searchOfCopied[column] != NOT_COPIED) {
          asked[column].set(tree.bound()[node]);
        }
      }
    }
    return Arrays.stream(asked).map(bounds -> bounds.stream().toArray()).toArray(int[][]::new);
  }

  /** How many slots there are. */
  int slots() {
    return slots;
  }

  /** The slot of a node's test. */
  int slot(int column, int bound) {
    int search = searchOfCopied[column];
    if (search != NOT_COPIED) {
      return firstCopy[search] + Arrays.binarySearch(copied[search], bound);
    }
    return slotOf[column] + bound;
  }

  /** The same for blocks whose {@code scratch.copied} is false. */
  int slotOfPresent(int column, int bound) {
    int search = searchOfCopied[column];
    return search == NOT_COPIED
        ? slotOf[column] + bound
        : slotOf[columns.leftColumn(search)] + bound;
  }

  /**
   * Fills {@code scratch.masks} for a block.
   *
   * @param words of 64 rows; rows beyond the last go anywhere
   * @param vectors whether vectors are there and compiled
   */
  void fill(FeatureBlock block, int words, boolean vectors, BlockScratch scratch) {
    scratch.copied = false;
    for (int search = 0; search < columns.searches(); search++) {
      Arrays.fill(scratch.lines, 0, words, 0);
      fill(search, block, words, vectors, scratch);
      keepMissing(search, words, scratch);
    }
    if (scratch.copied) {
      for (int search = 0; search < columns.searches(); search++) {
        System.arraycopy(scratch.missing, search * words, scratch.lines, 0, words);
        int from = slotOf[column(search)] * words;
        copy(copied[search], from, firstCopy[search] * words, words, scratch);
      }
    }
    fillSets(block, words, scratch);
  }

  /** Keeps the rows where a feature is missing until it is known whether any tests are copied. */
  private void keepMissing(int search, int words, BlockScratch scratch) {
    if (copied[search].length == 0) {
      return;
    }
    long any = 0;
    for (int word = 0; word < words; word++) {
      long missing = scratch.lines[word];
      scratch.missing[search * words + word] = missing;
      any |= missing;
    }
    scratch.copied |= any != 0;
  }

  private int column(int search) {
    return Math.max(columns.leftColumn(search), columns.rightColumn(search));
  }

  private void fill(
      int search, FeatureBlock block, int words, boolean vectors, BlockScratch scratch) {
    int column = column(search);
    int first = (slotOf[column] - 1) * words;
    int bounds = columns.highestRank(column);
    rank(search, block, scratch);
    if (vectors && bounds <= HIGHEST_BYTE) {
      VectorSlices.above(words, bounds, scratch, first + words);
      return;
    }
    Arrays.fill(scratch.masks, first, first + (bounds + 1) * words, 0);
    scatter(scratch.ranks, block.rows(), words, scratch.masks, first);
    takeAbove(scratch.masks, first, bounds, words);
  }

  private void fillSets(FeatureBlock block, int words, BlockScratch scratch) {
    CategorySets sets = columns.sets();
    for (int k = 0; k < sets.features(); k++) {
      block.copyColumn(sets.feature(k), scratch.column);
      for (int row = 0; row < block.rows(); row++) {
        scratch.ranks[row] = sets.line(k, scratch.column[row]);
      }
      fillSets(k, block.rows(), words, scratch);
    }
  }

  private void rank(int search, FeatureBlock block, BlockScratch scratch) {
    block.copyColumn(columns.searchedFeature(search), scratch.column);
    if (columns.rank(search, scratch.column, block.rows(), scratch.ranks)) {
      takeMissing(search, block.rows(), scratch);
    }
  }

  private int rankOfMissing(int search) {
    int right = columns.rightColumn(search);
    return columns.leftColumn(search) >= 0 ? 0 : columns.highestRank(right);
  }

  /** Ranks what is missing, and notes its bits in {@code scratch.lines}, a word each. */
  private void takeMissing(int search, int rows, BlockScratch scratch) {
    int rank = rankOfMissing(search);
    for (int row = 0; row < rows; row++) {
      if (scratch.ranks[row] < 0) {
        scratch.ranks[row] = rank;
        scratch.lines[row >> 6] |= 1L << row;
      }
    }
  }

  private static void scatter(int[] ranks, int rows, int words, long[] masks, int first) {
    for (int word = 0; word < words; word++) {
      int to = Math.min(rows, (word + 1) << 6);
      for (int row = word << 6; row < to; row++) {
        masks[first + ranks[row] * words + word] |= 1L << row;
      }
    }
  }

  private static void takeAbove(long[] masks, int first, int bounds, int words) {
    for (int word = 0; word < words; word++) {
      long above = 0;
      for (int at = first + bounds * words + word; at >= first; at -= words) {
        above |= masks[at];
        masks[at] = above;
      }
    }
  }

  private static void copy(int[] bounds, int from, int to, int words, BlockScratch scratch) {
    long[] masks = scratch.masks;
    long[] missing = scratch.lines;
    if (words == 1) { // a third of the time that the general loop takes
      long more = missing[0];
      for (int k = 0; k < bounds.length; k++) {
        masks[to + k] = masks[from + bounds[k]] | more;
      }
      return;
    }
    for (int k = 0; k < bounds.length; k++) {
      for (int word = 0; word < words; word++) {
        masks[to + k * words + word] = masks[from + bounds[k] * words + word] | missing[word];
      }
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
        transpose(lines);
        int tests = Math.min(Long.SIZE, sets.tests(k) - (part << 6));
        int slot = slotOf[sets.firstColumn(k) + (part << 6)];
        for (int test = 0; test < tests; test++) {
          scratch.masks[(slot + test) * words + word] = lines[test];
        }
      }
    }
  }

  /**
   * Exchanges rows and columns of 64 by 64 bits, by exchanging ever smaller off-diagonal quarters.
   */
  private static void transpose(long[] rows) {
    long mask = 0xFFFF_FFFFL;
    for (int size = 32; size > 0; size >>= 1, mask ^= mask << size) {
      for (int row = 0; row < Long.SIZE; row = (row + size + 1) & -size - 1) {
        long change = (rows[row] >>> size ^ rows[row + size]) & mask;
        rows[row] ^= change << size;
        rows[row + size] ^= change;
      }
    }
  }

  long bytes() {
    long bytes = 4L * (slotOf.length + firstCopy.length + searchOfCopied.length);
    for (int[] bounds : copied) {
      bytes += 4L * bounds.length;
    }
    return bytes;
  }
}
