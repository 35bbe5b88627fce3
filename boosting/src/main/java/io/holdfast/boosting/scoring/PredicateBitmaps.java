package io.holdfast.boosting.scoring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The distinct tests of an ensemble on a block: which rows go right, a bit a row. Immutable. */
final class PredicateBitmaps {
  /*
   * Every threshold of a feature has a slot, in ascending order, behind one that no node uses. A row
   * sets its bit in the slot of its rank; then every slot takes in the bits of those above it, so that
   * slot s + 1 has the rows that rank above s. Missing values rank 0 there, or highest if all nodes
   * send them right. Where nodes disagree, the tests that send them right have slots of their own:
   * copies, with the rows where the feature is missing. A block in which none of these features is
   * missing does without the copies, a third of all slots.
   *
   * With w words of 64 rows, the rows of slot s are at [s * w, s * w + w).
   */
  private static final int[] NONE = {};
  private static final int NOT_COPIED = -1;
  private static final int HIGHEST_BYTE = 255;

  private final Columns columns;
  private final int[] slotOf; // of each column's bound 0
  private final int[][] copied; // of each search: bounds of copied tests, ascending
  private final int[] firstCopy; // of each search
  private final int[] searchOfCopied; // of each column whose tests are copies, or NOT_COPIED
  final int slots;

  PredicateBitmaps(Columns columns, List<RankedTree> trees) {
    this.columns = columns;
    int searches = columns.searched.length;
    slotOf = new int[columns.count];
    copied = new int[searches][];
    firstCopy = new int[searches];
    searchOfCopied = new int[columns.count];
    Arrays.fill(searchOfCopied, NOT_COPIED);
    int[][] bounds = bounds(trees);
    int next = 0;
    for (int search = 0; search < searches; search++) {
      int left = columns.leftColumn[search];
      int right = columns.rightColumn[search];
      int column = Math.max(left, right);
      int slot = next + 1;
      slotOf[column] = slot;
      next += columns.highestRank[column] + 1;
      copied[search] = NONE;
      if (left >= 0 && right >= 0) {
        slotOf[left] = slot;
        slotOf[right] = slot;
        searchOfCopied[right] = search;
        copied[search] = bounds[right];
        firstCopy[search] = next;
        next += bounds[right].length;
      }
    }
    for (CategorySets set : columns.sets) {
      for (int test = 0; test < set.tests; test++) {
        slotOf[set.firstColumn + test] = next++;
      }
    }
    slots = next;
  }

  /** The distinct bounds of each column, ascending. */
  private int[][] bounds(List<RankedTree> trees) {
    BitSet[] asked = new BitSet[searchOfCopied.length];
    Arrays.setAll(asked, column -> new BitSet());
    for (RankedTree tree : trees) {
      for (int node = 0; node < tree.innerNodes(); node++) {
        asked[tree.column()[node]].set(tree.bound()[node]);
      }
    }
    return Arrays.stream(asked).map(bounds -> bounds.stream().toArray()).toArray(int[][]::new);
  }

  /** The slot of a node's test. */
  int slot(int column, int bound) {
    int search = searchOfCopied[column];
    return search == NOT_COPIED
        ? slotOf[column] + bound
        : firstCopy[search] + Arrays.binarySearch(copied[search], bound);
  }

  /** The same for blocks whose {@code scratch.copied} is false. */
  int slotOfPresent(int column, int bound) {
    return slotOf[column] + bound;
  }

  /** Fills {@code scratch.masks}, in words of 64 rows; bits beyond the last row are anything. */
  void fill(FeatureBlock block, int words, boolean vectors, BlockScratch scratch) {
    scratch.copied = false;
    for (int search = 0; search < columns.searched.length; search++) {
      Arrays.fill(scratch.lines, 0, words, 0);
      fill(search, block, words, vectors, scratch);
      keepMissing(search, words, scratch);
    }
    if (scratch.copied) {
      for (int search = 0; search < columns.searched.length; search++) {
        copy(search, words, scratch);
      }
    }
    for (CategorySets set : columns.sets) {
      block.copyColumn(set.feature, scratch.column);
      for (int row = 0; row < block.rows; row++) {
        scratch.ranks[row] = set.line(scratch.column[row]);
      }
      fillSets(set, block.rows, words, scratch);
    }
  }

  /** Keeps the rows where a feature is missing until all features are known. */
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
    return Math.max(columns.leftColumn[search], columns.rightColumn[search]);
  }

  private void fill(
      int search, FeatureBlock block, int words, boolean vectors, BlockScratch scratch) {
    int column = column(search);
    int first = (slotOf[column] - 1) * words;
    int bounds = columns.highestRank[column];
    block.copyColumn(columns.searched[search], scratch.column);
    if (columns.rank(search, scratch.column, block.rows, scratch.ranks)) {
      takeMissing(search, block.rows, scratch);
    }
    if (vectors && bounds <= HIGHEST_BYTE) {
      VectorSlices.above(words, bounds, scratch, first + words);
      return;
    }
    Arrays.fill(scratch.masks, first, first + (bounds + 1) * words, 0);
    scatter(scratch.ranks, block.rows, words, scratch.masks, first);
    takeAbove(scratch.masks, first, bounds, words);
  }

  /** Ranks what is missing, and notes its bits in {@code scratch.lines}, a word each. */
  private void takeMissing(int search, int rows, BlockScratch scratch) {
    int highest = columns.highestRank[column(search)];
    int rank = columns.leftColumn[search] >= 0 ? 0 : highest;
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

  private void copy(int search, int words, BlockScratch scratch) {
    int[] bounds = copied[search];
    int from = slotOf[column(search)] * words;
    int to = firstCopy[search] * words;
    int first = search * words;
    long[] masks = scratch.masks;
    long[] missing = scratch.missing;
    if (words == 1) { // a third of the time that the general loop takes
      long more = missing[first];
      for (int k = 0; k < bounds.length; k++) {
        masks[to + k] = masks[from + bounds[k]] | more;
      }
      return;
    }
    for (int k = 0; k < bounds.length; k++) {
      for (int word = 0; word < words; word++) {
        masks[to + k * words + word] =
            masks[from + bounds[k] * words + word] | missing[first + word];
      }
    }
  }

  private void fillSets(CategorySets set, int rows, int words, BlockScratch scratch) {
    long[] lines = scratch.lines;
    for (int word = 0; word < words; word++) {
      int from = word << 6;
      int to = Math.min(rows, from + Long.SIZE);
      for (int part = 0; part < set.words; part++) {
        Arrays.fill(lines, 0);
        for (int row = from; row < to; row++) {
          lines[row - from] = set.bits(scratch.ranks[row], part);
        }
        transpose(lines);
        int tests = Math.min(Long.SIZE, set.tests - (part << 6));
        int slot = slotOf[set.firstColumn + (part << 6)];
        for (int test = 0; test < tests; test++) {
          scratch.masks[(slot + test) * words + word] = lines[test];
        }
      }
    }
  }

  /** Transposes 64 by 64 bits, by exchanging ever smaller off-diagonal quarters. */
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
    int bounds = Arrays.stream(copied).mapToInt(own -> own.length).sum();
    return 4L * (slotOf.length + firstCopy.length + searchOfCopied.length + bounds);
  }
}
