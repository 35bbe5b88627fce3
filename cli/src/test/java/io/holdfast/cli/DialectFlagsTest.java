package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same rows in another dialect make the same model and the same scores. */
class DialectFlagsTest {
  private static final String FIT = " --label=y --objective=squared --rounds=3 --seed=1";

  @TempDir Path folder;

  @Test
  void rowsInAnotherDialect_declared_makeTheSameModelAndScores() throws IOException {
    StringBuilder text = new StringBuilder("y,x,ort\n");
    var random = new SplittableRandom(1);
    for (int i = 0; i < 400; i++) {
      double x = random.nextInt(1_000) / 64.0;
      text.append(2 * x).append(',').append(x).append(i % 3 == 0 ? ",Köln\n" : ",Bonn\n");
    }
    Path plain = Files.writeString(folder.resolve("rows.csv"), text);
    String other = text.toString().replace(',', '^').replace('.', ',');
    Path declared = folder.resolve("other.csv");
    Files.write(declared, other.getBytes(Charset.forName("windows-1252")));
    String flags = " --delimiter=^ --decimal=, --quote=none --encoding=windows-1252";
    fit(plain, "a.model", "");
    fit(declared, "b.model", flags);
    String scores = scores(plain, "a.model", "");
    assertThat(scores.lines()).hasSize(401);
    assertThat(scores(declared, "b.model", flags)).isEqualTo(scores);
    assertThat(scores(declared, "a.model", flags)).isEqualTo(scores);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --delimiter=ab   | --delimiter must be one character of ASCII
          --delimiter=1    | or tab: 1
          --quote=x        | or none: x
          --decimal=;      | --decimal must be . or ,: ;
          --delimiter="    | --delimiter and --quote must differ: "
          --encoding=utf9  | --encoding must be the name of one, such as UTF-8, UTF-16LE
          """)
  void flag_thatSaysNoDialect_isAMistake(String flag, String sentence) throws IOException {
    Path rows = Files.writeString(folder.resolve("rows.csv"), "y,x\n1,2\n");
    CliRun.of(("fit --data=" + rows + FIT + " " + flag).split(" ", -1))
        .saysOneSentence(2, sentence);
  }

  private void fit(Path data, String model, String flags) {
    String out = " --out=" + folder.resolve(model);
    CliRun run = CliRun.of(("fit --data=" + data + FIT + out + flags).split(" ", -1));
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private String scores(Path data, String model, String flags) {
    String from = " --model=" + folder.resolve(model);
    CliRun run = CliRun.of(("score " + data + from + flags).split(" ", -1));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }
}
