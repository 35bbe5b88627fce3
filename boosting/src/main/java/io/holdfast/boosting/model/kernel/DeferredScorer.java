package io.holdfast.boosting.model.kernel;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.TreeWalkScorer;
import org.jspecify.annotations.Nullable;

/**
 * Walks trees as they are, until as many rows were scored as make laying them out worth it. Safe to
 * share; which of the two scores changes no bit.
 */
final class DeferredScorer implements Scorer {
  /*
   * A tree is laid out in the time in which some 200 rows are walked down it. Where versions follow
   * each other by fewer rows than that, none is ever laid out. Rows that several threads score at
   * once may be counted as one: then it takes a few more.
   */
  private static final int ENOUGH_ROWS = 200;

  /*
   * What compiling vector loops takes is what they save in some ten million rows, and at a start the
   * trainer's own code waits for the compiler meanwhile.
   */
  private static final int WORTH_VECTORS = 1_000_000;
  private static int scored; // threads may count over each other: then it takes a few more

  private final Model model;
  private final TreeWalkScorer walked;
  private final Layout layout;
  private volatile @Nullable Scorer compiled;

  /** That of all models with the same trees, whatever their base. */
  private static final class Layout {
    private final Model model;
    private int rows;
    private volatile @Nullable Scorer compiled;

    private Layout(Model model) {
      this.model = model;
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

  private DeferredScorer(Model model, Layout layout) {
    this.model = model;
    this.layout = layout;
    walked = new TreeWalkScorer(model);
  }

  /** A scorer of a model that follows that of {@code earlier}. */
  static Scorer of(Model model, Scorer earlier) {
    return switch (earlier) {
      case CompiledScorer compiled when compiled.hasTreesOf(model) ->
          CompiledScorer.of(model, compiled);
      case DeferredScorer deferred
          when CompiledScorer.haveSameTrees(deferred.layout.model, model) ->
          new DeferredScorer(model, deferred.layout);
      default -> new DeferredScorer(model, new Layout(model));
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
    if (ready == null) {
      layout.rows += rows;
      if (layout.rows < ENOUGH_ROWS) {
        return walked;
      }
      ready = layout.of(model);
      compiled = ready;
    }
    return ready;
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
    Scorer ready = compiled;
    return ready == null ? 0 : ready.bytes();
  }

  @Override
  public Scorer settled() {
    return scorer(ENOUGH_ROWS);
  }
}
