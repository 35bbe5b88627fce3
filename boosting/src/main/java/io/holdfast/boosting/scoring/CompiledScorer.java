package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.scoring.Vectors.SimdMode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scorer that serves: features become ranks once, and trees are evaluated on ranks, many trees
 * at a time for a row, 64 rows at a time for a block. Immutable; safe to share. Allocates nothing a
 * call, once a thread has scored with it.
 */
public final class CompiledScorer extends TreeWalkScorer {
  /** Fewer rows are scored one by one: a word costs the same for any number of its 64 rows. */
  private static final int FEWEST_IN_BLOCK = 16;

  private static final int FEWEST_BY_VECTORS = 32; // where single rows are scored by vectors

  /** By vectors eight words at a time cost as much as four, one at a time. */
  private static final int MOST_BY_WORD = 4 * Long.SIZE;

  private static final ThreadLocal<RowScratch> ROW_SCRATCH =
      ThreadLocal.withInitial(RowScratch::new);
  private static final ThreadLocal<BlockScratch> BLOCK_SCRATCH =
      ThreadLocal.withInitial(BlockScratch::new);

  final TreeLayouts layouts;

  CompiledScorer(Model model, TreeLayouts layouts) {
    super(model);
    this.layouts = layouts;
  }

  /** Compiles a model for blocks and single rows; one that is too large is walked as it is. */
  static Scorer of(Model model, SimdMode mode) {
    Scorer scorer = ofBlocks(model, mode);
    if (scorer instanceof CompiledScorer compiled) {
      compiled.layouts.forRows();
    }
    return scorer;
  }

  /** The same; what single rows need is laid out when the first comes. */
  static Scorer ofBlocks(Model model, SimdMode mode) {
    TreeLayouts layouts = TreeLayouts.of(model, mode);
    return layouts == null ? new TreeWalkScorer(model) : new CompiledScorer(model, layouts);
  }

  /** Compiles a model for mode without vectors, to be compared with. */
  public static Scorer plain(Model model) {
    return of(model, SimdMode.PLAIN);
  }

  /** Compiles a model, with the layouts of an earlier scorer if trees and decays are the same. */
  static Scorer sharing(Model model, Scorer earlier) {
    return earlier instanceof CompiledScorer compiled && haveSameTrees(model, compiled.model)
        ? new CompiledScorer(model, compiled.layouts)
        : of(model, SimdMode.FASTEST);
  }

  @SuppressWarnings("ReferenceEquality") // trees are immutable and shared: identity is enough
  static boolean haveSameTrees(Model model, Model other) {
    List<Segment> ours = model.segments();
    List<Segment> theirs = other.segments();
    boolean same = ours.size() == theirs.size() && model.features().equals(other.features());
    for (int k = 0; same && k < ours.size(); k++) {
      same =
          ours.get(k).trees() == theirs.get(k).trees()
              && Double.compare(ours.get(k).decay(), theirs.get(k).decay()) == 0;
    }
    return same;
  }

  @Override
  double add(double[] features, double score) {
    return add(features, score, 0, layouts.trees);
  }

  @Override
  void addTo(double[] features, double[] target) {
    addTo(features, target, 0, layouts.trees);
  }

  /** The score after trees {@code [first, end)}, one value each, have added to {@code score}. */
  double add(double[] features, double score, int first, int end) {
    RowScratch scratch = rowScratch();
    TreeLayouts.ForRows ready = layouts.forRows();
    TreeLanes lanes = ready.lanes();
    return lanes != null && layouts.mode.rowsByVectors()
        ? lanes.add(features, score, first, end, scratch)
        : ready.plain().add(features, score, first, end, scratch);
  }

  /** Adds the values of trees {@code [first, end)} to {@code target[0, outputs)}. */
  void addTo(double[] features, double[] target, int first, int end) {
    if (outputs() == 1) { // half of the time
      target[0] = add(features, target[0], first, end);
      return;
    }
    RowScratch scratch = rowScratch();
    TreeLayouts.ForRows ready = layouts.forRows();
    TreeLanes lanes = ready.lanes();
    if (lanes != null && layouts.mode.rowsByVectors()) {
      lanes.addTo(features, target, first, end, scratch);
    } else {
      ready.plain().addTo(features, target, first, end, scratch);
    }
  }

  @Override
  public void scores(double[] features, int rows, double[] target) {
    addTo(base, features, rows, target, 0, layouts.trees);
  }

  @Override
  public double[] scores(Rows rows) {
    Check.that(rows.width() == width, "a row must have %s features: %s", width, rows.width());
    double[] target = new double[Math.multiplyExact(outputs(), rows.size())];
    BlockScratch scratch = blockScratch();
    scratch.block.of(rows);
    addTo(base, rows.size(), target, 0, layouts.trees, scratch);
    return target;
  }

