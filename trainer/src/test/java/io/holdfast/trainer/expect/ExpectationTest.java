package io.holdfast.trainer.expect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.learn.OfflineTrainer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reports say that scores made one expect, beside what came. */
class ExpectationTest {
  private static final int WINDOW = 500;
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("x0"), new Feature.Numeric("x1"));

  /** More rows near the line that divides the classes: scores see it before labels do. */
  @Test
  void shiftOfFeatures_isForeseen() {
    List<WindowReport> reports =
        reports("logistic", 12, row -> row < 10 * WINDOW ? 3 : 0.3, row -> 1.5);
    WindowReport before = reports.get(9);
    WindowReport shifted = reports.get(10);

    assertThat(measured(before)).isGreaterThan(measured(shifted) + 0.1);
    assertThat(expected(before)).isEqualTo(measured(before), within(0.06));
    assertThat(expected(shifted)).isEqualTo(measured(shifted), within(0.08));
  }

  /**
   * Labels that turn round are not foreseen: that is what stands beside each other in the report.
   */
  @Test
  void shiftOfLabels_isNot() {
    List<WindowReport> reports =
        reports("logistic", 12, row -> 3, row -> row < 10 * WINDOW ? 1.5 : -1.5);
    WindowReport shifted = reports.get(10);

    assertThat(expected(shifted)).isGreaterThan(measured(shifted) + 0.4);
    assertThat(shifted.getExpected()).isNotNull();
    assertThat(shifted.getExpected().getLabelledRows()).isEqualTo(1_000);
  }

  @Test
  void values_areExpectedToErrAsLately_andNotBeforeTheFirstLabels() {
    List<WindowReport> reports = reports("squared", 8, row -> 3, row -> 1.5);

    assertThat(reports.getFirst().getExpected()).isNull();
    ExpectedReport last = Objects.requireNonNull(reports.getLast().getExpected());
    assertThat(last.getUncorrected()).isEmpty();
    assertThat(last.getMetrics()).containsOnlyKeys("rmse", "mae");
    assertThat(last.getMetrics().get("rmse"))
        .isEqualTo(reports.getLast().getMetrics().get("rmse"), within(0.1));
  }

  /** Two places take turns: what the last window says is wrong each other time. */
  @Test
  void whereFeaturesAloneChange_rangesHold_andTheEstimateIsNotDoubted() {
    List<WindowReport> reports =
        reports("logistic", 30, row -> row / (2 * WINDOW) % 2 == 0 ? 3 : 0.3, row -> 1.5);

    double off = 0;
    double lastOff = 0;
    int within = 0;
    for (int window = 5; window < 30; window++) {
      WindowReport report = reports.get(window);
      ExpectedReport expected = Objects.requireNonNull(report.getExpected());
      off += Math.abs(expected(report) - measured(report));
      lastOff += Math.abs(measured(reports.get(window - 1)) - measured(report));
      boolean low = expected.getLow().getOrDefault("accuracy", 2.0) <= measured(report);
      within += low && measured(report) <= expected.getHigh().getOrDefault("accuracy", 0.0) ? 1 : 0;
      assertThat(String.valueOf(expected.getDoubt())).doesNotContain("no longer depend");
    }
    assertThat(off).isLessThan(0.5 * lastOff);
    assertThat(within).isGreaterThanOrEqualTo(22); // of 25
  }

  /** Of 3, the window before is as wrong. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void whereLabelsChangeEachFewWindows_theEstimateIsDoubted(int few) {
    List<WindowReport> reports =
        reports("logistic", 30, row -> 3, row -> row / (few * WINDOW) % 2 == 0 ? 1.5 : -1.5);

    assertThat(Objects.requireNonNull(reports.get(2).getExpected()).getDoubt()).isNull();
    for (WindowReport report : reports.subList(12, 30)) {
      assertThat(Objects.requireNonNull(report.getExpected()).getDoubt())
          .contains(" the last ")
          .endsWith("labels no longer depend on features as they did.");
    }
  }

  /** Numbers whose noise is another where features are: past rows like the newest count more. */
  @Test
  void likeRows_countMore() {
    List<WindowReport> reports =
        reports("squared", 30, row -> row / WINDOW % 2 == 0 ? 0.3 : 3, row -> 1.5);
    ExpectedReport last = Objects.requireNonNull(reports.getLast().getExpected());

    assertThat(last.getLikeRows()).isBetween(100.0, 950.0);
  }

  /** A new place that no label is of. */
  @Test
  void rowsUnlikeAllBefore_areSaidToBe() {
    List<WindowReport> reports =
        reports("logistic", 6, row -> row < 5 * WINDOW ? 0.3 : 300, row -> 1.5);
    ExpectedReport last = Objects.requireNonNull(reports.getLast().getExpected());

    assertThat(last.getDoubt()).startsWith("Hardly any row with a label is like the newest ones");
  }

  private static double expected(WindowReport report) {
    return Objects.requireNonNull(report.getExpected()).getMetrics().getOrDefault("accuracy", -1.0);
  }

  private static double measured(WindowReport report) {
    return report.getMetrics().getOrDefault("accuracy", -1.0);
  }

  private interface Along {
    double at(int row);
  }

  private static List<WindowReport> reports(
      String objective, int windows, Along spread, Along slope) {
    Map<String, String> keys =
        new HashMap<>(Map.of("objective", objective, "label", "y", "trees.rounds", "10"));
    keys.put("window.rows", "" + WINDOW);
    OfflineTrainer trainer =
        new OfflineTrainer(ModelSettings.of("m", keys, key -> key), FEATURES, 0);
    List<WindowReport> reports = new ArrayList<>();
    trainer.onWindow(concluded -> reports.add(concluded.report()));
    SplittableRandom random = new SplittableRandom(3);
    for (int row = 0; row < windows * WINDOW; row++) {
      double x = spread.at(row) * random.nextGaussian();
      double score = slope.at(row) * x;
      double label =
          objective.equals("squared")
              ? StrictMath.tanh(score) + 0.3 * random.nextGaussian()
              : random.nextDouble() < new Logistic().prediction(score) ? 1 : 0;
      trainer.next(new double[] {x, random.nextDouble()}, label, "");
    }
    return reports;
  }
}
