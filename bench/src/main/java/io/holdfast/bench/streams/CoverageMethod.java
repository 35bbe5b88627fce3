package io.holdfast.bench.streams;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import io.holdfast.boosting.uncertainty.UncertaintyLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A way to promise how far labels are from served scores. It sees rows and labels as the stream has
 * them, and may learn from what has come. Owned by one thread.
 */
abstract class CoverageMethod {
  static final int EVERY = 100; // labels, from one set of thresholds to the next
  static final int REFIT = 1_000; // labels, from one model of errors to the next
  static final int MOST = 4_000; // rows that such a model learns from
  static final int FIRST = 500; // labels before the first

  final ServedScores scores;
  final List<Double> levels;
  int labels;

  CoverageMethod(ServedScores scores, List<Double> levels) {
    this.scores = scores;
    this.levels = levels;
  }

  /** A range of errors a level, as {@link ServedScores#error} has them. */
  abstract Range[] promise(int row);

  /** Takes a row's label. */
  final void learn(int row) {
    labels++;
    add(row);
    if (labels % REFIT == 0 || labels == FIRST) {
      refit(row);
    }
    if (labels % EVERY == 0) {
      refresh();
    }
  }

  abstract void add(int row);

  void refit(int newest) {}

  abstract void refresh();

  /** The newest rows up to one, whose predictions are written to {@code predictions}. */
  Rows recent(int newest, double[] predictions) {
    int first = Math.max(0, newest + 1 - MOST);
    int[] chosen = new int[newest + 1 - first];
    for (int k = 0; k < chosen.length; k++) {
      chosen[k] = first + k;
      predictions[k] = scores.prediction(first + k);
    }
    return scores.stream().rows().subset(chosen);
  }

  double[] features(int row) {
    Rows rows = scores.stream().rows();
    double[] values = new double[rows.width() + 1];
    rows.copyFeatures(row, values);
    values[rows.width()] = scores.prediction(row);
    return values;
  }

  /** Holdfast's own. */
  static final class Holdfast extends CoverageMethod {
    private final UncertaintyLearner learner;
    private final UncertaintyLearner.Served[] served;

    Holdfast(ServedScores scores, List<Double> levels) {
      super(scores, levels);
      learner = new UncertaintyLearner(levels, scores.stream().classifies());
      served = new UncertaintyLearner.Served[scores.raw().length];
    }

    @Override
    Range[] promise(int row) {
      served[row] = learner.serve(bare(row), scores.prediction(row));
      Range[] promises = new Range[levels.size()];
      for (int k = 0; k < promises.length; k++) {
        promises[k] =
            served[row].thresholds().bounds(scores.environment(row), k, 0, served[row].spread());
      }
      return promises;
    }

    private double[] bare(int row) {
      double[] values = new double[scores.stream().rows().width()];
      scores.stream().rows().copyFeatures(row, values);
      return values;
    }

    @Override
    void add(int row) {
      learner.learn(
          new UncertaintyLearner.Labelled(
              scores.environment(row),
              bare(row),
              scores.prediction(row),
              scores.error(row),
              served[row]),
          scores.stream().features());
    }

    @Override
    void refresh() {
      // it knows itself when
    }
  }

  /** Errors sorted, as split conformal prediction needs them: of all labels or the newest. */
  static final class Quantiles {
    private final List<Double> errors = new ArrayList<>();
    private final int most;
    private double[] sorted = {};

    Quantiles(int most) {
      this.most = most;
    }

    void add(double error) {
      errors.add(error);
    }

    void sort() {
      int first = Math.max(0, errors.size() - most);
      sorted = errors.subList(first, errors.size()).stream().mapToDouble(one -> one).toArray();
      Arrays.sort(sorted);
    }

    /** The threshold that misses this share; all errors, or none, beyond 0 and 1. */
    double of(double missed) {
      if (sorted.length == 0) {
        return Double.POSITIVE_INFINITY;
      }
      int rank = (int) Math.ceil((sorted.length + 1) * (1 - missed));
      return rank < 1 ? 0 : sorted[Math.min(rank, sorted.length) - 1];
    }
  }

  /** Split conformal prediction on all labels so far. */
  static final class Split extends CoverageMethod {
    private final Quantiles quantiles = new Quantiles(Integer.MAX_VALUE);

    Split(ServedScores scores, List<Double> levels) {
      super(scores, levels);
    }

