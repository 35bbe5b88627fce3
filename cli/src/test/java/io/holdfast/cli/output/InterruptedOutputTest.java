package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that are interrupted while they write; {@code models export} is in another test. */
class InterruptedOutputTest {
  @TempDir static Path inputs;
  @TempDir Path folder;

  @BeforeAll
  static void fit() throws IOException {
    List<String> lines = new ArrayList<>(List.of("x,z,y"));
    for (int row = 0; row < 60; row++) {
      lines.add(row % 7 + "," + row % 5 + "," + row % 3);
    }
    Files.write(inputs.resolve("train.csv"), lines);
    CliRun run = CliRun.of(arguments("fit --data=TRAIN --label=y FLAGS --rounds=2 --out=MODEL"));
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "INT, 130, fit --data=TRAIN --label=y FLAGS --rounds=2 --out=OUT",
    "TERM, 143, refit --model=MODEL --data=TRAIN --out=OUT",
    "INT, 130, score TRAIN --model=MODEL --out=OUT",
    "TERM, 143, explain TRAIN --model=MODEL --out=OUT",
    "INT, 130, backtest --data=TRAIN --label=y FLAGS --window=30 --json=OUT"
  })
  void commandThatIsInterrupted_leavesTheOldFile_andNoOther(String signal, int code, String command)
      throws Exception {
    Path out = Files.writeString(folder.resolve("old"), "before");
    StoppedWhileWriting.assertLeavesTheOldFile(
        out, signal, code, List.of(arguments(command.replace("OUT", out.toString()))));
  }

  private static String[] arguments(String command) {
    return command
        .replace("FLAGS", "--objective=squared")
        .replace("TRAIN", inputs.resolve("train.csv").toString())
        .replace("MODEL", inputs.resolve("model.hf").toString())
        .split(" ");
  }
}
