package io.holdfast.service.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ModelStateTest {
  private static final LabelCoverage MOST = new LabelCoverage(900, 100);

  @Test
  void withoutFindings_itIsHealthy() {
    ModelState state = state(List.of(), List.of(window(2, 0.5, 0.5)), MOST);

    assertThat(state.condition()).isEqualTo(Condition.HEALTHY);
    assertThat(state.others()).isEmpty();
  }

  @Test
  void theWorstIsTheState_andTheOthersFollow() {
    ModelState state =
        ModelState.of(
            new ModelState.Facts(
                true,
                Optional.of("is 3 d old"),
                List.of(trouble(TroubleKind.UNSEEN_CATEGORIES), trouble(TroubleKind.LAGGING)),
                List.of(),
                MOST));

    assertThat(state.condition()).isEqualTo(Condition.BEHIND);
    assertThat(state.reason()).isEqualTo("LAGGING it is");
    assertThat(state.others())
        .extracting(ModelState.Finding::condition)
        .containsExactly(Condition.STALE, Condition.ODD_RECORDS);
  }

  @ParameterizedTest
  @EnumSource(TroubleKind.class)
  void everyTroubleThatDegrades_isAState(TroubleKind kind) {
    ModelState state = state(List.of(trouble(kind)), List.of(), MOST);

    assertThat(state.condition() == Condition.HEALTHY).isEqualTo(!kind.degrades());
  }

  @ParameterizedTest
  @CsvSource({
    "WORSE_THAN_CONSTANT, LOSING",
    "REFUSED_REPEATEDLY, REJECTING",
    "VERSION, REJECTING",
    "LABELS_UNUSABLE, LABELS_MISSING",
    "SETTINGS_DIFFER, MISCONFIGURED",
    "TOPIC, STOPPED"
  })
  void troubles_haveAWord(TroubleKind kind, Condition condition) {
    assertThat(state(List.of(trouble(kind)), List.of(), MOST).condition()).isEqualTo(condition);
  }

  @Test
  void withoutAVersion_itSaysSo() {
    var facts = new ModelState.Facts(false, Optional.empty(), List.of(), List.of(), MOST);

    assertThat(ModelState.of(facts).condition()).isEqualTo(Condition.NO_VERSION);
  }

  @Test
  void anEnvironmentThatLosesToItsConstant_isNamedWithItsFigures() {
    ModelState state = state(List.of(), List.of(window(2, 0.2, 1.5), window(3, 0.2, 1.5)), MOST);

    assertThat(state.condition()).isEqualTo(Condition.WORST_ENVIRONMENT);
    assertThat(state.reason())
        .startsWith("in environment north what serves loses 1.500 a row over the newest 200");
  }

  @Test
  void ofFewRows_orOfVersion0Alone_nothingIsSaid() {
    WindowReport untrained = window(4, 0.2, 9);
    untrained.put("servedVersions", List.of(0L));

    assertThat(state(List.of(), List.of(few(), untrained), MOST).condition())
        .isEqualTo(Condition.HEALTHY);
  }

  @Test
  void thePresentWindowsCount_andWhatIsLongOverDoesNot() {
    List<WindowReport> reports = new ArrayList<>(List.of(window(2, 0.5, 40)));
    for (int window = 3; window < 9; window++) {
      reports.add(window(window, 0.5, 0.5));
    }

    assertThat(RecentLoss.of(reports).windows()).isEqualTo(5);
    assertThat(RecentLoss.of(reports).all().loss()).isEqualTo(0.5);
    assertThat(state(List.of(), reports, MOST).condition()).isEqualTo(Condition.HEALTHY);
  }

  @Test
  void drift_isOfTheNewestWindowThatWasCompared() {
    WindowReport alarmed = drifted(window(2, 0.5, 0.5), 10, List.of("wind rose"));
    WindowReport calm = drifted(window(3, 0.5, 0.5), 10, List.of());
    WindowReport between = drifted(window(3, 0.5, 0.5), 0, List.of());

    assertThat(state(List.of(), List.of(alarmed, between), MOST).reason())
        .isEqualTo("window 2 raised 1 alarm: wind rose");
    assertThat(state(List.of(), List.of(alarmed, calm), MOST).condition())
        .isEqualTo(Condition.HEALTHY);
  }

  @Test
  void recordsWithoutLabels_areCounted() {
    assertThat(state(List.of(), List.of(), new LabelCoverage(20, 180)).reason())
        .startsWith("of the 200 records since the start whose wait for a label is over, 20 had");
    assertThat(state(List.of(), List.of(), new LabelCoverage(1, 20)).condition())
        .isEqualTo(Condition.HEALTHY);
  }

  private static ModelState state(
      List<Trouble> troubles, List<WindowReport> reports, LabelCoverage labels) {
    return ModelState.of(new ModelState.Facts(true, Optional.empty(), troubles, reports, labels));
  }

  private static Trouble trouble(TroubleKind kind) {
    return new Trouble("rides", kind, kind + " it is", Instant.EPOCH);
  }

  private static WindowReport drifted(WindowReport report, int tests, List<String> alarms) {
    var drift = new DriftReport(tests, alarms, false, false, null, List.of(), List.of());
    report.put("drift", drift);
    return report;
  }

  private static WindowReport few() {
    WindowReport report = window(2, 0.2, 9);
    report.put(
        "environments",
        List.of(
            new EnvironmentReport("south", 99L, 0.2, 1.0, Map.of(), List.of(), List.of()),
            new EnvironmentReport("north", 99L, 9.0, 1.0, Map.of(), List.of(), List.of())));
    return report;
  }

  /** 200 rows, half in each environment, whose constant loses 1. */
  private static WindowReport window(long number, double south, double north) {
    return WindowReport.newBuilder()
        .setFormat(1)
        .setModel("rides")
        .setWindow(number)
        .setRanges(List.of())
        .setRows(200)
        .setUnusable(Map.of())
        .setServedVersions(List.of(number - 1))
        .setLoss(0.5)
        .setConstantLoss(1)
        .setMetrics(Map.of())
        .setEnvironments(
            List.of(
                new EnvironmentReport("south", 100L, south, 1.0, Map.of(), List.of(), List.of()),
                new EnvironmentReport("north", 100L, north, 1.0, Map.of(), List.of(), List.of())))
        .setPublishedVersion(number)
        .setDecision("learned")
        .setTreesAppended(1)
        .setTreesTotal(1)
        .setTrainingMillis(1)
        .setAt(Instant.EPOCH)
        .build();
  }
}
