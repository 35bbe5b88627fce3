package io.holdfast.bench.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.holdfast.bench.streams.ResultsFile.Cell;
import io.holdfast.cli.input.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultsFileTest {
  private static final StreamFigures FIRST = figures(0.75);
  private static final StreamFigures SECOND = figures(0.875);

  @TempDir Path folder;

  @Test
  void cells_comeBackAsTheyWereAdded_theLastMeasurementCounts() {
    ResultsFile file = new ResultsFile(folder.resolve("results.csv"));
    assertThat(file.read()).isEmpty();
    file.add(new Cell("air", 100, 0, "auto"), FIRST);
    file.add(new Cell("air", 100, 50, "auto"), FIRST);
    file.add(new Cell("air", 100, 0, "auto"), SECOND);

    assertThat(file.read())
        .containsExactly(
            entry(new Cell("air", 100, 0, "auto"), SECOND),
            entry(new Cell("air", 100, 50, "auto"), FIRST));
  }

  @Test
  void emptyFile_isBegunWithItsColumns() throws IOException {
    ResultsFile file = new ResultsFile(Files.createFile(folder.resolve("results.csv")));
    assertThat(file.read()).isEmpty();
    file.add(new Cell("air", 100, 0, "auto"), FIRST);
    assertThat(file.read()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // before there was the processor time of the whole process
        """
        stream,rows,delay,learner,accuracy,kappa,kappaM,kappaTemporal,rmse,mae,r2,cpuSeconds
        air,100,0,auto,,,,,1.5,1.25,0.5,2.0
        """,
        "stream,rows,delay,learner,accuracy,kappa,kappaM,kappaTemporal,rmse,mae,r2,cpuSeconds",
        "a,b"
      })
  void fileOfOtherColumns_isRefusedWithARemedy_andLeftAsItIs(String content) throws IOException {
    Path path = Files.writeString(folder.resolve("results.csv"), content);

    assertThatThrownBy(() -> new ResultsFile(path).read())
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith(path + " has other columns than this version writes")
        .hasMessageContaining("another file with --results");
    assertThat(path).hasContent(content);
  }

  @Test
  void lineCutShort_isSaid() throws IOException {
    Path path = folder.resolve("results.csv");
    new ResultsFile(path).add(new Cell("air", 100, 0, "auto"), FIRST);
    Files.writeString(path, Files.readString(path) + "air,100,50,au\n");

    assertThatThrownBy(() -> new ResultsFile(path).read())
        .isInstanceOf(DataException.class)
        .hasMessageEndingWith("has a line that is no result: air,100,50,au");
  }

  private static StreamFigures figures(double accuracy) {
    return new StreamFigures(accuracy, 0.5, 0.25, 0, Double.NaN, Double.NaN, Double.NaN, 1.5, 2);
  }
}
