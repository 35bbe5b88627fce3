package io.holdfast.boosting;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.Arrays;

/**
 * When to stop appending trees: once {@code patience} rounds have not lowered the loss on rows held
 * out. The model is then cut back to its best round.
 *
 * @param validation the rows held out; never trained on
 * @param criterion what is made of the losses of their environments
 * @param patience rounds without improvement that end training, 1 or more
 */
public record EarlyStopping(Rows validation, Criterion criterion, int patience) {
  public EarlyStopping {
    Check.that(
        validation.size() >= 1,
        "there must be at least 1 row to validate on: %s",
        validation.size());
    Check.that(patience >= 1, "patience must be at least 1: %s", patience);
  }

  /** One figure from the mean excess losses of several environments. */
  public sealed interface Criterion {
    /** Their mean: every environment counts the same, however many rows it has. */
    record Mean() implements Criterion {}

    /** The highest. */
    record Worst() implements Criterion {}

    /**
     * A quantile, by linear interpolation between the two nearest.
     *
     * @param level 0 for the lowest, 1 for the highest
     */
    record Quantile(double level) implements Criterion {
      public Quantile {
        Check.that(level >= 0 && level <= 1, "the level of a quantile must be 0 to 1: %s", level);
      }
    }

    /** The figure, of at least one loss. */
    default double of(double... losses) {
      double[] sorted = losses.clone();
      Arrays.sort(sorted); // NaN last: an environment whose loss is none is the worst
      return switch (this) {
        case Mean _ -> Arrays.stream(sorted).sum() / sorted.length;
        case Worst _ -> sorted[sorted.length - 1];
        case Quantile(double level) -> {
          double place = level * (sorted.length - 1);
          int low = (int) place;
          double part = place - low;
          yield part == 0 ? sorted[low] : (1 - part) * sorted[low] + part * sorted[low + 1];
        }
      };
    }
  }

  /**
   * The mean excess loss of each environment of the validation rows, by raw scores output by
   * output. (By plain loss the worst environment would be that of the unluckiest labels.)
   */
  double[] losses(Objective objective, double[] scores) {
    int rows = validation.size();
    double[] losses = new double[validation.environments().size()];
    double[] weights = new double[losses.length];
    double[] one = new double[objective.outputs()];
    for (int row = 0; row < rows; row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows + row];
      }
      int environment = validation.environment(row);
      losses[environment] +=
          validation.weight(row) * objective.excessLoss(validation.label(row), one);
      weights[environment] += validation.weight(row);
    }
    for (int environment = 0; environment < losses.length; environment++) {
      losses[environment] /= weights[environment];
    }
    return losses;
  }
}
