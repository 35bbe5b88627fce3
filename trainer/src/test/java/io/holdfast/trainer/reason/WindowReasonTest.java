package io.holdfast.trainer.reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.schemas.avro.LossChange;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** Windows of 600 rows; from the fourth on, labels of red rows are others. */
class WindowReasonTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);
  private static final int WINDOW = 600;
  private static final Map<String, String> SETTINGS =
      Map.of("window.rows", "" + WINDOW, "window.memoryRows", "1800", "seed", "3");

  @Test
  void window_whoseLossRose_saysWhyAndForWhom() {
    List<WindowReport> reports = reports(SETTINGS, 2);
    assertThat(reports.subList(0, 3)).allMatch(report -> report.getReason() == null);
    ReasonReport reason = reports.get(3).getReason();
    assertThat(reason).isNotNull();
    assertThat(reason.getChange()).isEqualTo(LossChange.LABELS);
    assertThat(reason.getSubgroup().getConditions()).containsExactly("color = red");
    assertThat(reason.getSubgroup().getShare()).isBetween(0.25, 0.42);
    assertThat(reason.getRows()).isEqualTo(WINDOW);
    assertThat(reason.getRowsBefore()).isEqualTo(3L * WINDOW);
    assertThat(reason.getEnvironments()).hasSize(2);
    assertThat(reason.getFeatures().getValue() + reason.getLabels().getValue())
        .isCloseTo(reason.getRise().getValue(), within(1e-9));
    assertThat(reason.getSentence()).startsWith("Loss rose by ").contains("color = red");
  }

  @Test
  void reason_isAFunctionOfTheRows() {
    List<WindowReport> once = reports(SETTINGS, 2);
    assertThat(reports(SETTINGS, 2)).isEqualTo(once);
  }

  @Test
  void report_isWrittenAsBefore_whereNothingNewIsSaid() throws Exception {
    List<WindowReport> reports = reports(SETTINGS, 2);
    List<Schema> schemas = Contracts.REPORT.written(); // of formats 5, 6 and 7
    assertThat(Contracts.REPORT.written(reports.getFirst())).isEqualTo(schemas.getFirst());
    assertThat(reports.getFirst().getFormat()).isEqualTo(5);
    assertThat(Contracts.REPORT.written(reports.get(3))).isEqualTo(WindowReport.getClassSchema());
    assertThat(reports.get(3).getFormat()).isEqualTo(7);
    WindowReport withoutRanges = WindowReport.newBuilder(reports.get(3)).setExpected(null).build();
    assertThat(Contracts.REPORT.written(withoutRanges)).isEqualTo(schemas.get(1));
    for (WindowReport report : reports) {
      assertThat(Contracts.REPORT.decode(Contracts.REPORT.encode(report))).isEqualTo(report);
    }
  }

  private static List<WindowReport> reports(Map<String, String> settings, double shift) {
    TrainerCore core = new TrainerCore(ExampleStream.settings(settings), ExampleStream.framing());
    core.apply(core.begin(ExampleStream.SCHEMA, TIME));
    List<WindowReport> reports = new ArrayList<>();
    for (LabelledRow row : rows(shift)) {
      assertThat(core.add(row)).isEmpty();
      var window = core.completeWindow();
      if (window.isPresent()) {
        TrainerEvent.Concluded concluded = core.decide(window.get(), TIME);
        core.apply(concluded);
        reports.add(concluded.report());
      }
    }
    return reports;
  }

  /** Scores that know the labels of the first rows, but for a part that is noise. */
  private static List<LabelledRow> rows(double shift) {
    SplittableRandom random = new SplittableRandom(11);
    List<String> colors = List.of("red", "green", "blue");
    List<LabelledRow> rows = new ArrayList<>();
    for (int k = 0; k < 4 * WINDOW; k++) {
      double x = random.nextDouble();
      String color = colors.get(random.nextInt(3));
      double label = 3 * x + random.nextGaussian();
      boolean shifted = k >= 3 * WINDOW && color.equals("red");
      rows.add(
          ExampleStream.row(
              new Position(0, k, 1_000 + k),
              ExampleStream.record(x, color),
              label + (shifted ? shift : 0),
              "e" + random.nextInt(2),
              3 * x));
    }
    return rows;
  }
}
