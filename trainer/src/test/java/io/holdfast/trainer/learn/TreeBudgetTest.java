package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a model that has as many trees as it may have, on a stream that never drifts. */
class TreeBudgetTest {
  private static final int ROWS = 200;
  private static final int WINDOWS = 120;
  private static final int FULL = 50; // windows until the budget is spent
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("x"), new Feature.Numeric("z"), new Feature.Numeric("n"));

  private int refusedInARow;
  private int mostInARow;

  @ParameterizedTest
  @ValueSource(strings = {"append", "decay", "refit"})
  void loss_ofAModelAtItsBudget_staysWhereItWas(String policy) {
    List<Double> losses = losses(Map.of("update.policy", policy));
    double before = mean(losses, FULL / 2 - 10, FULL / 2);
    for (int to = FULL / 2 + 4; to <= WINDOWS; to++) {
      // The mean of four windows, of 800 rows: it varies by 5 %.
      assertThat(mean(losses, to - 4, to)).as("window %s", to).isLessThan(1.15 * before);
    }
    assertThat(mean(losses, FULL + 10, WINDOWS)).isLessThan(1.03 * before);
  }

  @Test
  void model_atItsBudget_isNotRefusedForEver() {
    losses(Map.of("update.policy", "append", "update.gate", "better", "update.margin", "0.01"));
    assertThat(mostInARow).isLessThan(10);
  }

  private static double mean(List<Double> losses, int from, int to) {
    return losses.subList(from, to).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElseThrow();
  }

  /** Window by window, of what was served. */
  private List<Double> losses(Map<String, String> changes) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "objective", "squared",
                "label", "label",
                "labels.in", "topic",
                "trees.maxLeaves", "8",
                "trees.minRows", "5",
                "update.policy", "append",
                "window.rows", "" + ROWS,
                "window.memoryRows", "1000"));
    values.putAll(changes);
    OfflineTrainer trainer =
        new OfflineTrainer(ModelSettings.of("m", values, key -> key), FEATURES, 0);
    List<Double> losses = new ArrayList<>();
    trainer.onWindow(
        concluded -> {
          losses.add(concluded.report().getLoss());
          boolean refused = concluded.outcome() instanceof TrainerEvent.Outcome.Kept;
          refusedInARow = refused ? refusedInARow + 1 : 0;
          mostInARow = Math.max(mostInARow, refusedInARow);
        });
    var random = new SplittableRandom(7);
    for (int row = 0; row < ROWS * WINDOWS; row++) {
      double x = random.nextDouble(-1, 1);
      double z = random.nextDouble(-1, 1);
      double label = 10 * x + 5 * StrictMath.sin(6 * z) + random.nextGaussian();
      trainer.next(new double[] {x, z, random.nextDouble()}, label, "");
    }
    return losses;
  }
}
