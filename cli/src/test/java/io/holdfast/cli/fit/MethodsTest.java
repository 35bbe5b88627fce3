package io.holdfast.cli.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The methods of docs/math.md are reached by the flags and keys that its table names. */
class MethodsTest {
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));
  private static final Pattern ROW =
      Pattern.compile("\\| [^|]+ \\| [^|]+ \\| `(--[\\w-]+)` \\| `([\\w.]+)` \\| `(\\w+)` \\|");

  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder rows = new StringBuilder("x,z,site,y\n");
    for (int row = 0; row < 600; row++) {
      double x = random.nextDouble();
      double z = random.nextDouble();
      double y = 3 * x + (z > 0.5 ? 2 : 0) + 0.3 * random.nextGaussian();
      rows.append(x).append(',').append(z).append(",s").append(row % 4).append(',');
      rows.append(y).append('\n');
    }
    data = Files.writeString(folder.resolve("d.csv"), rows);
  }

  @Test
  void table_namesFlagsKeysAndTests() throws IOException {
    List<String> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("boosting/src/test/java"))) {
      files.forEach(file -> tests.add(file.getFileName().toString()));
    }
    Matcher rows = ROW.matcher(Files.readString(ROOT.resolve("docs/math.md")));
    int methods = 0;
    while (rows.find()) {
      Key<?> key =
          ModelKeys.ALL.stream()
              .filter(one -> one.path().equals(rows.group(2)))
              .findFirst()
              .orElseThrow();
      assertThat(Objects.requireNonNull(key.flag()).name()).isEqualTo(rows.group(1));
      assertThat(tests).contains(rows.group(3) + ".java");
      methods++;
    }
    assertThat(methods).isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--step=lineSearch",
        "--stop-after=3 --kept-out=0.3",
        "--base=linear --linear-strength=auto",
        "--base=linear --linear-strength=auto --linear-folds=time --linear-l1-ratio=1",
        "--base=linear --linear-strength=auto --linear-folds=environment --linear-l1-ratio=0.5",
      })
  void fit_score_explain_backtest(String flags) throws IOException {
    Path model = folder.resolve("m.hf");
    CliRun fit = run("fit", flags, "--out=" + model, "--json");
    assertThat(fit.exitCode()).as(fit.err()).isZero();
    JsonNode result = fit.json();
    assertThat(result.get("trees").asInt()).isPositive();
    if (flags.contains("auto")) {
      assertThat(result.get("notes").toString()).contains("chosen by cross-validation");
    }
    CliRun score = CliRun.of("score", data.toString(), "--model=" + model);
    assertThat(score.exitCode()).as(score.err()).isZero();
    CliRun explain = CliRun.of("explain", data.toString(), "--model=" + model);
    assertThat(explain.exitCode()).as(explain.err()).isZero();

    CliRun backtest = run("backtest", flags, "--window=100", "--policy=replace", "--json");
    assertThat(backtest.exitCode()).as(backtest.err()).isZero();
  }

  private CliRun run(String command, String flags, String... more) {
    List<String> all = new ArrayList<>(List.of(command, "--data=" + data));
    all.addAll(List.of("--label=y", "--environment=site", "--objective=squared"));
    all.addAll(List.of(flags.split(" ", -1)));
    all.addAll(List.of(more));
    return CliRun.of(all.toArray(String[]::new));
  }
}
