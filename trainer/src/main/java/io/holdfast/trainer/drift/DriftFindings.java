package io.holdfast.trainer.drift;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has drifted in a window. Immutable.
 *
 * @param together how many rows of several small windows were compared together; 0 if the window
 *     was compared by itself
 * @param tests the number of distributions compared: the family whose false alarms are controlled
 * @param shifts those that raised an alarm and the largest of the others, the worst first
 * @param newEnvironments those that the tip learned nothing of
 */
public record DriftFindings(
    int together, int tests, List<Shift> shifts, LossDrift loss, List<String> newEnvironments) {
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
   * @param p 1 over the evidence, at most 1; 1 if it is too small to matter
   * @param alarm whether the evidence is enough among all tests
   */
  public record Shift(
      String environment,
      String feature,
      double stability,
      double distance,
      double p,
      boolean alarm) {
    Shift(
        String environment, String feature, ShiftStatistics.Distance by, double p, boolean alarm) {
      this(environment, feature, by.stability(), by.distance(), p, alarm);
    }

    /** For people; {@code together} is as of the findings. */
    String sentence(int together) {
      String what = feature.isEmpty() ? "The label" : "Feature " + ColumnName.of(feature);
      String where = environment.isEmpty() ? "" : " in environment " + environment;
      return Sentence.of(
          "%s%s is distributed otherwise%s (PSI %.2f, KS %.2f).",
          what, where, together == 0 ? "" : " over " + together + " rows", stability, distance);
    }
  }

  /**
   * Drift of the loss.
   *
   * @param rise whether its mean has risen within the window, by ADWIN
   * @param pageHinkley the same by Page and Hinkley's test
   * @param rowsSince rows since its last rise, the window's included; null if none is remembered
   * @param environments those whose own loss has risen
   */
  public record LossDrift(
      boolean rise, boolean pageHinkley, @Nullable Integer rowsSince, List<String> environments) {
    static final LossDrift NONE = new LossDrift(false, false, null);

    public LossDrift {
      environments = List.copyOf(environments);
    }

    LossDrift(boolean rise, boolean pageHinkley, @Nullable Integer rowsSince) {
      this(rise, pageHinkley, rowsSince, List.of());
    }

    LossDrift in(List<String> risen) {
      return new LossDrift(rise, pageHinkley, rowsSince, risen);
    }
  }

  /** A sentence for each alarm. */
  public List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    if (loss.rise()) {
      alarms.add("The loss has risen.");
    }
    for (String environment : loss.environments()) {
      alarms.add("The loss has risen in environment " + environment + ".");
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
