package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions that keep what later windows are compared with. */
class ReferenceVersionsTest {
  private static final int ROWS = 200; // of a window
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("a"),
          new Feature.Numeric("b"),
          new Feature.Numeric("c"),
          new Feature.Numeric("d"));

  private final List<NewVersion> versions = new ArrayList<>();
  private final List<DriftReport> reports = new ArrayList<>();
  private String environments = "one";

  @Test
  void nothing_keepsNoReference() {
    learn(Map.of("drift.action", "nothing"), 5, row -> 0);
    assertThat(versions)
        .hasSize(5)
        .allSatisfy(version -> assertThat(version.version().kept().reference()).isNull());
  }

  /** What a buffer of 2,000 rows has forgotten when rows are added is not among them. */
  @Test
  void stationaryRows_recordsAreLogarithmicInRows_andAlarmsFew() {
    learn(Map.of(), 200, row -> 0);

    assertThat(versions).hasSize(200);
    // 200 rows, then half as many again each time: 40,000 rows, and no alarm that counts.
    long records = versions.stream().filter(version -> record(version) != null).count();
    assertThat(records).isBetween(9L, 14L);
    assertThat(alarms(0, 200)).isLessThanOrEqualTo(4);
    KeptReference last = reference(versions.getLast());
    assertThat(last.sketches().seen() + last.rowsSince()).isEqualTo(200L * ROWS);
    assertThat(last.sketches().rows()).isBetween(10_000L, last.sketches().seen());
    for (int k = 1; k < versions.size(); k++) {
      if (record(versions.get(k)) == null) {
        assertThat(reference(versions.get(k)).sketches())
            .isSameAs(reference(versions.get(k - 1)).sketches());
      }
    }
  }

  @Test
  void severalEnvironments_haveParts_andAlarmsAreFew() {
    environments = "two";
    learn(Map.of("environment", "e"), 200, row -> 0);
    assertThat(reference(versions.getLast()).sketches().parts())
        .extracting(part -> part.environment())
        .containsExactly("e0", "e1");
    assertThat(alarms(0, 200)).isLessThanOrEqualTo(4);
  }

  @Test
  void abruptDrift_isReportedForABoundedTime_andThenIsTheReference() {
    learn(Map.of(), 90, row -> row < 40 * ROWS ? 0 : 1.5);

    assertThat(alarms(0, 40)).isLessThanOrEqualTo(1);
    assertThat(alarms(40, 60)).isGreaterThanOrEqualTo(10);
    assertThat(alarms(75, 90)).isLessThanOrEqualTo(1);
    TrainingReference renewed = reference(versions.getLast()).sketches();
    assertThat(renewed.seen()).isLessThan(50L * ROWS);
    assertThat(versions.stream().filter(version -> record(version) != null).count())
        .isLessThanOrEqualTo(16);
  }

  @Test
  void newEnvironment_getsAPart_beforeTheReferenceGrowsOtherwise() {
    environments = "late";
    learn(Map.of("environment", "e"), 60, row -> 0);
    TrainingReference last = reference(versions.getLast()).sketches();
    assertThat(last.knows("late")).isTrue();
    assertThat(last.parts()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "append", "replace"})
  void versions_areAFunctionOfTheRows(String policy) {
    learn(Map.of("update.policy", policy), 30, row -> row < 4_000 ? 0 : 1.5);
    List<NewVersion> first = List.copyOf(versions);
    versions.clear();
    learn(Map.of("update.policy", policy), 30, row -> row < 4_000 ? 0 : 1.5);
    assertThat(versions).hasSameSizeAs(first).isNotEmpty();
    for (int k = 0; k < first.size(); k++) {
      assertThat(versions.get(k).version().hash()).isEqualTo(first.get(k).version().hash());
    }
    assertThat(first.getLast().version().kept().reference()).isNotNull();
  }

  @Test
  void retention_dropsReferencesThatNoVersionIsLeftToName() {
    learn(Map.of("retainVersions", "2"), 20, row -> 0);
    List<LedgerKey> written =
        versions.stream().map(ReferenceVersionsTest::record).filter(key -> key != null).toList();
    List<LedgerKey> gone =
        versions.stream()
            .flatMap(version -> version.tombstones().stream().map(LedgerRecord::key))
            .filter(LedgerKey.ReferenceKey.class::isInstance)
            .toList();
    assertThat(gone).isEqualTo(written.subList(0, gone.size()));
    assertThat(gone.size()).isBetween(written.size() - 2, written.size() - 1);
  }

  private void learn(Map<String, String> changes, int windows, IntToDoubleFunction shift) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "objective", "squared",
                "label", "label",
                "labels.in", "topic",
                "trees.rounds", "1",
                "drift.action", "report",
                "window.rows", "" + ROWS,
                "window.memoryRows", "2000"));
    values.putAll(changes);
    OfflineTrainer trainer =
        new OfflineTrainer(ModelSettings.of("m", values, key -> key), FEATURES, 0);
    trainer.onWindow(
        concluded -> {
          if (concluded.report().getDrift() != null) {
            reports.add(concluded.report().getDrift());
          }
          if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
            versions.add(trained.version());
          }
        });
    var random = new SplittableRandom(7);
    for (int k = 0; k < windows * ROWS; k++) {
      double[] row = new double[FEATURES.size()];
      for (int column = 0; column < row.length; column++) {
        row[column] = random.nextGaussian() + (column == 0 ? shift.applyAsDouble(k) : 0);
      }
      String environment =
          switch (environments) {
            case "two" -> "e" + k % 2;
            case "late" -> k > 50 * ROWS && k % 2 == 0 ? "late" : "early";
            default -> "";
          };
      var _ = trainer.next(row, random.nextGaussian(), environment);
    }
  }

  private int alarms(int from, int to) {
    int alarms = 0;
    for (DriftReport report : reports.subList(from, Math.min(to, reports.size()))) {
      alarms += report.getFeatures().stream().anyMatch(shift -> shift.getAlarm()) ? 1 : 0;
    }
    return alarms;
  }

  private static KeptReference reference(NewVersion version) {
    return java.util.Objects.requireNonNull(version.version().kept().reference());
  }

  private static @Nullable LedgerKey record(NewVersion version) {
    return version.encoded().records().stream()
        .map(LedgerRecord::key)
        .filter(LedgerKey.ReferenceKey.class::isInstance)
        .findFirst()
        .orElse(null);
  }
}
