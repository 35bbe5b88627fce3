package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The defaults of {@code fit}, which stand on the table that {@code ./holdfast-bench defaults
 * --rows 10000 --seeds 3 --depths 64} prints: who changes one measures again.
 */
class FitDefaultsTest {
  private static final List<String> TREES =
      List.of(
          "--gamma=1",
          "--learning-rate=0.1",
          "--max-leaves=31",
          "--max-depth=64",
          "--min-rows=20",
          "--lambda=1",
          "--max-bins=255");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path train;

  @SuppressWarnings("NullAway.Init")
  private Path validation;

  @BeforeEach
  void write() throws IOException {
    train = rows("train.csv", 400, 1);
    validation = rows("validation.csv", 100, 2);
  }

  private Path rows(String name, int size, long seed) throws IOException {
    var random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>(List.of("x,kind,y"));
    for (int row = 0; row < size; row++) {
      double x = random.nextDouble();
      String kind = "k" + random.nextInt(5);
      lines.add(x + "," + kind + "," + (10 * x * x + kind.charAt(1) + random.nextGaussian()));
    }
    return Files.write(folder.resolve(name), lines);
  }

  @Test
  void withoutFlags_isWithTheFlagsOfTheTable() throws IOException {
    assertThat(model(List.of())).isEqualTo(model(List.of("--rounds=100"), TREES));
  }

  @Test
  void earlyStopping_isWithTheFlagsOfTheTable() throws IOException {
    List<String> stopping = List.of("--validation=" + validation);
    List<String> said = List.of("--rounds=1000", "--patience=20", "--stop-by=mean");
    assertThat(model(stopping)).isEqualTo(model(stopping, said, TREES));
  }

  @SafeVarargs
  private byte[] model(List<String>... flags) throws IOException {
    Path out = folder.resolve("model.hf");
    List<String> arguments =
        new ArrayList<>(
            List.of("fit", "--data=" + train, "--label=y", "--objective=squared", "--out=" + out));
    for (List<String> some : flags) {
      arguments.addAll(some);
    }
    CliRun run = CliRun.of(arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return Files.readAllBytes(out);
  }
}
