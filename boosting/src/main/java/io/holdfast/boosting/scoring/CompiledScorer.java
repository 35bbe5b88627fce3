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
 * The scorer that serves: features become ranks once, and trees are looked up by ranks, a row by
 * many trees at a time, a block of rows by 64 rows at a time. Immutable; safe to share. Allocates
 * nothing a call, once a thread has scored with it.
 */
public final class CompiledScorer implements Scorer {
  /*
   * A block's cost does not depend on how many of a word's 64 rows there are: fewer than this are
   * scored one by one (measured: a word costs what 14 to 24 single rows do, by vectors what 26 to 42
   * do).
   */
  private static final int FEWEST_IN_BLOCK = 16;
  private static final int FEWEST_BY_VECTORS = 32;

  /**
   * A tree is laid out for blocks in the time (measured: 2.4 to 3.1 µs) in which 60 to 100 rows
   * walk down it (24 to 28 ns each).
   */
  private static final int MOST_WALKED = 64;

  /** By vectors eight words cost what four single ones do, a word a time. */
  private static final int MOST_BY_WORD = 4 * Long.SIZE;

  private static final ThreadLocal<RowScratch> ROW_SCRATCH =
      ThreadLocal.withInitial(RowScratch::new);
  private static final ThreadLocal<BlockScratch> BLOCK_SCRATCH =
      ThreadLocal.withInitial(BlockScratch::new);

  private final int width;
  private final Model model;
  private final Base base;
  private final Columns columns;
  private final SimdMode mode;
  private final int trees;
  private final RowLayouts layouts;
  private final @Nullable BitSlicedTrees sliced; // null if some tree has too many leaves

  private CompiledScorer(
      Model model, ColumnsBuilder builder, List<RankedTree> trees, SimdMode mode) {
    this.mode = mode;
    this.model = model;
    width = model.features().size();
    base = model.base();
    columns = new Columns(builder);
    this.trees = trees.size();
    layouts = new RowLayouts(columns, trees, mode);
    sliced = BitSlicedTrees.fits(columns, trees) ? new BitSlicedTrees(columns, trees) : null;
  }

  /**
   * Compiles a model; one that is too large to lay out is walked as it is. The first with trees
   * that is compiled begins to warm {@link Vectors} up.
   */
  public static Scorer of(Model model) {
    warmUp(model);
    return compile(model, SimdMode.FASTEST);
  }

  /**
   * A scorer for so many rows: few walk the trees, for more blocks are laid out, and what single
   * rows need only when the first comes.
   */
  public static Scorer ofRows(Model model, int rows) {
    if (rows <= MOST_WALKED) {
      return new TreeWalkScorer(model);
    }
    warmUp(model);
    return compileBlocks(model, SimdMode.FASTEST);
  }

  /** The same as {@link #of(Model)}, for whoever begins to warm vectors up when it pays. */
  static Scorer withoutWarmUp(Model model) {
    return compile(model, SimdMode.FASTEST);
  }

  private static void warmUp(Model model) {
    if (model.trees() > 0) {
      Vectors.warmUp();
    }
  }

  /** The layout of another model whose trees are the same. */
  private CompiledScorer(Model model, CompiledScorer same) {
    this.model = model;
    mode = same.mode;
    width = same.width;
    base = model.base();
    columns = same.columns;
    trees = same.trees;
    layouts = same.layouts;
    sliced = same.sliced;
  }

  /**
   * Compiles a model, and takes what it can from the scorer of an earlier version: all but the
   * base, if trees and their weights are the same.
   */
  public static Scorer of(Model model, Scorer earlier) {
    return earlier instanceof CompiledScorer compiled && compiled.hasTreesOf(model)
        ? new CompiledScorer(model, compiled)
        : withoutWarmUp(model);
  }

  /** A scorer of a model that may not serve for long: it is compiled once it pays. */
  public static Scorer deferred(Model model, Scorer earlier) {
    return LazyScorer.of(model, earlier);
  }

