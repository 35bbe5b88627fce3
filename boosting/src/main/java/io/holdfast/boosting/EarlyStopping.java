package io.holdfast.boosting;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/**
 * Stops once {@code patience} rounds have not lowered the loss on rows held out; the model is then
 * cut back to its best round.
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

  EarlyStopping weighted(BoosterSettings settings) {
    return new EarlyStopping(settings.weighted(validation, "validation "), criterion, patience);
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
}