    @Override
    Range[] promise(int row) {
      return levels.stream()
          .map(level -> quantiles.of(1 - level))
          .map(most -> new Range(-most, most))
          .toArray(Range[]::new);
    }

    @Override
    void add(int row) {
      quantiles.add(Math.abs(scores.error(row)));
    }

    @Override
    void refresh() {
      if (labels < 2_000 || labels % 1_000 == 0) {
        quantiles.sort();
      }
    }
  }

  /** Adaptive conformal inference (Gibbs and Candès 2021) on the newest 1,000 labels. */
  static final class Adaptive extends CoverageMethod {
    private static final double RATE = 0.005;
    private final Quantiles quantiles = new Quantiles(1_000);
    private final double[] missed;
    private final Range[][] promised;

    Adaptive(ServedScores scores, List<Double> levels) {
      super(scores, levels);
      missed = levels.stream().mapToDouble(level -> 1 - level).toArray();
      promised = new Range[scores.raw().length][];
    }

    @Override
    Range[] promise(int row) {
      Range[] promises = new Range[missed.length];
      for (int k = 0; k < missed.length; k++) {
        double most = quantiles.of(missed[k]);
        promises[k] = new Range(-most, most);
      }
      promised[row] = promises;
      return promises;
    }

    @Override
    void add(int row) {
      double error = scores.error(row);
      quantiles.add(Math.abs(error));
      for (int k = 0; k < missed.length; k++) {
        double target = 1 - levels.get(k);
        missed[k] += RATE * (target - (promised[row][k].holds(error) ? 0 : 1));
      }
    }

    @Override
    void refresh() {
      quantiles.sort();
    }
  }

  /** Conformalised quantile regression (Romano et al. 2019): two ensembles a level. */
  static final class QuantileRegression extends CoverageMethod {
    private final Scorer[][] scorers;
    private final Range[][] promised;
    private final Quantiles[] quantiles;

    QuantileRegression(ServedScores scores, List<Double> levels) {
      super(scores, levels);
      scorers = new Scorer[levels.size()][];
      quantiles = new Quantiles[levels.size()];
      Arrays.setAll(quantiles, k -> new Quantiles(Integer.MAX_VALUE));
      promised = new Range[scores.raw().length][];
    }

    @Override
    Range[] promise(int row) {
      double[] features = features(row);
      Range[] bare = new Range[scorers.length];
      Range[] promises = new Range[scorers.length];
      for (int k = 0; k < scorers.length; k++) {
        bare[k] =
            scorers[k] == null
                ? new Range(0, 0)
                : new Range(of(k, 0, features), of(k, 1, features));
        double wider = quantiles[k].of(1 - levels.get(k));
        promises[k] = new Range(bare[k].low() - wider, bare[k].high() + wider);
      }
      promised[row] = bare;
      return promises;
    }

    private double of(int level, int side, double[] features) {
      double[] raw = new double[1];
      scorers[level][side].score(features, raw);
      return raw[0];
    }

    @Override
    void add(int row) {
      double error = scores.error(row);
      for (int k = 0; k < quantiles.length; k++) {
        Range bare = promised[row][k];
        quantiles[k].add(Math.max(bare.low() - error, error - bare.high()));
      }
    }

    @Override
    void refit(int newest) {
      double[] predictions = new double[MOST];
      Rows rows = recent(newest, predictions);
      List<Feature> features = SpreadModel.features(scores.stream().features());
      Rows.Builder builder = Rows.builder(features.size());
      double[] values = new double[features.size()];
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, values);
        values[values.length - 1] = predictions[row];
        builder.add(values, rows.label(row) - predictions[row], 1, "all");
      }
      Rows errors = builder.build();
      for (int k = 0; k < scorers.length; k++) {
        double missed = (1 - levels.get(k)) / 2;
        scorers[k] =
            new Scorer[] {fit(features, errors, missed), fit(features, errors, 1 - missed)};
      }
    }

    private static Scorer fit(List<Feature> features, Rows rows, double alpha) {
      var settings =
          BoosterSettings.builder(Objective.of("quantile", Map.of("alpha", alpha)))
              .rounds(40)
              .trees(TreeLimits.DEFAULT.withMaxLeaves(8).withMinRows(40))
              .build();
      return Scorer.of(new Booster(settings).fit(features, rows).model());
    }

    @Override
    void refresh() {
      if (labels < 2_000 || labels % 1_000 == 0) {
        Arrays.stream(quantiles).forEach(Quantiles::sort);
      }
    }
  }
}
