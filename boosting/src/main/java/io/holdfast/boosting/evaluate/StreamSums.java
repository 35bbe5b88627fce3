package io.holdfast.boosting.evaluate;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sums of a stretch of a stream, from which its figures follow. Owned by one thread. */
final class StreamSums {
  private final LabelSums labels;
  private final AreaSums[] areas;
  private long rows;
  private double weight;
  private double loss;
  private double logLoss;
  private double deviance;

  /** For labels of {@code classes} classes; for real ones if that is 0. */
  StreamSums(int classes) {
    labels = classes == 0 ? new ValueSums() : new ClassSums(classes);
    areas = new AreaSums[classes == 2 ? 1 : classes];
    Arrays.setAll(areas, k -> new AreaSums());
  }

  /** What depends on the kind of label. */
  private sealed interface LabelSums {
    void add(Tested row);

    void fade(double factor);

    void figures(double weight, SortedMap<String, Double> target);
  }

  void add(Tested row) {
    rows++;
    weight += row.weight();
    loss += row.weight() * row.loss();
    logLoss += row.weight() * row.logLoss();
    deviance += row.weight() * row.deviance();
    labels.add(row);
    double[] ranking = row.ranking();
    for (int k = 0; k < ranking.length; k++) {
      boolean one = row.label() == (ranking.length == 1 ? 1 : k);
      areas[k].add(ranking[k], one, row.weight());
    }
  }

  /** Makes all rows so far weigh less. */
  void fade(double factor) {
    weight *= factor;
    loss *= factor;
    logLoss *= factor;
    deviance *= factor;
    labels.fade(factor);
    for (AreaSums area : areas) {
      area.fade(factor);
    }
  }

  StreamFigures figures() {
    SortedMap<String, Double> figures = new TreeMap<>();
    figures.put("loss", loss / weight);
    figures.put("logLoss", logLoss / weight);
    figures.put("deviance", deviance / weight);
    figures.put(
        "auc", Metrics.meanOfNumbers(Arrays.stream(areas).mapToDouble(AreaSums::area).toArray()));
    labels.figures(weight, figures);
    return new StreamFigures(rows, weight, figures);
  }

  private static final class ValueSums implements LabelSums {
    private double rows;
    private double mean;
    private double squaresAroundMean;
    private final Errors predicted = new Errors();
    private final Errors unchanged = new Errors();
    private final Errors constant = new Errors();

    @Override
    public void add(Tested row) {
      double weight = row.weight();
      rows += weight;
      double distance = row.label() - mean;
      mean += weight * distance / rows; // West's update, which holds for faded weights too
      squaresAroundMean += weight * distance * (row.label() - mean);
      predicted.add(row.predicted() - row.label(), weight);
      unchanged.add(row.noChange() - row.label(), weight);
      constant.add(row.constant() - row.label(), weight);
    }

    @Override
    public void fade(double factor) {
      rows *= factor;
      squaresAroundMean *= factor;
      predicted.fade(factor);
      unchanged.fade(factor);
      constant.fade(factor);
    }

    @Override
    public void figures(double weight, SortedMap<String, Double> target) {
      target.put("rmse", predicted.root(weight));
      target.put("mae", predicted.absolute / weight);
      target.put(
          "r2", squaresAroundMean > 0 ? 1 - predicted.squares / squaresAroundMean : Double.NaN);
      target.put("noChangeRmse", unchanged.root(weight));
      target.put("noChangeMae", unchanged.absolute / weight);
      target.put("meanRmse", constant.root(weight));
      target.put("meanMae", constant.absolute / weight);
    }

    private static final class Errors {
      private double squares;
      private double absolute;

      void add(double error, double weight) {
        squares += weight * error * error;
        absolute += weight * Math.abs(error);
      }

      void fade(double factor) {
        squares *= factor;
        absolute *= factor;
      }

      double root(double weight) {
        return StrictMath.sqrt(squares / weight);
      }
    }
  }

  private static final class ClassSums implements LabelSums {
    private final double[] labels;
    private final double[] predictions;
    private double right;
    private double rightWithoutChange;
    private double rightByMajority;
    private double distance;

    ClassSums(int classes) {
      labels = new double[classes];
      predictions = new double[classes];
    }

    @Override
    public void add(Tested row) {
      double weight = row.weight();
      labels[(int) row.label()] += weight;
      predictions[(int) row.predicted()] += weight;
      right += row.predicted() == row.label() ? weight : 0;
      rightWithoutChange += row.noChange() == row.label() ? weight : 0;
      rightByMajority += row.constant() == row.label() ? weight : 0;
      // Only classes with an order have a deviance, and only of them does a distance mean anything.
      boolean ordered = !Double.isNaN(row.deviance());
      distance += ordered ? weight * Math.abs(row.predicted() - row.label()) : Double.NaN;
    }

    @Override
    public void fade(double factor) {
      right *= factor;
      rightWithoutChange *= factor;
      rightByMajority *= factor;
      distance *= factor;
      for (int k = 0; k < labels.length; k++) {
        labels[k] *= factor;
        predictions[k] *= factor;
      }
    }

    @Override
    public void figures(double weight, SortedMap<String, Double> target) {
      double chance = 0;
      double commonest = 0;
      for (int k = 0; k < labels.length; k++) {
        chance += labels[k] / weight * (predictions[k] / weight);
        commonest = Math.max(commonest, labels[k] / weight);
      }
      double accuracy = right / weight;
      target.put("accuracy", accuracy);
      target.put("kappa", beyond(accuracy, chance));
      target.put("kappaM", beyond(accuracy, commonest));
      target.put("kappaTemporal", beyond(accuracy, rightWithoutChange / weight));
      target.put("noChangeAccuracy", rightWithoutChange / weight);
      target.put("majorityAccuracy", rightByMajority / weight);
      target.put("mae", distance / weight);
    }

    /** How much of what the baseline gets wrong is right; NaN where it gets all right. */
    private static double beyond(double accuracy, double baseline) {
      return baseline < 1 ? (accuracy - baseline) / (1 - baseline) : Double.NaN;
    }
  }
}
