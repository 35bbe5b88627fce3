package io.holdfast.cli.show;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.explain.Explainer;
import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.explain.MeanContributions;
import io.holdfast.boosting.explain.PartialDependence;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.measure.CalibrationGroups;
import io.holdfast.cli.measure.CalibrationGroups.Mean;
import io.holdfast.cli.show.Shown.Dependence;
import io.holdfast.cli.show.Shown.InEnvironment;
import io.holdfast.cli.show.Shown.Point;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What labelled rows tell of a model. Owned by one thread. */
final class Insights {
  private static final int SAMPLE = 2_000;
  private static final int SHUFFLES = 3;
  private static final int GRID = 16;

  private final Model model;
  private final Objective objective;
  private final Rows rows;
  private final double[] scores; // output by output
  private final Scorer scorer;
  private final Rows sample;
  private final double[] weights; // of the sample

  Insights(LedgerVersion version, Rows rows) {
    this.model = version.model();
    this.objective = version.objective();
    this.rows = rows;
    scorer = Scorer.of(model);
    scores = scorer.scores(rows);
    int step = (rows.size() + SAMPLE - 1) / SAMPLE;
    sample = rows.subset(IntStream.range(0, rows.size()).filter(row -> row % step == 0).toArray());
    weights = IntStream.range(0, sample.size()).mapToDouble(sample::weight).toArray();
  }

  /** How many rows permutation, Shapley values and dependence are of. */
  int sampled() {
    return sample.size();
  }

  Evaluation all(List<String> classes) {
    return Evaluation.of(Collections.nCopies(rows.size(), objective), rows, scores, classes);
  }

  /** Environments, that of most loss first. */
  List<InEnvironment> environments(List<String> classes) {
    double[] losses = losses(rows, scores);
    List<InEnvironment> all = new ArrayList<>();
    var evaluations =
        Evaluation.byEnvironment(
            Collections.nCopies(rows.size(), objective), rows, scores, classes);
    for (int k = 0; k < evaluations.size(); k++) {
      int number = k;
      int[] own =
          IntStream.range(0, rows.size()).filter(row -> rows.environment(row) == number).toArray();
      Mean mean =
          Mean.of(
              IntStream.of(own).mapToDouble(row -> losses[row]).toArray(),
              IntStream.of(own).mapToDouble(rows::weight).toArray());
      Evaluation one = evaluations.get(k);
      all.add(
          new InEnvironment(
              one.environment(),
              one.rows(),
              mean.value(),
              mean.lower(),
              mean.upper(),
              one.metrics()));
    }
    all.sort(Comparator.comparingDouble(InEnvironment::loss).reversed());
    return all;
  }

  List<CalibrationGroups.Group> calibration() {
    CalibrationGroups reliability = new CalibrationGroups();
    double[] raw = new double[objective.outputs()];
    for (int row = 0; row < rows.size(); row++) {
      raw(scores, rows.size(), row, raw);
      reliability.add(objective, rows.label(row), raw, rows.weight(row));
    }
    return reliability.groups();
  }

  /** How much the loss rises where a feature's values are those of other rows (Breiman 2001). */
  Mean permutation(int column) {
    int count = sample.size();
    double[] before = losses(sample, scorer.scores(sample));
    double[] values = new double[count];
    sample.copyColumn(column, values);
    double[] rises = new double[count];
    var random = new SplittableRandom(31L * column + 7);
    for (int shuffle = 0; shuffle < SHUFFLES; shuffle++) {
      for (int k = count - 1; k > 0; k--) {
        int other = random.nextInt(k + 1);
        double held = values[k];
        values[k] = values[other];
        values[other] = held;
      }
      double[] after = losses(sample, scored(column, values));
      for (int row = 0; row < count; row++) {
        rises[row] += (after[row] - before[row]) / SHUFFLES;
      }
    }
    return Mean.of(rises, weights);
  }

