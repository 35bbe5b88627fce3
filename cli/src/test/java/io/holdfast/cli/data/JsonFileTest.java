package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of JSON Lines: objects in objects, and columns of several kinds of values. */
class JsonFileTest {
  @TempDir Path folder;

  private DataFile open(Reading reading, String... lines) throws IOException {
    Path path = Files.write(folder.resolve("rows.jsonl"), List.of(lines));
    return DataFile.open(DataSource.of(path), reading);
  }

  private static List<List<@Nullable Object>> values(DataFile file, String... columns)
      throws Exception {
    List<String> paths = new ArrayList<>();
    for (String column : columns) {
      paths.add(file.field(column).orElseThrow());
    }
    FieldDecoder decoder = FieldDecoder.compile(file.schema(), paths);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        rows.add(Arrays.asList(cursor.fields(decoder, body)));
      }
    }
    return rows;
  }

  @Test
  void fieldsOfObjects_areColumnsByTheirPaths_andMissingWhereAnObjectIs() throws Exception {
    DataFile file =
        open(
            Reading.PLAIN,
            "{\"id\": 1, \"weather\": {\"wind\": 2.5, \"sky\": {\"clouds\": 3}}}",
            "{\"weather\": {\"sky\": null, \"wind\": null}, \"id\": 2}",
            "{\"id\": 3, \"weather\": null}",
            "{\"id\": 4, \"weather\": {\"sky\": {\"clouds\": 4.5, \"rain\": true}}}");
    assertThat(values(file, "id", "weather.wind", "weather.sky.clouds", "weather.sky.rain"))
        .hasToString(
            "[[1.0, 2.5, 3.0, null], [2.0, null, null, null], [3.0, null, null, null],"
                + " [4.0, null, 4.5, 1.0]]");
  }

  @Test
  void numbersAndTextInOneColumn_areRefusedWithBothPlaces_orNamesWhereItIsDeclared()
      throws Exception {
    String[] lines = {
      "{\"code\": 7, \"at\": {\"place\": 1}}",
      "{\"code\": \"7\", \"at\": {\"place\": 2}}",
      "{\"code\": \"x7\", \"at\": {\"place\": \"north\"}}"
    };
    assertThatThrownBy(() -> open(Reading.PLAIN, lines))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("line 2: code is text, and a number in ")
        .hasMessageEndingWith("line 1: write one kind of value, or null");

    DataFile file =
        open(new Reading(Set.of("code", "at.place"), MissingWords.of(List.of())), lines);
    assertThat(values(file, "code", "at.place")).hasToString("[[7, 1], [7, 2], [x7, north]]");
  }

  @Test
  void objectWhereThereWasAValue_isRefusedByItsPath() {
    assertThatThrownBy(
            () -> open(Reading.PLAIN, "{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": {\"c\": 1}}}"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("line 2: a.b is an object, and a number in ");
  }
}
