package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModelFileTest {
  private static final Instant AT = Instant.parse("2025-06-01T12:00:00Z");

  @TempDir Path folder;

  static Stream<Model> models() {
    Rows rows = SampleRows.of(new Softmax(3), 1, 200, 2);
    var votes = new AdaBooster(AdaBoostSettings.stumps(10)).fit(3, SampleRows.FEATURES, rows);
    Model sample = SampleModels.of(new Logistic(), 3, 3, 9);
    return Stream.of(
        sample,
        SampleModels.withStatistics(sample, 3),
        votes.model(),
        new Model(new Logistic(), SampleRows.FEATURES, 0.25, List.of()));
  }

  @ParameterizedTest
  @MethodSource("models")
  void read_whatWasSaved_isTheSameModelWithTheSameBits(Model model) throws IOException {
    Path file = folder.resolve("new folder/a.model");
    ModelFile.save(file, "a", model, 2.5, 7, AT);
    LedgerVersion version = ModelFile.read(file);
    assertThat(version.model()).isEqualTo(model);
    assertThat(version.number()).isZero();
    assertThat(version.manifest().getGamma()).isEqualTo(2.5);
    assertThat(version.manifest().getSeed()).isEqualTo(7);
    Rows rows = SampleRows.of(new Logistic(), 9, 100, 2);
    assertThat(Scorer.of(version.model()).scores(rows)).isEqualTo(Scorer.of(model).scores(rows));
    assertThat(file.getParent()).as("nothing else is left").isDirectoryContaining(file::equals);
    assertThat(file.getParent()).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void save_overAnotherModel_replacesIt() throws IOException {
    Path file = folder.resolve("a.model");
    for (Model model : models().toList()) {
      ModelFile.save(file, "a", model, 1, 0, AT);
      assertThat(ModelFile.read(file).model()).isEqualTo(model);
    }
  }

  @Test
  void read_anyByteChangedOrCutOff_isRefusedInOneSentenceOrTheSame() throws IOException {
    Path file = folder.resolve("a.model");
    Model model = SampleModels.of(new Logistic(), 3, 1, 3);
    ModelFile.save(file, "a", model, 1, 0, AT);
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at += 7) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(file, damaged);
      try {
        assertThat(ModelFile.read(file).model()).as("byte %s", at).isEqualTo(model);
      } catch (ModelFileException e) {
        assertThat(e).hasMessageContaining(file.toString());
      }
    }
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    refused(file, "the rest was cut off");
  }

  @Test
  void read_whatIsNoModelFile_saysSo() throws IOException {
    refused(folder.resolve("none"), "there is no model file " + folder.resolve("none"));
    Path text = Files.writeString(folder.resolve("text"), "a,b\n1,2\n");
    refused(text, text + " is no readable model file: ");
    byte[] tooMany = {'O', 'b', 'j', 1, (byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F};
    Path damaged = Files.write(folder.resolve("damaged"), Arrays.copyOf(tooMany, 100));
    refused(damaged, damaged + " is no readable model file: ");
  }

  private static void refused(Path file, String message) {
    assertThatExceptionOfType(ModelFileException.class)
        .isThrownBy(() -> ModelFile.read(file))
        .withMessageContaining(message);
  }
}
