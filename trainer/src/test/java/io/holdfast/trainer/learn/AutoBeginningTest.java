package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code auto} serves while it has seen few rows, and by windows as large as somebody asks
 * for: labels by the hour, some hundred at noon and a tenth of that at midnight.
 */
class AutoBeginningTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("hour"), new Feature.Numeric("noise"));
  private static final double MOST = 500;
  private static final int HOURS = 24;

  private final SplittableRandom random = new SplittableRandom(11);
  private int row;

  @ParameterizedTest
  @CsvSource({"squared, 0", "squared, 30", "poisson, 0", "poisson, 30", "gamma, 0", "tweedie, 30"})
  void predictions_ofTheFirstRows_areAsLargeAsTheLabels(String objective, int delay) {
    OfflineTrainer trainer = trainer(objective, 0, delay);
    for (int k = 0; k < delay + 2; k++) {
      next(trainer);
    }
    int constants = 0;
    for (int k = 0; k < 40; k++) {
      boolean constant = trainer.core().serving().model().trees() == 0;
      constants += constant ? 1 : 0;
      double least = constant ? 1 : -MOST; // a number that trees foretell may be below 0
      assertThat(prediction(trainer)).as("row %d", row).isBetween(least, 2 * MOST);
    }
    assertThat(constants).isBetween(5, 39);
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "poisson", "gamma"})
  void predictions_ofTheFirstEnsembleOfALargeWindow_areAsLargeAsTheLabels(String objective) {
    OfflineTrainer trainer = trainer(objective, 500, 0);
    for (int k = 0; k < 500; k++) {
      next(trainer);
    }
    assertThat(trainer.core().serving().model().trees()).isPositive();
    double sum = 0;
    double labels = 0;
    for (int k = 0; k < 10 * HOURS; k++) {
      labels += label(row);
      sum += prediction(trainer);
    }
    assertThat(sum / labels).isBetween(0.9, 1.1);
  }

  @ParameterizedTest
  @CsvSource({"poisson, 0", "poisson, 200", "squared, 0", "squared, 200"})
  void errors_ofLargeWindows_areATenthOfAConstants(String objective, int delay) {
    double mean = 0;
    for (int hour = 0; hour < HOURS; hour++) {
      mean += label(hour) / HOURS;
    }
    double ofConstant = 0;
    for (int hour = 0; hour < HOURS; hour++) {
      ofConstant += Math.abs(label(hour) - mean) / HOURS;
    }
    assertThat(error(trainer(objective, 500, delay))).isLessThan(0.1 * ofConstant);
  }

  @Test
  void predictions_ofQuantiles_areOfTheFirstRows() {
    OfflineTrainer trainer =
        new OfflineTrainer(settings("quantile", 0, Map.of("alpha", "0.5")), FEATURES, 0);
    next(trainer);
    next(trainer);
    assertThat(prediction(trainer)).isBetween(1.0, MOST);
  }

  /** The mean absolute error of rows from 1,000 on. */
  private double error(OfflineTrainer trainer) {
    for (int k = 0; k < 1_000; k++) {
      next(trainer);
    }
    double sum = 0;
    for (int k = 0; k < 3_000; k++) {
      double expected = label(row);
      sum += Math.abs(prediction(trainer) - expected);
    }
    return sum / 3_000;
  }

  private double prediction(OfflineTrainer trainer) {
    Objective objective = trainer.core().serving().model().objective();
    return objective.prediction(next(trainer));
  }

  private double[] next(OfflineTrainer trainer) {
    double label = label(row) * (0.8 + 0.4 * random.nextDouble());
    double[] values = {row % HOURS, random.nextDouble()};
    row++;
    return trainer.next(values, Math.rint(label), "");
  }

  /** In the mean. */
  private static double label(int row) {
    double noon = Math.cos(2 * Math.PI * (row % HOURS - HOURS / 2) / HOURS);
    return MOST * Math.exp(-1.15 * (1 - noon));
  }

  private static OfflineTrainer trainer(String objective, int window, int delay) {
    return new OfflineTrainer(settings(objective, window, Map.of()), FEATURES, delay);
  }

  private static ModelSettings settings(String objective, int window, Map<String, String> more) {
    var values =
        new HashMap<String, String>(
            Map.of("objective", objective, "label", "label", "update.policy", "auto"));
    if (window > 0) {
      values.put("window.rows", Integer.toString(window));
    }
    values.putAll(more);
    return ModelSettings.of("m", values, key -> key);
  }
}
