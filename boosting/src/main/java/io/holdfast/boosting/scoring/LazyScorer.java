package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.FlatTrees;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Vectors.SimdMode;
import org.jspecify.annotations.Nullable;

/**
 * Walks trees one by one for the first rows, side by side from then on, and compiled when enough
 * rows were scored to pay for it; all give the same bits. Safe to share.
 */
final class LazyScorer implements Scorer {
  /*
   * Laying a tree out to be walked side by side pays after some 50 rows, and most trees were laid out
   * for the version before. Compiling pays after a thousand rows, or 200 if trees cannot be walked
   * side by side. Counters are not atomic: rows of several threads may be counted as one.
   */
  private static final int WORTH_LAYING_OUT = 8;
  private static final int ENOUGH_ROWS = 1000;
  private static final int ENOUGH_WALKED = 200;

  /* Compiling vector loops pays after some ten million rows, and delays the trainer at its start. */
  private static final int WORTH_VECTORS = 1_000_000;
  private static int scored;

  private final Model model;
  private final TreeWalkScorer walked;
  private final Layout layout;
  private volatile @Nullable Scorer flat;
  private volatile @Nullable Scorer compiled;

  /** What models with the same trees share, whatever their base. */
  private static final class Layout {
    private final Model model;
    private final FlatTrees before;
    private int rows;
    private volatile @Nullable FlatTrees flat;
    private volatile @Nullable Scorer compiled;

    private Layout(Model model, FlatTrees before) {
      this.model = model;
      this.before = before;
    }

    private int enough() {
      FlatTrees known = flat;
      return known == null || known.complete() ? ENOUGH_ROWS : ENOUGH_WALKED;
    }

    private Scorer flat(Model other) {
      FlatTrees known = flat;
      if (known == null) {
        known = FlatTrees.of(model.segments(), model.features().size(), before);
        flat = known;
      }
      return new FlatScorer(other, known);
    }

    private Scorer of(Model other) {
      Scorer known = compiled;
      if (known == null) {
        known = CompiledScorer.of(model, SimdMode.FASTEST);
        compiled = known;
      }
      return CompiledScorer.sharing(other, known);
    }
  }

  private static final class FlatScorer extends TreeWalkScorer {
    private final FlatTrees trees;

    private FlatScorer(Model model, FlatTrees trees) {
      super(model);
      this.trees = trees;
    }

    @Override
    void addTo(double[] features, double[] target) {
      trees.add(features, target, 0);
    }

    @Override
    public long bytes() {
      return trees.bytes();
    }
  }

  private LazyScorer(Model model, Layout layout) {
    this.model = model;
    this.layout = layout;
    walked = new TreeWalkScorer(model);
  }

  static Scorer of(Model model, Scorer earlier) {
    if (earlier instanceof CompiledScorer compiled
        && CompiledScorer.haveSameTrees(compiled.model, model)) {
      return new CompiledScorer(model, compiled.layouts);
    }
    if (!(earlier instanceof LazyScorer lazy)) {
      return new LazyScorer(model, new Layout(model, FlatTrees.NONE));
    }
    Layout known = lazy.layout;
    if (CompiledScorer.haveSameTrees(known.model, model)) {
      return new LazyScorer(model, known);
    }
    FlatTrees flat = known.flat;
    return new LazyScorer(model, new Layout(model, flat == null ? known.before : flat));
  }

  private Scorer scorer(int rows) {
    if (scored < WORTH_VECTORS) {
      scored += rows;
      if (scored >= WORTH_VECTORS) {
        Vectors.warmUp();
      }
    }
    Scorer ready = compiled;
    if (ready != null) {
      return ready;
    }
    layout.rows += rows;
    if (layout.rows >= layout.enough()) {
      ready = layout.of(model);
      compiled = ready;
      return ready;
    }
    if (layout.rows < WORTH_LAYING_OUT) {
      return walked;
    }
    Scorer few = flat;
    if (few == null) {
      few = layout.flat(model);
      flat = few;
    }
    return few;
  }

  @Override
  public int outputs() {
    return walked.outputs();
  }

  @Override
  public int width() {
    return walked.width();
  }

  @Override
  public double score(double[] features) {
    return scorer(1).score(features);
  }

  @Override
  public void score(double[] features, double[] target) {
    scorer(1).score(features, target);
  }

  @Override
  public void scores(double[] features, int rows, double[] target) {
    scorer(rows).scores(features, rows, target);
  }

  @Override
  public double[] scores(Rows rows) {
    return scorer(rows.size()).scores(rows);
  }

  @Override
  public long bytes() {
    Scorer ready = compiled == null ? flat : compiled;
    return ready == null ? 0 : ready.bytes();
  }

  @Override
  public Scorer settled() {
    return scorer(ENOUGH_ROWS);
  }
}