  /**
   * Adds the values of trees {@code [first, end)} to a block's scores in {@code target}, or to a
   * base that is written there first.
   */
  void addTo(
      @Nullable Base start, double[] features, int rows, double[] target, int first, int end) {
    checkBlock(features.length, rows, target);
    BlockScratch scratch = blockScratch();
    scratch.block.of(features, width);
    addTo(start, rows, target, first, end, scratch);
  }

  private void addTo(
      @Nullable Base start, int rows, double[] target, int first, int end, BlockScratch scratch) {
    FeatureBlock block = scratch.block;
    int fewest = fewestInBlock();
    try {
      for (int from = 0; from < rows; from += block.rows) {
        boolean byWord = rows - from <= MOST_BY_WORD && layouts.mode.blocksByVectors();
        block.at(from, Math.min(byWord ? Long.SIZE : BlockScratch.ROWS, rows - from));
        BitSlicedTrees sliced = layouts.sliced;
        if (sliced == null || block.rows < fewest) {
          addOneByOne(start, rows, target, first, end, scratch);
          continue;
        }
        if (start != null && start.terms().isEmpty()) {
          for (int k = 0; k < outputs(); k++) {
            int at = k * rows + from;
            Arrays.fill(target, at, at + block.rows, start.intercept(k));
          }
        } else if (start != null) {
          addOneByOne(start, rows, target, 0, 0, scratch);
        }
        addSliced(sliced, rows, target, first, end, scratch);
      }
    } finally {
      block.clear();
    }
  }

  private int fewestInBlock() {
    TreeLayouts.ForRows ready = layouts.forRowsIfReady();
    if (ready == null) {
      return 1; // a word costs less than to lay out what single rows need
    }
    boolean vectors = ready.lanes() != null && layouts.mode.rowsByVectors();
    return vectors ? FEWEST_BY_VECTORS : FEWEST_IN_BLOCK;
  }

  private void addOneByOne(
      @Nullable Base start, int rows, double[] target, int first, int end, BlockScratch scratch) {
    int from = scratch.block.firstRow;
    for (int row = 0; row < scratch.block.rows; row++) {
      scratch.block.copyRow(row, scratch.features);
      if (start != null) {
        start.score(scratch.features, scratch.one);
      } else {
        for (int k = 0; k < outputs(); k++) {
          scratch.one[k] = target[k * rows + from + row];
        }
      }
      if (first < end) {
        addTo(scratch.features, scratch.one, first, end);
      }
      for (int k = 0; k < outputs(); k++) {
        target[k * rows + from + row] = scratch.one[k];
      }
    }
  }

  private void addSliced(
      BitSlicedTrees sliced, int rows, double[] target, int first, int end, BlockScratch scratch) {
    int from = scratch.block.firstRow;
    int size = scratch.block.rows;
    int words = (size + Long.SIZE - 1) / Long.SIZE;
    boolean vectors = layouts.mode.blocksByVectors();
    if (vectors && words > 1) {
      words = BlockScratch.WORDS;
    }
    for (int k = 0; k < outputs(); k++) {
      BlockScratch.place(target, k * rows + from, size, scratch.sums, k * BlockScratch.ROWS);
    }
    sliced.bitmaps.fill(scratch.block, words, vectors, scratch);
    if (!vectors) {
      sliced.addByWords(first, end, words, scratch);
    } else if (words == 1) {
      sliced.addWordByVectors(first, end, scratch);
    } else {
      sliced.addByVectors(first, end, scratch);
    }
    for (int k = 0; k < outputs(); k++) {
      BlockScratch.takeBack(scratch.sums, k * BlockScratch.ROWS, size, target, k * rows + from);
    }
  }

  @Override
  public long bytes() {
    return layouts.bytes();
  }

  private RowScratch rowScratch() {
    RowScratch scratch = ROW_SCRATCH.get();
    scratch.require(layouts.columns.count, layouts.trees + 1);
    return scratch;
  }

  private BlockScratch blockScratch() {
    BlockScratch scratch = BLOCK_SCRATCH.get();
    BitSlicedTrees sliced = layouts.sliced;
    scratch.require(sliced == null ? 0 : sliced.bitmaps.slots, outputs(), width);
    return scratch;
  }

  private void checkBlock(int length, int rows, double[] target) {
    if (rows < 0 || (long) rows * width > length || (long) rows * outputs() > target.length) {
      Check.that(
          false,
          "%s rows must have %s features each and room for %s raw scores each: there are %s and %s",
          rows,
          width,
          outputs(),
          length,
          target.length);
    }
  }
}
