package io.holdfast.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Whatever a model file of another program holds, it scores or is refused in a sentence. */
class ModelImportFuzzTest {
  @SuppressWarnings("NullAway.Init")
  private static Path file;

  @BeforeAll
  static void create() throws IOException {
    file = Files.createTempFile("fuzz", ".model");
  }

  @AfterAll
  static void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void document(byte[] bytes) throws IOException {
    read(bytes);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void lightGbm(byte[] bytes) throws IOException {
    read(BadModelsTest.LIGHTGBM.getBytes(UTF_8), bytes);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void xgboost(byte[] bytes) throws IOException {
    read(BadModelsTest.XGBOOST.getBytes(UTF_8), bytes);
  }

  /** A model in which pairs of bytes say where another byte stands. */
  private static void read(byte[] model, byte[] changes) throws IOException {
    byte[] bytes = model.clone();
    for (int i = 0; i + 2 < changes.length; i += 3) {
      int at = ((changes[i] & 0xFF) << 8 | (changes[i + 1] & 0xFF)) % bytes.length;
      bytes[at] = changes[i + 2];
    }
    read(bytes);
  }

  private static void read(byte[] bytes) throws IOException {
    Files.write(file, bytes);
    try {
      ForeignModel read = ModelImport.read(file);
      Scorer scorer = Scorer.of(read.model());
      double[] scores = new double[scorer.outputs()];
      scorer.score(new double[scorer.width()], scores);
      assertThat(scores).isNotEmpty();
    } catch (ExchangeException refused) {
      assertThat(refused).hasMessageContaining(file.toString());
    }
  }
}
