package io.holdfast.boosting;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.RealObjective;
import io.holdfast.boosting.objective.Softmax;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Rows to learn from, made from a seed: numbers with missing and infinite values, a category, and
 * environments that shift the label. Stateless.
 */
public final class SampleRows {
  /**
   * Numeric {@code size}, {@code level} (ten values) and {@code noise}; categorical {@code kind}.
   */
  public static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("size"),
          new Feature.Numeric("level"),
          new Feature.Numeric("noise"),
          new Feature.Categorical("kind", List.of("red", "green", "blue", "grey", "black")));

  private SampleRows() {}

  /** Rows of weight 1 with labels that {@code objective} accepts. */
  public static Rows of(Objective objective, long seed, int size, int environments) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(FEATURES.size());
    for (int row = 0; row < size; row++) {
      int environment = random.nextInt(environments);
      double[] values = values(random);
      double shift = environment - 0.5 * (environments - 1);
      double label = signal(values) + 0.5 * shift + 2 * random.nextDouble() - 1;
      rows.add(values, labelFor(objective, label), "environment " + environment);
    }
    return rows.build();
  }

  /** A label that {@code objective} accepts and that grows with {@code value}, about 0. */
  public static double labelFor(Objective objective, double value) {
    return switch (objective) {
      case RealObjective _ -> value;
      case BinaryObjective _ -> value > 0 ? 1 : 0;
      case LogLinkObjective positive -> positive.accepts(0) && value < -1 ? 0 : Math.exp(value);
      case Beta _ -> 1 / (1 + Math.exp(-value));
      case Calibrated corrected -> labelFor(corrected.of(), value);
      case Ordinal _, Softmax _ ->
          Math.clamp(
              (long) Math.floor(value + 0.5 * objective.classes()), 0, objective.classes() - 1);
    };
  }

  /** One row's features: now and then missing, rarely infinite. */
  public static double[] values(SplittableRandom random) {
    double[] values = {
      4 * random.nextDouble() - 2, random.nextInt(10), random.nextDouble(), random.nextInt(5)
    };
    for (int column = 0; column < values.length; column++) {
      if (random.nextInt(12) == 0) {
        values[column] = Double.NaN;
      }
    }
    if (random.nextInt(50) == 0) {
      values[0] = random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    return values;
  }

  private static double signal(double[] values) {
    double signal = Double.isNaN(values[0]) ? 0.7 : Math.clamp(values[0], -2, 2);
    signal += values[1] > 6 ? 1 : -0.5;
    return signal + (values[3] == 1 || values[3] == 4 ? 1.2 : -0.4);
  }
}
