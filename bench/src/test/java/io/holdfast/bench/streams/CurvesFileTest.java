package io.holdfast.bench.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.report.LineChart;
import io.holdfast.cli.input.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurvesFileTest {
  @TempDir Path folder;

  @Test
  void lines_comeBackAsTheyWereAdded() {
    CurvesFile file = new CurvesFile(folder.resolve("curves.csv"));
    assertThat(file.lines("drift")).isEmpty();
    file.add("drift", new LineChart.Line("auto", new double[] {1, 2}, new double[] {0.5, 0.25}));
    file.add("shift", new LineChart.Line("gamma 1", new double[] {0}, new double[] {1.5}));
    file.add("drift", new LineChart.Line("append", new double[] {1}, new double[] {0.125}));

    assertThat(file.lines("drift"))
        .extracting(LineChart.Line::name)
        .containsExactly("auto", "append");
    assertThat(file.line("drift", "auto").orElseThrow().y()).containsExactly(0.5, 0.25);
    assertThat(file.line("shift", "gamma 1").orElseThrow().x()).containsExactly(0);
    assertThat(file.line("shift", "auto")).isEmpty();
  }

  @Test
  void file_ofSomethingElse_isRefused() throws IOException {
    Path path = Files.writeString(folder.resolve("curves.csv"), "picture,line,x,y\na,b,c,d\n");
    assertThatThrownBy(() -> new CurvesFile(path).lines("a"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("no number: c");
  }
}
