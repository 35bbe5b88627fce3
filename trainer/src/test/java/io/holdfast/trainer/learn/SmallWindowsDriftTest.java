package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.FeatureDrift;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows too small to be compared by themselves: their rows are compared together. */
class SmallWindowsDriftTest {
  private static final int TOGETHER = 192;
  private static final int JUMP = 4_000;
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("a"),
          new Feature.Numeric("b"),
          new Feature.Numeric("c"),
          new Feature.Numeric("d"));

  private final List<Seen> seen = new ArrayList<>();
  private @Nullable KeptReference kept;

  /** A window's report, and how many rows there were up to its end. */
  private record Seen(int rows, DriftReport drift) {
    boolean shifted() {
      return drift.getFeatures().stream().anyMatch(FeatureDrift::getAlarm);
    }
  }

  /** What is added to the features and the label of a row, and its environment. */
  private record Shift(double feature, double label, String environment) {}

  @ParameterizedTest
  @CsvSource({"append,20", "append,7", "append,150", "auto,20", "auto,2"})
  void jump_isFoundWithinTwoTurns(String policy, int window) {
    learn(policy, window, 1, JUMP + 1_200, row -> feature(row < JUMP ? 0 : 1));

    assertThat(alarms(0, JUMP)).hasSizeLessThanOrEqualTo(1);
    Seen first = alarms(JUMP, JUMP + 1_200).getFirst();
    assertThat(first.rows()).isLessThanOrEqualTo(JUMP + 2 * TOGETHER + window + 50);
    assertThat(first.drift().getFeatures().getFirst().getFeature()).isEqualTo("a");
    assertThat(first.drift().getAlarms())
        .anyMatch(
            alarm -> alarm.startsWith("Feature a is distributed otherwise over 192 rows (PSI "));
  }

  @Test
  void labelShift_isFound() {
    learn("append", 20, 2, JUMP + 600, row -> new Shift(0, row < JUMP ? 0 : 1, ""));
    assertThat(alarms(JUMP, JUMP + 2 * TOGETHER + 20))
        .isNotEmpty()
        .allMatch(found -> found.drift().getFeatures().getFirst().getFeature().isEmpty());
  }

  /** Two deviations over all rows: each turn is much like the 1,000 rows that are remembered. */
  @Test
  void slowDrift_isFound() {
    learn("append", 20, 3, 12_000, row -> feature(row * 2 / 12_000.0));
    assertThat(alarms(0, 9_000)).isNotEmpty();
    assertThat(alarms(0, 12_000)).hasSizeGreaterThanOrEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void stationaryRows_raiseFewAlarms_andEachRowIsComparedOnce(long seed) {
    learn("append", 20, seed, 10_000, row -> feature(0));

    assertThat(alarms(0, 10_000)).hasSizeLessThanOrEqualTo(1); // of 51 turns
    assertThat(seen).hasSize(500);
    int rows = 0;
    for (Seen one : seen) {
      boolean turn =
          one.rows() > TOGETHER + 20 && one.rows() / TOGETHER > (one.rows() - 20) / TOGETHER;
      assertThat(one.drift().getTests()).as("row " + one.rows()).isEqualTo(turn ? 5 : 0);
      rows += turn ? TOGETHER : 0;
    }
    assertThat(rows).isEqualTo(10_000 / TOGETHER * TOGETHER - TOGETHER);
    KeptReference last = Objects.requireNonNull(kept);
    assertThat(last.sketches().seen() + last.rowsSince()).isEqualTo(10_000);
    assertThat(last.sketches().rows()).isBetween(2_500L, last.sketches().seen());
  }

  /** As with large windows: for a bounded time, then it is what is compared with. */
  @Test
  void jump_isReportedForABoundedTime() {
    learn("append", 20, 5, 3 * JUMP, row -> feature(row < JUMP ? 0 : 1.5));
    assertThat(alarms(JUMP, JUMP + 3_000)).hasSizeBetween(9, 16);
    assertThat(alarms(2 * JUMP, 3 * JUMP)).hasSizeLessThanOrEqualTo(1);
    assertThat(Objects.requireNonNull(kept).sketches().seen()).isLessThan(2L * JUMP);
  }

  /** One row in ten, of other features: fewer of a turn than can be compared. */
  @Test
  void newEnvironmentOfFewRows_isNewOnce_andNotSaidToDrift() {
    learn(
        "auto",
        20,
        6,
        12_000,
        row -> row > 6_000 && row % 10 == 0 ? new Shift(0.5, 0, "rare") : new Shift(0, 0, "often"));
    List<Seen> told =
        seen.stream().filter(one -> !one.drift().getNewEnvironments().isEmpty()).toList();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().drift().getAlarms()).contains("Environment rare is new.");
    assertThat(seen)
        .noneMatch(
            one ->
                one.drift().getFeatures().stream()
                    .anyMatch(shift -> shift.getEnvironment().equals("rare")));
    assertThat(alarms(0, 12_000)).hasSizeLessThanOrEqualTo(2);
  }

  /** Memory keeps rows of the rare one from further back: rows of one time are compared alone. */
  @Test
  void rareEnvironmentsRowsOfLongAgo_areNotComparedAgain() {
    learn(
        "append",
        20,
        7,
        12_000,
        Map.of("window.memoryRows", "200"),
        row -> row % 50 == 0 ? new Shift(3, 3, "rare") : new Shift(0, 0, "often"));
    assertThat(seen.stream().filter(one -> one.drift().getTests() > 0)).hasSizeGreaterThan(50);
    assertThat(alarms(0, 12_000)).hasSizeLessThanOrEqualTo(1);
  }

  /** The loss rises once, and is said to have, once. */
  @Test
  void risenLoss_isReportedOnce() {
    learn("append", 20, 8, JUMP + 2_000, row -> new Shift(0, row < JUMP ? 0 : 6, ""));
    List<Integer> rises =
        seen.stream().filter(one -> one.drift().getLossRisen()).map(Seen::rows).toList();
    assertThat(rises).isNotEmpty().hasSizeLessThanOrEqualTo(2);
    assertThat(rises.getFirst()).isBetween(JUMP, JUMP + TOGETHER + 40);
  }

  @Test
  void moreFeaturesThanAReferenceHolds_areTrainedOn_withoutOne() {
    List<Feature> many = new ArrayList<>();
    for (int column = 0; column < 4_000; column++) {
      many.add(new Feature.Numeric("f" + column));
    }
    learn("append", 200, 9, 400, Map.of(), many, row -> feature(0));
    assertThat(seen).extracting(one -> one.drift().getTests()).containsExactly(0, 4_001);
    assertThat(kept).isNull(); // that of 200 rows fits into a record, that of 400 does not
  }

  private static Shift feature(double shift) {
    return new Shift(shift, 0, "");
  }

  private void learn(String policy, int window, long seed, int rows, IntFunction<Shift> shifts) {
    learn(policy, window, seed, rows, Map.of(), shifts);
  }

  private void learn(
      String policy,
      int window,
      long seed,
      int rows,
      Map<String, String> changes,
      IntFunction<Shift> shifts) {
    learn(policy, window, seed, rows, changes, FEATURES, shifts);
  }

  private void learn(
      String policy,
      int window,
      long seed,
      int rows,
      Map<String, String> changes,
      List<Feature> features,
      IntFunction<Shift> shifts) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "objective", "squared",
                "label", "label",
                "labels.in", "topic",
                "environment", "e",
                "trees.rounds", "1",
                "update.policy", policy,
                "update.maxTrees", "10",
                "drift.action", "report",
                "window.rows", "" + window,
                "window.memoryRows", "1000"));
    values.putAll(changes);
    OfflineTrainer trainer =
        new OfflineTrainer(ModelSettings.of("m", values, key -> key), features, 0);
    int[] taken = {0};
    trainer.onWindow(
        concluded -> {
          taken[0] += concluded.window().rows().size();
          seen.add(new Seen(taken[0], Objects.requireNonNull(concluded.report().getDrift())));
          kept = trainer.core().tip().kept().reference();
        });
    var random = new SplittableRandom(seed);
    for (int k = 0; k < rows; k++) {
      Shift shift = shifts.apply(k);
      double[] row = new double[features.size()];
      for (int column = 0; column < row.length; column++) {
        row[column] = random.nextGaussian() + (column == 0 ? shift.feature() : 0);
      }
      var _ = trainer.next(row, random.nextGaussian() + shift.label(), shift.environment());
    }
  }

  /** The windows that end after the one row, up to the other, in which something has shifted. */
  private List<Seen> alarms(int after, int upTo) {
    return seen.stream()
        .filter(one -> one.rows() > after && one.rows() <= upTo && one.shifted())
        .toList();
  }
}
