package io.holdfast.trainer.reason;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.trainer.reason.LossReason.Change;
import io.holdfast.trainer.reason.PlantedShift.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Planted shifts and quiet windows, each trial of its own seed. */
class LossReasonTrialsTest {
  private static final double ERROR = 0.01;
  private static final int BEFORE = 2_000;
  private static final int NOW = 1_000;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUIET")
  void plantedShift_isSaid(Kind kind) {
    assertThat(wrong(kind, 20)).hasSizeLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUIET")
  @Tag("long")
  void plantedShift_isSaid_in90Of100(Kind kind) {
    assertThat(wrong(kind, 100)).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void quietWindows_raiseNoAlarmBeyondTheRate() {
    assertThat(alarms(200)).isLessThanOrEqualTo(6); // 2 expected; more than 6 of 200 in 1 of 200
  }

  @Test
  @Tag("long")
  void thousandQuietWindows_raiseNoAlarmBeyondTheRate() {
    assertThat(alarms(1_000)).isLessThanOrEqualTo(10);
  }

  /** Errors go on from one another: blocks of rows are still nearly exchangeable. */
  @Test
  void quietWindowsOfPersistentErrors_raiseNoAlarmBeyondTheRate() {
    assertThat(alarms(0.9, 200)).isLessThanOrEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.8, 0.9, 0.95})
  @Tag("long")
  void thousandQuietWindowsOfPersistentErrors_raiseNoAlarmBeyondTheRate(double persistence) {
    assertThat(alarms(persistence, 1_000)).isLessThanOrEqualTo(10);
  }

  private static int alarms(double persistence, int trials) {
    int alarms = 0;
    for (int seed = 0; seed < trials; seed++) {
      List<ServedLosses> parts = PlantedShift.persistent(persistence, BEFORE, NOW, 20_000L + seed);
      alarms += RiseTest.risen(parts.getFirst(), parts.getLast(), ERROR, seed) == null ? 0 : 1;
    }
    return alarms;
  }

  private static int alarms(int trials) {
    int alarms = 0;
    for (int seed = 0; seed < trials; seed++) {
      PlantedShift quiet = PlantedShift.of(Kind.QUIET, BEFORE, NOW, 10_000L + seed);
      alarms +=
          RiseTest.risen(quiet.lossesBefore(), quiet.lossesNow(), ERROR, seed) == null ? 0 : 1;
    }
    return alarms;
  }

  private static List<String> wrong(Kind kind, int trials) {
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < trials; seed++) {
      LossReason reason = PlantedShift.of(kind, BEFORE, NOW, 1_000L + seed).reason(ERROR, seed);
      if (!right(kind, reason)) {
        wrong.add(reason == null ? "nothing" : reason.sentence());
      }
    }
    return wrong;
  }

  private static boolean right(Kind kind, @Nullable LossReason reason) {
    if (reason == null) {
      return false;
    }
    Subgroup group = reason.subgroup();
    List<Condition> conditions = group == null ? List.of() : group.conditions();
    List<String> features =
        conditions.stream().map(Condition::feature).distinct().sorted().toList();
    return switch (kind) {
      case QUIET -> false;
      case COVARIATE ->
          reason.change() == Change.FEATURES && features.equals(List.of("temperature"));
      case CONCEPT -> reason.change() == Change.LABELS && group == null;
      case SUBGROUP ->
          reason.change() == Change.LABELS
              && features.equals(List.of("city", "temperature"))
              && says(conditions, "city = berlin")
              && conditions.stream().anyMatch(LossReasonTrialsTest::nearEighteen);
      case ENVIRONMENT ->
          reason.change() == Change.LABELS
              && (reason.environment().equals("e2")
                  || (features.equals(List.of("environment"))
                      && says(conditions, "environment = e2")));
    };
  }

  private static boolean nearEighteen(Condition condition) {
    return condition instanceof Condition.Side side
        && side.atLeast()
        && Math.abs(side.bound() - 18) <= 1.5;
  }

  private static boolean says(List<Condition> conditions, String sentence) {
    return conditions.stream().anyMatch(condition -> condition.sentence().equals(sentence));
  }
}
