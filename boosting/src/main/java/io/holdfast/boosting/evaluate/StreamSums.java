package io.holdfast.boosting.evaluate;

import java.util.SortedMap;
import java.util.TreeMap;

/** Sums of a stretch of a stream, from which its figures follow. Owned by one thread. */
sealed interface StreamSums {
  /** One row more. */
  void add(Tested row);

  /** Makes all rows so far weigh less. */
  void fade(double factor);

  StreamFigures figures();

  /** For labels of {@code classes} classes; for real ones if that is 0. */
  static StreamSums of(int classes) {
    return classes == 0 ? new OfValues() : new OfClasses(classes);
  }

  /** Counts of labels and predictions. */
  final class OfClasses implements StreamSums {
    private final double[] labels;
    private final double[] predictions;
    private double rows;
    private double right;
    private double rightWithoutChange;
    private double rightByMajority;
    private double loss;

    OfClasses(int classes) {
      labels = new double[classes];
      predictions = new double[classes];
    }

    @Override
    public void add(Tested row) {
      rows++;
      labels[(int) row.label()]++;
      predictions[(int) row.predicted()]++;
      right += row.predicted() == row.label() ? 1 : 0;
      rightWithoutChange += row.noChange() == row.label() ? 1 : 0;
      rightByMajority += row.constant() == row.label() ? 1 : 0;
      loss += row.loss();
    }

    @Override
    public void fade(double factor) {
      rows *= factor;
      right *= factor;
      rightWithoutChange *= factor;
      rightByMajority *= factor;
      loss *= factor;
      for (int k = 0; k < labels.length; k++) {
        labels[k] *= factor;
        predictions[k] *= factor;
      }
    }

    @Override
    public StreamFigures figures() {
      double chance = 0;
      double commonest = 0;
      for (int k = 0; k < labels.length; k++) {
        chance += labels[k] / rows * (predictions[k] / rows);
        commonest = Math.max(commonest, labels[k] / rows);
      }
      double accuracy = right / rows;
      SortedMap<String, Double> figures = new TreeMap<>();
      figures.put("accuracy", accuracy);
      figures.put("kappa", beyond(accuracy, chance));
      figures.put("kappaM", beyond(accuracy, commonest));
      figures.put("kappaTemporal", beyond(accuracy, rightWithoutChange / rows));
      figures.put("noChangeAccuracy", rightWithoutChange / rows);
      figures.put("majorityAccuracy", rightByMajority / rows);
      figures.put("loss", loss / rows);
      return new StreamFigures(rows, figures);
    }

    /** How much of what the baseline gets wrong is right; NaN where it gets all right. */
    private static double beyond(double accuracy, double baseline) {
      return baseline < 1 ? (accuracy - baseline) / (1 - baseline) : Double.NaN;
    }
  }

  /** Moments of labels and errors. */
  final class OfValues implements StreamSums {
    private double rows;
    private double mean;
    private double squaresAroundMean;
    private final Errors predicted = new Errors();
    private final Errors unchanged = new Errors();
    private final Errors constant = new Errors();
    private double loss;

    @Override
    public void add(Tested row) {
      rows++;
      double distance = row.label() - mean;
      mean += distance / rows; // West's update, which holds for faded weights too
      squaresAroundMean += distance * (row.label() - mean);
      predicted.add(row.predicted() - row.label());
      unchanged.add(row.noChange() - row.label());
      constant.add(row.constant() - row.label());
      loss += row.loss();
    }

    @Override
    public void fade(double factor) {
      rows *= factor;
      squaresAroundMean *= factor;
      predicted.fade(factor);
      unchanged.fade(factor);
      constant.fade(factor);
      loss *= factor;
    }

    @Override
    public StreamFigures figures() {
      SortedMap<String, Double> figures = new TreeMap<>();
      figures.put("rmse", predicted.root(rows));
      figures.put("mae", predicted.absolute / rows);
      figures.put(
          "r2", squaresAroundMean > 0 ? 1 - predicted.squares / squaresAroundMean : Double.NaN);
      figures.put("noChangeRmse", unchanged.root(rows));
      figures.put("noChangeMae", unchanged.absolute / rows);
      figures.put("meanRmse", constant.root(rows));
      figures.put("meanMae", constant.absolute / rows);
      figures.put("loss", loss / rows);
      return new StreamFigures(rows, figures);
    }

    private static final class Errors {
      private double squares;
      private double absolute;

      void add(double error) {
        squares += error * error;
        absolute += Math.abs(error);
      }

      void fade(double factor) {
        squares *= factor;
        absolute *= factor;
      }

      double root(double rows) {
        return Math.sqrt(squares / rows);
      }
    }
  }
}
