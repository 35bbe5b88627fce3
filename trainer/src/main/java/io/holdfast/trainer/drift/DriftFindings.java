package io.holdfast.trainer.drift;

import io.holdfast.schemas.ColumnName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has drifted in a window against what came before. Immutable.
 *
 * @param together how many rows of several small windows were compared together; 0 if the window
 *     was by itself
 * @param tests of distributions that were done, over all of which false alarms are controlled
 * @param shifts those that raised an alarm and the largest of the others, the worst first
 * @param loss what the losses say
 * @param newEnvironments those that the tip learned nothing of
 */
public record DriftFindings(
    int together, int tests, List<Shift> shifts, LossDrift loss, List<String> newEnvironments) {
  /** What is found where nothing was looked for. */
  public static final DriftFindings NONE =
      new DriftFindings(0, 0, List.of(), LossDrift.NONE, List.of());

  public DriftFindings {
    shifts = List.copyOf(shifts);
    newEnvironments = List.copyOf(newEnvironments);
  }

  /**
   * A quantity whose distribution was compared.
   *
   * @param environment empty for all rows together
   * @param feature empty for the label
   * @param stability the population stability index
   * @param distance of Kolmogorov and Smirnov
   * @param p of that distance
   * @param alarm whether it is believed, and large enough to matter
   */
  public record Shift(
      String environment,
      String feature,
      double stability,
      double distance,
      double p,
      boolean alarm) {

    /** A sentence about it, and about how many rows that is, if it is not about a window. */
    String sentence(int together) {
      String what = feature.isEmpty() ? "The label" : "Feature " + ColumnName.of(feature);
      String where = environment.isEmpty() ? "" : " in environment " + environment;
      return String.format(
          java.util.Locale.ROOT,
          "%s%s is distributed otherwise%s (PSI %.2f, KS %.2f).",
          what,
          where,
          together == 0 ? "" : " over " + together + " rows",
          stability,
          distance);
    }
  }

  /**
   * What the losses say.
   *
   * @param rise whether their mean has risen within the window, by ADWIN
   * @param pageHinkley the same by Page and Hinkley's test
   * @param rowsSince how many rows there are since their mean last rose, those of the window among
   *     them; null if it has not, as far as is remembered
   */
  public record LossDrift(boolean rise, boolean pageHinkley, @Nullable Integer rowsSince) {
    static final LossDrift NONE = new LossDrift(false, false, null);
  }

  /** A sentence for each alarm. */
  public List<String> alarms() {
    List<String> alarms = new java.util.ArrayList<>();
    if (loss.rise()) {
      alarms.add("The loss has risen.");
    }
    for (String environment : newEnvironments) {
      alarms.add("Environment " + environment + " is new.");
    }
    for (Shift shift : shifts) {
      if (shift.alarm()) {
        alarms.add(shift.sentence(together));
      }
    }
    return List.copyOf(alarms);
  }
}