  /** The mean size of each feature's Shapley values. */
  Importance shapley() {
    Explainer explainer;
    try {
      explainer = Explainer.of(model);
    } catch (IllegalArgumentException e) { // no covers: it averages over the rows
      explainer = Explainer.of(model, sample);
    }
    var means = new MeanContributions(model.features());
    double[] features = new double[rows.width()];
    for (int row = 0; row < sample.size(); row++) {
      sample.copyFeatures(row, features);
      means.add(explainer.explain(features), sample.weight(row));
    }
    return means.importance();
  }

  /**
   * How predictions go with a feature. Each row's own level is taken out before the interval is
   * made, so that it tells how much rows differ in what the feature does to them.
   */
  Dependence dependence(int column) {
    var means =
        PartialDependence.of(
            model, sample, List.of(column), GRID, PartialDependence.Scale.PREDICTION);
    int outputs = means.points().getFirst().means().size();
    int points = means.points().size();
    double[][][] read = new double[outputs][points][];
    for (int point = 0; point < points; point++) {
      double[] at = new double[sample.size()];
      Arrays.fill(at, means.points().get(point).at().getFirst());
      double[][] here = read(scored(column, at), outputs);
      for (int k = 0; k < outputs; k++) {
        read[k][point] = here[k];
      }
    }
    List<Point> all = new ArrayList<>();
    Feature feature = model.features().get(column);
    for (int point = 0; point < points; point++) {
      List<Double> lower = new ArrayList<>();
      List<Double> upper = new ArrayList<>();
      List<Double> middle = means.points().get(point).means();
      for (int k = 0; k < outputs; k++) {
        Mean effect = Mean.of(centred(read[k], point), weights);
        double half = (effect.upper() - effect.lower()) / 2;
        lower.add(middle.get(k) - half);
        upper.add(middle.get(k) + half);
      }
      all.add(
          new Point(
              value(feature, means.points().get(point).at().getFirst()), middle, lower, upper));
    }
    return new Dependence(
        ColumnName.of(feature.name()), feature instanceof Feature.Categorical, all);
  }

  private static double[] centred(double[][] curves, int point) {
    double[] centred = new double[curves[point].length];
    for (int row = 0; row < centred.length; row++) {
      double sum = 0;
      for (double[] curve : curves) {
        sum += curve[row];
      }
      centred[row] = curves[point][row] - sum / curves.length;
    }
    return centred;
  }

  private static @Nullable Object value(Feature feature, double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    return switch (feature) {
      case Feature.Numeric _ -> value;
      case Feature.Categorical categorical -> categorical.categories().get((int) value);
    };
  }

  /** Raw scores of the sample with other values of one feature. */
  private double[] scored(int column, double[] values) {
    int width = sample.width();
    double[] block = new double[sample.size() * width];
    double[] features = new double[width];
    for (int row = 0; row < sample.size(); row++) {
      sample.copyFeatures(row, features);
      features[column] = values[row];
      System.arraycopy(features, 0, block, row * width, width);
    }
    double[] target = new double[sample.size() * scorer.outputs()];
    scorer.scores(block, sample.size(), target);
    return target;
  }

  private double[][] read(double[] scored, int outputs) {
    double[][] read = new double[outputs][sample.size()];
    double[] raw = new double[objective.outputs()];
    double[] probabilities = new double[objective.classes()];
    for (int row = 0; row < sample.size(); row++) {
      raw(scored, sample.size(), row, raw);
      if (outputs > 1) {
        objective.probabilities(raw, probabilities);
      }
      for (int k = 0; k < outputs; k++) {
        read[k][row] = outputs > 1 ? probabilities[k] : objective.prediction(raw);
      }
    }
    return read;
  }

  private double[] losses(Rows of, double[] scored) {
    double[] losses = new double[of.size()];
    double[] raw = new double[objective.outputs()];
    for (int row = 0; row < losses.length; row++) {
      raw(scored, losses.length, row, raw);
      losses[row] = objective.loss(of.label(row), raw);
    }
    return losses;
  }

  private static void raw(double[] scores, int rows, int row, double[] target) {
    for (int k = 0; k < target.length; k++) {
      target[k] = scores[k * rows + row];
    }
  }
}
