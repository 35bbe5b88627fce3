package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.input.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineChartTest {
  private static final LineChart CHART =
      new LineChart(
          "Accuracy & more",
          "row",
          "accuracy",
          false,
          List.of(
              new LineChart.Line("auto", new double[] {1, 2, 3}, new double[] {0.5, 0.75, 0.8}),
              new LineChart.Line("append", new double[] {1, 2, 3}, new double[] {0.5, 0.6, 0.7})));

  @TempDir Path folder;

  @Test
  void picture_isSvgWithItsWords_andTheSameAgain() throws IOException {
    CHART.save(folder.resolve("one.svg"));
    CHART.save(folder.resolve("two.svg"));

    String text = Files.readString(folder.resolve("one.svg"));
    assertThat(text)
        .startsWith("<svg ")
        .contains("viewBox", ">auto</text>", ">append</text>", "Accuracy &amp; more");
    assertThat(text.length()).isLessThan(60_000);
    assertThat(Files.readString(folder.resolve("two.svg"))).isEqualTo(text);
  }

  @Test
  void picture_thatCannotBeWritten_saysSo() {
    assertThatThrownBy(() -> CHART.save(folder.resolve("absent/one.svg")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("one.svg cannot be written");
  }
}
