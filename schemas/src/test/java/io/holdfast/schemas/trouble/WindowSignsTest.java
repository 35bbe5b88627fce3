package io.holdfast.schemas.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.WindowReport;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WindowSignsTest {
  private final Troubles troubles = new Troubles(InstantSource.fixed(Instant.EPOCH));
  private final WindowSigns signs = new WindowSigns("m", troubles);
  private long window = 1;

  @Test
  void model_refusedAgainAndAgain_saysSo_untilAVersionComes() {
    for (int k = 0; k < 4; k++) {
      add(report(100, 1, 2, null));
    }
    assertThat(troubles.all()).isEmpty();
    add(report(100, 1, 2, null));
    assertThat(kinds()).containsExactly(TroubleKind.REFUSED_REPEATEDLY);
    assertThat(troubles.of("m").getFirst().sentence())
        .contains("newest 5 windows", "version 7", "It is worse.", "update.gate");
    add(report(100, 1, 2, 8L));
    assertThat(troubles.all()).isEmpty();
  }

  @Test
  void model_worseThanTheConstant_saysSo_untilItIsNot() {
    add(report(250, 3, 2, 1L));
    assertThat(troubles.all()).as("too few rows to tell").isEmpty();
    add(report(250, 3, 2, 2L));
    assertThat(kinds()).containsExactly(TroubleKind.WORSE_THAN_CONSTANT);
    assertThat(troubles.of("m").getFirst().sentence()).contains("loses 3.000 ", "loses 2.000:");
    for (long version = 3; version < 9; version++) {
      add(report(250, 1, 2, version));
    }
    assertThat(troubles.all()).isEmpty();
  }

  /** Constants serve until the first window is full. */
  @Test
  void firstWindow_saysNothingOfWhatWasLearned() {
    window = 0;
    add(report(5_000, 90, 20, 5L, List.of(0L, 1L, 2L)));
    assertThat(troubles.all()).isEmpty();
  }

  /** What version 0 served was not learned, and a window without rows says nothing. */
  @Test
  void windows_thatTellNothing_areNoSign() {
    for (int k = 0; k < 9; k++) {
      add(report(0, Double.NaN, Double.NaN, null));
      add(report(1_000, 3, 2, 1L, List.of(0L)));
    }
    assertThat(troubles.all()).isEmpty();
  }

  @Test
  void losses_belowZero_areComparedToo() {
    add(report(500, -3, -2, 1L));
    assertThat(troubles.all()).isEmpty();
    add(report(5_000, -1, -2, 1L));
    assertThat(kinds()).containsExactly(TroubleKind.WORSE_THAN_CONSTANT);
  }

  private List<TroubleKind> kinds() {
    return troubles.of("m").stream().map(Trouble::kind).toList();
  }

  private void add(WindowReport report) {
    signs.add(report);
    signs.tell();
  }

  private WindowReport report(long rows, double loss, double constantLoss, @Nullable Long version) {
    return report(rows, loss, constantLoss, version, List.of(3L, 4L));
  }

  private WindowReport report(
      long rows, double loss, double constantLoss, @Nullable Long version, List<Long> served) {
    return WindowReport.newBuilder()
        .setFormat(4)
        .setModel("m")
        .setWindow(++window)
        .setRanges(List.of())
        .setRows(rows)
        .setUnusable(Map.of())
        .setServedVersions(served)
        .setLoss(loss)
        .setConstantLoss(constantLoss)
        .setMetrics(Map.of())
        .setEnvironments(List.of())
        .setPublishedVersion(version)
        .setDecision("It is worse.")
        .setTreesAppended(0)
        .setTreesTotal(0)
        .setTrainingMillis(0)
        .setAt(Instant.EPOCH)
        .setTipVersion(7L)
        .build();
  }
}
