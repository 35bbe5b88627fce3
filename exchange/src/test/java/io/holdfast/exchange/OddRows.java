package io.holdfast.exchange;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Rows that hit what is hard about a model: its thresholds, the values beside them, and no values.
 */
public final class OddRows {
  private static final double[] VALUES = {
    0.0, -0.0, 1e-36, -1e-36, 1e-35, 1e-30, -1e-30, 1, -1, 0.5, 1e30, -1e30,
  };
  private static final double[] ENDS = {
    Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300,
  };

  private OddRows() {}

  /**
   * Rows of numbers for a model's features.
   *
   * @param categorical which features have whole numbers
   * @param ends whether there are infinite values
   */
  public static double[][] of(
      Model model, boolean[] categorical, int rows, boolean ends, SplittableRandom random) {
    List<List<Double>> thresholds = new ArrayList<>();
    for (int column = 0; column < categorical.length; column++) {
      thresholds.add(new ArrayList<>());
    }
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        for (int node = 0; node < tree.innerNodes(); node++) {
          if (!tree.categorical(node)) {
            thresholds.get(tree.feature(node)).add(tree.threshold(node));
          }
        }
      }
    }
    double[][] made = new double[rows][categorical.length];
    for (double[] row : made) {
      for (int column = 0; column < row.length; column++) {
        row[column] =
            categorical[column] ? category(random) : number(thresholds.get(column), ends, random);
      }
    }
    return made;
  }

  private static double category(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> Double.NaN;
      case 1 -> 1_000 + random.nextInt(1_000); // never seen
      default -> random.nextInt(70);
    };
  }

  private static double number(List<Double> thresholds, boolean ends, SplittableRandom random) {
    int kind = random.nextInt(10);
    if (kind == 0) {
      return Double.NaN;
    }
    if (kind == 1) {
      return VALUES[random.nextInt(VALUES.length)];
    }
    if (kind == 2 && ends) {
      return ENDS[random.nextInt(ENDS.length)];
    }
    if (kind <= 6 && !thresholds.isEmpty()) {
      double threshold = thresholds.get(random.nextInt(thresholds.size()));
      return switch (random.nextInt(5)) {
        case 0 -> Math.nextUp(threshold);
        case 1 -> Math.nextDown(threshold);
        case 2 -> (float) threshold;
        case 3 -> Math.nextUp((float) threshold);
        default -> threshold;
      };
    }
    return random.nextDouble(-3, 3);
  }

  /** A row as our decoder gives it to the model: the codes of the categories of those numbers. */
  public static double[] decoded(Model model, double[] row) {
    double[] features = row.clone();
    for (int column = 0; column < features.length; column++) {
      switch (model.features().get(column)) {
        case Feature.Numeric numeric -> {
          if (numeric.zeroMissing() && Math.abs(row[column]) <= Feature.Numeric.LARGEST_ZERO) {
            features[column] = Double.NaN;
          }
        }
        case Feature.Categorical categorical -> {
          int code = categorical.categories().indexOf(Long.toString((long) row[column]));
          double other = categorical.otherCategory() ? categorical.categories().size() : Double.NaN;
          features[column] = Double.isNaN(row[column]) ? Double.NaN : code < 0 ? other : code;
        }
      }
    }
    return features;
  }
}