  boolean hasTreesOf(Model other) {
    return haveSameTrees(model, other);
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

  /** Compiles a model for mode without vectors, to be compared with. */
  public static Scorer plain(Model model) {
    return compile(model, SimdMode.PLAIN);
  }

  /**
   * Compiles a model.
   *
   * @throws IllegalArgumentException if it is too large to lay out
   */
  static CompiledScorer of(Model model, SimdMode mode) {
    if (compile(model, mode) instanceof CompiledScorer compiled) {
      return compiled;
    }
    throw new IllegalArgumentException("a model must not be too large to lay out: " + model);
  }

  /**
   * A scorer of {@code model} that is ready soon: of the trees that it shares with {@code before},
   * that model's layout is used, and only the others are laid out. Where that gains nothing, a
   * compiled model.
   *
   * @param ofBefore the scorer of {@code before}
   */
  public static Scorer following(Model model, Model before, Scorer ofBefore) {
    if (ofBefore instanceof CompiledScorer laidOut) {
      if (laidOut.hasTreesOf(model)) {
        return new CompiledScorer(model, laidOut);
      }
      IncrementalScorer extended = IncrementalScorer.of(model, before, laidOut, laidOut.mode);
      if (extended != null) {
        return extended;
      }
    }
    return of(model);
  }

  static Scorer compile(Model model, SimdMode mode) {
    Scorer scorer = compileBlocks(model, mode);
    if (scorer instanceof CompiledScorer compiled) {
      compiled.layouts.laid();
    }
    return scorer;
  }

  static Scorer compileBlocks(Model model, SimdMode mode) {
    var builder = new ColumnsBuilder(model);
    List<RankedTree> trees = RankedTree.all(model, builder);
    return PackedTrees.fits(builder.columns(), trees)
        ? new CompiledScorer(model, builder, trees, mode)
        : new TreeWalkScorer(model);
  }

  @Override
  public int outputs() {
    return base.outputs();
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public double score(double[] features) {
    check(features, width, outputs(), 1);
    return add(features, base.score(features), 0, trees());
  }

  @Override
  public void score(double[] features, double[] target) {
    check(features, width, outputs(), outputs());
    base.score(features, target);
    addTo(features, target, 0, trees());
  }

  /** How many trees are laid out. */
  int trees() {
    return trees;
  }

  /** The score after trees {@code [first, end)}, one value each, have added to {@code score}. */
  double add(double[] features, double score, int first, int end) {
    RowScratch scratch = rowScratch();
    RowLayouts.Laid laid = layouts.laid();
    TreeLanes lanes = laid.lanes();
    if (lanes != null && mode.rowsByVectors()) {
      return lanes.add(features, score, first, end, scratch);
    }
    columns.rank(features, scratch);
    return laid.plain().add(score, first, end, scratch);
  }

  /** Adds the values of trees {@code [first, end)} to {@code target[0, outputs)}. */
  void addTo(double[] features, double[] target, int first, int end) {
    if (outputs() == 1) { // half of the time
      target[0] = add(features, target[0], first, end);
      return;
    }
    RowScratch scratch = rowScratch();
    RowLayouts.Laid laid = layouts.laid();
    TreeLanes lanes = laid.lanes();
    if (lanes != null && mode.rowsByVectors()) {
      lanes.addTo(features, target, first, end, scratch);
      return;
    }
    columns.rank(features, scratch);
    laid.plain().addTo(target, first, end, scratch);
  }

  @Override
  public void scores(double[] features, int rows, double[] target) {
    checkBlock(features.length, rows, target);
    BlockScratch scratch = blockScratch();
    scratch.block.of(features, width);
    scores(rows, target, scratch);
  }

  @Override
  public void scores(float[] features, int rows, double[] target) {
    checkBlock(features.length, rows, target);
    BlockScratch scratch = blockScratch();
    scratch.block.of(features, width);
    scores(rows, target, scratch);
  }

  @Override
  public double[] scores(Rows rows) {
    Check.that(rows.width() == width, "a row must have %s features: %s", width, rows.width());
    double[] target = new double[Math.multiplyExact(outputs(), rows.size())];
    BlockScratch scratch = blockScratch();
    scratch.block.of(rows);
    scores(rows.size(), target, scratch);
    return target;
  }

  private void scores(int rows, double[] target, BlockScratch scratch) {
    addTo(base, rows, target, 0, trees(), scratch);
  }

  /**
   * Adds the values of trees {@code [first, end)} to what {@code target} has of a block, or to a
   * base that is written there first. It is laid out as by {@link #scores(double[], int,
   * double[])}.
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
      for (int from = 0; from < rows; from += block.rows()) {
        block.at(from, size(rows - from));
        if (start != null) {
          set(start, from, rows, target, scratch);
        }
        if (sliced == null || block.rows() < fewest) {
          addOneByOne(from, rows, target, first, end, scratch);
        } else {
          addSliced(sliced, from, rows, target, first, end, scratch);
        }
      }
    } finally {
      block.clear();
    }
  }

  private int fewestInBlock() {
    if (!layouts.ready()) {
      return 1; // a word costs less than to lay out what single rows need
    }
    return layouts.byVectors() && mode.rowsByVectors() ? FEWEST_BY_VECTORS : FEWEST_IN_BLOCK;
  }

  /** How many of so many rows to score at once. */
  private int size(int rows) {
    boolean byWord = rows <= MOST_BY_WORD && mode.blocksByVectors();
    return Math.min(byWord ? Long.SIZE : BlockScratch.ROWS, rows);
  }

  private static void set(Base base, int from, int rows, double[] target, BlockScratch scratch) {
    int size = scratch.block.rows();
    if (base.terms().isEmpty()) {
      for (int k = 0; k < base.outputs(); k++) {
        Arrays.fill(target, k * rows + from, k * rows + from + size, base.intercept(k));
      }
      return;
    }
    for (int row = 0; row < size; row++) {
      scratch.block.copyRow(row, scratch.features);
      base.score(scratch.features, scratch.one);
      for (int k = 0; k < base.outputs(); k++) {
        target[k * rows + from + row] = scratch.one[k];
      }
    }
  }

  private void addOneByOne(
      int from, int rows, double[] target, int first, int end, BlockScratch scratch) {
    for (int row = 0; row < scratch.block.rows(); row++) {
      scratch.block.copyRow(row, scratch.features);
      for (int k = 0; k < outputs(); k++) {
        scratch.one[k] = target[k * rows + from + row];
      }
      addTo(scratch.features, scratch.one, first, end);
      for (int k = 0; k < outputs(); k++) {
        target[k * rows + from + row] = scratch.one[k];
      }
    }
  }

  private void addSliced(
      BitSlicedTrees sliced,
      int from,
      int rows,
      double[] target,
      int first,
      int end,
      BlockScratch scratch) {
    int size = scratch.block.rows();
    int words = (size + Long.SIZE - 1) / Long.SIZE;
    boolean vectors = mode.blocksByVectors();
    if (vectors && words > 1) {
      words = BlockScratch.WORDS;
    }
    for (int k = 0; k < outputs(); k++) {
      BlockScratch.place(target, k * rows + from, size, scratch.sums, k * BlockScratch.ROWS);
    }
    sliced.bitmaps().fill(scratch.block, words, vectors, scratch);
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
    return columns.bytes() + layouts.bytes() + (sliced == null ? 0 : sliced.bytes());
  }

  private RowScratch rowScratch() {
    RowScratch scratch = ROW_SCRATCH.get();
    scratch.require(columns.count(), trees + 1);
    return scratch;
  }

  private BlockScratch blockScratch() {
    BlockScratch scratch = BLOCK_SCRATCH.get();
    scratch.require(sliced == null ? 0 : sliced.bitmaps().slots(), outputs(), width);
    return scratch;
  }

  /** Checks a row, and that as many raw scores are asked for as there are. */
  static void check(double[] features, int width, int outputs, int asked) {
    if (features.length != width) {
      Check.that(false, "a row must have %s features: %s", width, features.length);
    }
    if (outputs != asked) {
      Check.that(false, "a model of %s raw scores gives them by array only", outputs);
    }
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
