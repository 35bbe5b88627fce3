package io.holdfast.boosting.evaluate;

import java.util.SortedMap;

/** Moments of labels and errors. Owned by one thread. */
final class ValueSums implements StreamSums.LabelSums {
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
