package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Seasons that come back after longer than memory reaches, of which the newest labels, a thousand
 * rows late, tell nothing: what was learned a year ago must still be known.
 */
class LateLabelsTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("season"), new Feature.Numeric("x"));
  private static final int DELAY = 1_000;
  private static final int YEAR = 12_000;
  private static final double[] LEVELS = {4, -3, 6, 0, -5, 8, 2, -7, 5, -1};

  @Test
  void auto_inTheSecondYear_knowsWhatMemoryHasLost() {
    double growing = secondYear(500);
    double trainedAfresh = secondYear(300); // no room to grow beside the other ensembles
    assertThat(growing).isLessThan(0.1 * trainedAfresh);
  }

  /** The mean squared error of the second year's first half. */
  private static double secondYear(int maxTrees) {
    Map<String, String> values =
        Map.of(
            "objective", "squared",
            "label", "label",
            "update.policy", "auto",
            "update.maxTrees", Integer.toString(maxTrees));
    var trainer = new OfflineTrainer(ModelSettings.of("m", values, key -> key), FEATURES, DELAY);
    var random = new SplittableRandom(5);
    double sum = 0;
    for (int row = 0; row < YEAR * 3 / 2; row++) {
      double season = row % YEAR / (double) YEAR;
      double x = random.nextDouble();
      double label = LEVELS[(int) (season * LEVELS.length)] + 2 * x + random.nextDouble();
      double error = trainer.next(new double[] {season, x}, label, "")[0] - label;
      sum += row < YEAR ? 0 : error * error;
    }
    return sum / (YEAR / 2.0);
  }
}
