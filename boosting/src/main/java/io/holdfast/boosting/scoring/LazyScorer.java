package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.FlatTrees;
import io.holdfast.boosting.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * Walks trees as they are for the first rows, side by side from then on, and compiled once as many
 * rows were scored as make that worth it. Safe to share; which of these scores changes no bit.
 */
final class LazyScorer implements Scorer {
  /*
   * A tree is laid out to be walked side by side in the time that this saves in some 50 rows, and most
   * trees have been so for the version before; it is compiled in the time that this saves in a
   * thousand, or in some 200 if trees cannot be laid out so. Where versions follow each other by fewer rows, none is ever compiled. Rows that several
   * threads score at once may be counted as one: then it takes a few more.
   */
  private static final int WORTH_LAYING_OUT = 8;
  private static final int ENOUGH_ROWS = 1000;
  private static final int ENOUGH_WALKED = 200;

  /*
   * What compiling vector loops takes is what they save in some ten million rows, and at a start the
   * trainer's own code waits for the compiler meanwhile.
   */
  private static final int WORTH_VECTORS = 1_000_000;
  private static int scored; // threads may count over each other: then it takes a few more

  private final Model model;
  private final TreeWalkScorer walked;
  private final Layout layout;
  private volatile @Nullable Scorer flat;
  private volatile @Nullable Scorer compiled;

  /** That of all models with the same trees, whatever their base. */
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

    private FlatTrees known() {
      FlatTrees known = flat;
      return known == null ? before : known;
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
        known = CompiledScorer.withoutWarmUp(model);
        compiled = known;
      }
      return CompiledScorer.of(other, known);
    }
  }

  /** Walks a model's trees side by side. */
  private static final class FlatScorer extends TreeWalkScorer {
    private final FlatTrees trees;

    private FlatScorer(Model model, FlatTrees trees) {
      super(model);
      this.trees = trees;
    }

    @Override
    void add(double[] features, double[] target) {
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

  /** A scorer of a model that follows that of {@code earlier}. */
  static Scorer of(Model model, Scorer earlier) {
    return switch (earlier) {
      case CompiledScorer compiled when compiled.hasTreesOf(model) ->
          CompiledScorer.of(model, compiled);
      case LazyScorer deferred when CompiledScorer.haveSameTrees(deferred.layout.model, model) ->
          new LazyScorer(model, deferred.layout);
      case LazyScorer deferred -> new LazyScorer(model, new Layout(model, deferred.layout.known()));
      default -> new LazyScorer(model, new Layout(model, FlatTrees.NONE));
    };
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
  public void scores(float[] features, int rows, double[] target) {
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
