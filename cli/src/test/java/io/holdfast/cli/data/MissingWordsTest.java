package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Words for a missing value by the type of the column that they stand in. */
class MissingWordsTest {
  private static final List<String> USUAL =
      List.of(
          "", "  ", "NA", "n/a", "N.A.", "#N/A", "<NA>", "NaN", "-nan", "null", "NULL", "nil",
          "None", "?", "-", "--", ".", "\\N", " NA ");

  @TempDir Path folder;

  static Stream<Arguments> wordsByType() {
    return USUAL.stream()
        .flatMap(
            word ->
                Stream.of("1 2", "1 2.5", "true false", "2024-01-31 2024-02-01")
                    .map(values -> Arguments.of(word, values)));
  }

  @ParameterizedTest
  @MethodSource("wordsByType")
  void usualWord_amongNumbersTruthsAndDates_isNoValue(String word, String values)
      throws IOException {
    String[] two = values.split(" ", -1);
    DataFile gap = csv(Reading.PLAIN, two[0], "", two[1]);
    DataFile said = csv(Reading.PLAIN, two[0], word, two[1]);
    assertThat(said.schema()).isEqualTo(gap.schema());
    assertThat(values(said)).isEqualTo(values(gap)).contains((Object) null);
    said.checkFeatures(Set.of("c"));
    assertThat(said.notes(Set.of("c"))).isEqualTo(gap.notes(Set.of("c")));
  }

  @ParameterizedTest
  @MethodSource("usual")
  void usualWord_amongCategories_isOne_unlessItIsDeclared(String word) throws IOException {
    assertThat(values(csv(Reading.PLAIN, "a", word, "b"))).containsExactly("a", word, "b");
    Reading declared = new Reading(Set.of(), MissingWords.of(List.of(word)));
    assertThat(values(csv(declared, "a", word.toLowerCase(Locale.ROOT), "b")))
        .containsExactly("a", null, "b");
  }

  static Stream<String> usual() {
    return USUAL.stream().map(String::strip).filter(word -> !word.isEmpty()).distinct();
  }

  @Test
  void declaredWord_isNoValue_inEveryType() throws IOException {
    Reading declared = new Reading(Set.of(), MissingWords.of(List.of("-999", "Unknown")));
    assertThat(values(csv(declared, "1", "-999", "unknown"))).containsExactly(1L, null, null);
    assertThat(values(csv(declared, "a", "-999", "unknown"))).containsExactly("a", null, null);
  }

  @Test
  void numberThatIsDeclared_isNoValueHoweverItIsWritten() {
    MissingWords missing = MissingWords.of(List.of("-999", "NA", "1e6"));
    assertThat(missing.isMissing(-999.0)).isTrue();
    assertThat(missing.isMissing(1_000_000)).isTrue();
    assertThat(missing.isMissing(0)).isFalse();
    assertThat(missing.isMissing(Double.NaN)).isFalse();
  }

  private DataFile csv(Reading reading, String... cells) throws IOException {
    StringBuilder text = new StringBuilder("c,d\n");
    for (String cell : cells) {
      text.append(cell).append(",1\n");
    }
    return DataFile.open(
        DataSource.of(Files.writeString(folder.resolve("rows.csv"), text)), reading);
  }

  private static List<Object> values(DataFile file) throws IOException {
    var reader = new GenericDatumReader<GenericRecord>(file.schema());
    List<Object> values = new ArrayList<>();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        Object value = reader.read(null, DecoderFactory.get().binaryDecoder(body, null)).get("c");
        values.add(value instanceof CharSequence text ? text.toString() : value);
      }
    }
    return values;
  }
}
