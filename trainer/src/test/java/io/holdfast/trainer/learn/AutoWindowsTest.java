package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.simulate.PublishedStream;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows of {@code auto} close with the first label that was not foretold where it pays to follow
 * the newest labels, and else at 20 rows, or up to 100 where labels are late.
 */
class AutoWindowsTest {
  private static final int ROWS = 3_000;
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("x"), new Feature.Numeric("y"));

  private final SplittableRandom random = new SplittableRandom(3);
  private double state;

  @ParameterizedTest
  @ValueSource(strings = {"SEA_A", "AGR_A", "HYPER"})
  void windows_whereRowsAreDrawnIndependently_grow(String name) {
    SimulatedStream stream = PublishedStream.valueOf(name).stream(7, 2 * ROWS);
    OfflineTrainer trainer = trainer(stream.features(), 0);
    run(trainer, stream);
    assertThat(rowsAVersion(trainer, () -> run(trainer, stream))).isGreaterThan(15);
  }

  @Test
  void windows_whereLabelsHangTogether_closeWithEachTurn() {
    OfflineTrainer trainer = trainer(FEATURES, 0);
    run(trainer, 0.03);
    assertThat(versionsAtOnce(trainer)).isGreaterThan(0.9);
  }

  @Test
  void windows_whereLabelsAreForetold_gatherRows() {
    OfflineTrainer trainer = trainer(FEATURES, 0);
    run(trainer, 0.03);
    assertThat(rowsAVersion(trainer, () -> run(trainer, 0.03))).isGreaterThan(3);
  }

  @Test
  void windows_onceLabelsHangTogether_closeWithEachTurnAgain() {
    OfflineTrainer trainer = trainer(FEATURES, 0);
    run(trainer, 0.5);
    assertThat(rowsAVersion(trainer, () -> run(trainer, 0.5))).isGreaterThan(15);
    run(trainer, 0.03);
    assertThat(versionsAtOnce(trainer)).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 20})
  void windows_ofLabelsThatComeTooLateToFollow_grow(int delay) {
    OfflineTrainer trainer = trainer(FEATURES, delay);
    run(trainer, 0.03);
    assertThat(rowsAVersion(trainer, () -> run(trainer, 0.03))).isGreaterThan(15);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 4_000})
  void windows_ofLabelsThatAreLongInComing_growToAHundredRows(int delay) {
    SimulatedStream stream = PublishedStream.SEA_A.stream(7, 4 * ROWS);
    OfflineTrainer trainer = trainer(stream.features(), delay);
    for (int k = 0; k < 3; k++) {
      run(trainer, stream);
    }
    assertThat(rowsAVersion(trainer, () -> run(trainer, stream))).isBetween(60.0, 100.0);
  }

  private static OfflineTrainer trainer(List<Feature> features, int delay) {
    Map<String, String> values =
        Map.of(
            "objective", "logistic",
            "label", "label",
            "labels.in", "topic",
            "update.policy", "auto");
    return new OfflineTrainer(ModelSettings.of("m", values, key -> key), features, delay);
  }

  private static void run(OfflineTrainer trainer, SimulatedStream stream) {
    for (int k = 0; k < ROWS; k++) {
      SimulatedRow row = stream.next();
      trainer.next(row.features(), row.label(), "");
    }
  }

  /** Labels that tell nothing of the features, and turn over so often. */
  private void run(OfflineTrainer trainer, double turns) {
    for (int k = 0; k < ROWS; k++) {
      state = random.nextDouble() < turns ? 1 - state : state;
      trainer.next(new double[] {random.nextDouble(), random.nextDouble()}, state, "");
    }
  }

  /** The share of labels' turns after which a new version serves the next row. */
  private double versionsAtOnce(OfflineTrainer trainer) {
    int turns = 0;
    int atOnce = 0;
    for (int k = 0; k < ROWS; k++) {
      double last = state;
      long before = trainer.core().tip().number();
      state = random.nextDouble() < 0.03 ? 1 - state : state;
      trainer.next(new double[] {random.nextDouble(), random.nextDouble()}, state, "");
      turns += state == last ? 0 : 1;
      atOnce += state != last && trainer.core().tip().number() > before ? 1 : 0;
    }
    return atOnce / (double) turns;
  }

  private static double rowsAVersion(OfflineTrainer trainer, Runnable rows) {
    long before = trainer.core().tip().number();
    rows.run();
    return ROWS / (double) (trainer.core().tip().number() - before);
  }
}
