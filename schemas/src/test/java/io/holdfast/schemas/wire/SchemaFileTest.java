package io.holdfast.schemas.wire;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaFileTest {
  @TempDir private Path folder;

  @Test
  void read_schemaOfAFile_isParsed() throws IOException {
    Schema schema = ModelManifest.getClassSchema();
    Path file = Files.writeString(folder.resolve("m.avsc"), schema.toString());

    assertThat(SchemaFile.read(file)).isEqualTo(schema);
  }

  @Test
  void read_noSchema_saysSoInOneSentence() throws IOException {
    Path file = Files.writeString(folder.resolve("m.avsc"), "{\"type\": \"recrod\"}");
    Path misspelt =
        Files.writeString(
            folder.resolve("o.avsc"),
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"strnig\"}]}");
    Path other = Files.writeString(folder.resolve("n.avsc"), "\"int\"");

    assertThatThrownBy(() -> SchemaFile.read(file))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("the schema file " + file + " must hold one Avro record schema: ")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(() -> SchemaFile.read(misspelt))
        .hasMessageEndingWith("Undefined schema: strnig");
    assertThatThrownBy(() -> SchemaFile.read(other)).hasMessageEndingWith("its type is int");
    assertThatThrownBy(() -> SchemaFile.read(folder.resolve("none")))
        .hasMessage("the schema file " + folder.resolve("none") + " cannot be read");
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 9_000})
  void parse_flatTextOfTypesThatNameEachOther_isRefusedAsDeepNesting(int length) {
    String chain =
        IntStream.range(0, length)
            .mapToObj(
                i ->
                    Sentence.of(
                        """
                        {"name":"f%d","type":{"type":"record","name":"R%d",
                        "fields":[{"name":"x","type":"%s"}]}}\
                        """,
                        i, i, i == length - 1 ? "int" : "R" + (i + 1)))
            .collect(joining(",", "{\"type\":\"record\",\"name\":\"T\",\"fields\":[", "]}"));

    assertThatThrownBy(() -> SchemaFile.parse(chain))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("its types are nested more than 200 deep");
  }

  @Test
  void parse_deepNesting_isRefused() {
    String deep =
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":"
            + "{\"type\":\"array\",\"items\":".repeat(5_000)
            + "\"int\""
            + "}".repeat(5_000)
            + "}]}";

    assertThatThrownBy(() -> SchemaFile.parse(deep)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void parse_damagedText_throwsIllegalArgumentOnly(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String whole =
        """
        {"type":"record","name":"R","namespace":"n","doc":"d","aliases":["q"],"fields":[
        {"name":"a","type":{"type":"long","logicalType":"timestamp-millis"},"default":5},
        {"name":"b","type":["null",{"type":"enum","name":"E","symbols":["A","B"],"default":"A"}]},
        {"name":"c","type":{"type":"fixed","name":"F","size":4,"logicalType":"decimal","precision":3,"scale":1}},
        {"name":"d","type":{"type":"map","values":"R"},"order":"ignore","default":{}},
        {"name":"e","type":{"type":"array","items":"bytes"},"default":[]}]}
        """;
    String alphabet = whole + "\\u0000-+.eE";
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder(whole);
      for (int k = random.nextInt(1, 5); k > 0; k--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
          default -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        }
      }
      try {
        Schema parsed = SchemaFile.parse(text.toString());
        assertThat(Fingerprint.hex(Fingerprint.of(parsed))).hasSize(16);
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }
}
