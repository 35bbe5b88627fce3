package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.csv.Dialect;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CSV as the world writes it: the same values, or a sentence. */
class CsvDialectTest {
  @TempDir Path folder;

  /** Every delimiter with either decimal mark, quoted or not, with either end of lines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          , . false
          , . true
          ; . false
          ; . true
          ; , false
          ; , true
          tab . false
          tab , true
          tab , false
          | . true
          | , false
          """)
  void dialect_isFound_orDeclared_withTheSameValues(String parts, char decimal, boolean quoted)
      throws IOException {
    char delimiter = parts.equals("tab") ? '\t' : parts.charAt(0);
    List<List<String>> cells =
        List.of(
            List.of("name", "x", "n"),
            List.of("Öl", "1.25", "7"),
            List.of("a b", "-0.5", "12"),
            List.of("NA", "1e3", ""));
    List<List<Object>> values =
        List.of(List.of("Öl", 1.25, 7L), List.of("a b", -0.5, 12L), List.of("NA", 1000.0, "none"));
    for (String end : List.of("\n", "\r\n", "\r")) {
      StringBuilder text = new StringBuilder();
      for (List<String> row : cells) {
        List<String> written = row.stream().map(cell -> written(cell, decimal, quoted)).toList();
        text.append(String.join(String.valueOf(delimiter), written)).append(end);
      }
      assertThat(values(file(text.toString(), Dialect.FOUND))).as(parts).isEqualTo(values);
      Dialect declared = new Dialect(delimiter, '"', decimal, StandardCharsets.UTF_8);
      assertThat(values(file(text.toString(), declared))).as(parts).isEqualTo(values);
    }
  }

  @Test
  void decimalCommas_inACommaFile_areDeclared() throws IOException {
    String text = "x,n\n\"1,5\",1\n\"1.234\",2\n";
    assertThat(values(file("x,n\n\"1,5\",1\n\"-2,25\",2\n", declared(null, null, ','))))
        .isEqualTo(List.of(List.of(1.5, 1L), List.of(-2.25, 2L)));
    assertThatThrownBy(() -> file(text, declared(null, null, ',')).checkFeatures(Set.of("x")))
        .hasMessageContaining("line 3: column x has 1.234", "--decimal");
  }

  @Test
  void quotes_areDeclared() throws IOException {
    assertThat(values(file("a,b\n'x, y',1\n'it''s',2\n", declared(null, '\'', null))))
        .isEqualTo(List.of(List.of("x, y", 1L), List.of("it's", 2L)));
    assertThat(values(file("a;b\n\"x;1\ny;2\n", declared(null, Dialect.NO_QUOTE, null))))
        .isEqualTo(List.of(List.of("\"x", 1L), List.of("y", 2L)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE", "windows-1252", "ISO-8859-1", "GB18030"})
  void encoding_isDeclared(String name) throws IOException {
    Charset encoding = Charset.forName(name);
    String row = name.equals("GB18030") ? "日本😀,2\n" : "Öl,2\n";
    Path path = folder.resolve("rows.csv");
    Files.write(path, ("näme,x\n" + row.repeat(30_000)).getBytes(encoding));
    DataFile file = open(path, new Dialect(null, null, null, encoding));
    assertThat(file.columns()).containsExactly("näme", "x");
    assertThat(values(file)).hasSize(30_000).containsOnly(List.of(row.split(",", 2)[0], 2L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
  void byteOrderMark_saysTheEncoding(String name) throws IOException {
    Path path = folder.resolve("rows.csv");
    Files.write(path, "\uFEFFnäme;x\nÖl;1,5\n".getBytes(Charset.forName(name)));
    DataFile file = open(path, Dialect.FOUND);
    assertThat(file.columns()).containsExactly("näme", "x");
    assertThat(values(file)).isEqualTo(List.of(List.of("Öl", 1.5)));
  }

  @Test
  void otherEncodings_areRefusedWithTheFlag() throws IOException {
    Path path = folder.resolve("rows.csv");
    Files.write(path, "a,b\nx,1\nä,2\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> open(path, Dialect.FOUND))
        .hasMessageContainingAll("line 3 is not UTF-8", "--encoding");
    Files.write(path, "a,b\nx,1\n".getBytes(StandardCharsets.UTF_16LE));
    assertThatThrownBy(() -> open(path, Dialect.FOUND)).hasMessageContaining("--encoding UTF-16LE");
    Files.write(path, new byte[] {'a', '\n', (byte) 0x81});
    assertThatThrownBy(() -> open(path, new Dialect(null, null, null, Charset.forName("GBK"))))
        .hasMessageContaining("is not in the encoding GBK");
  }

  /** What may mean two things is said, never guessed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      textBlock =
          """
          a;b,c~1;2,3~4;5,6~        > may be parted by , or by ;: say which with --delimiter
          a;b~1.234;2~5.678;3~      > has numbers such as 1.234, with a decimal point or
          a;b~1;2~3,4~              > line 3 has 1 fields where the header has 2 columns
          a,b~1,2~3;4,5;6,7~        > line 3 has 3 fields where the header has 2 columns
          """)
  void ambiguousText_isRefused(String text, String sentence) {
    assertThatThrownBy(() -> file(text.replace('~', '\n'), Dialect.FOUND))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(sentence);
  }

  /** A feature of such values would be one of categories without a word. */
  @ParameterizedTest
  @ValueSource(strings = {"1,5", "-0,25", "1.234.567", "1'234", "1,234.5", "1.234,5", "1,234"})
  void numbersInAnotherWriting_areNoCategories(String number) throws IOException {
    DataFile file = file("x;y\n7;1\n" + (number + ";2\n").repeat(3), declared(null, null, '.'));
    assertThatThrownBy(() -> file.checkFeatures(Set.of("x")))
        .hasMessageContaining("line 3: column x has " + number + ", a number in another writing");
    file.checkFeatures(Set.of("y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "1.2.3", "12-34", "007,5", "1,5 kg", "5,6,7", "1.23.456"})
  void names_ofDigits_areCategories(String name) throws IOException {
    file("x;y\n" + (name + ";2\n").repeat(4), declared(null, null, '.'))
        .checkFeatures(Set.of("x", "y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"05/06/2024", "31.12.2024", "5-6-24", "2024/05/06", "05/06/2024 10:30"})
  void dates_ofWhichNoneKnowsTheDay_areSaid(String date) throws IOException {
    DataFile file = file("x,y\n" + (date + ",2\n").repeat(4), Dialect.FOUND);
    file.checkFeatures(Set.of("x"));
    assertThat(file.notes(Set.of("x")))
        .containsExactly(
            "column x is taken for categories, and has dates (the first is "
                + date
                + " in line 2): write them as 2026-05-31");
  }

  @Test
  void lateContradiction_isSaid_howeverFarBehind() throws IOException {
    StringBuilder text = new StringBuilder("a;x\n");
    IntStream.range(0, 60_000).forEach(i -> text.append("n;").append(i % 97).append(",5\n"));
    DataFile file = file(text + "n;1.5\n", Dialect.FOUND);
    assertThatThrownBy(() -> file.checkFeatures(Set.of("x")))
        .hasMessageContaining("line 60002: column x has 1.5, a number in another writing");
  }

  private static String written(String cell, char decimal, boolean quoted) {
    String marked = cell.matches("[-0-9.]+") ? cell.replace('.', decimal) : cell;
    return quoted ? '"' + marked + '"' : marked;
  }

  private static Dialect declared(
      @Nullable Character delimiter, @Nullable Character quote, @Nullable Character decimal) {
    return new Dialect(delimiter, quote, decimal, null);
  }

  private DataFile file(String text, Dialect dialect) throws IOException {
    return open(Files.writeString(folder.resolve("rows.csv"), text), dialect);
  }

  private static DataFile open(Path path, Dialect dialect) {
    DataSource source = DataSource.of(path);
    source.written(dialect);
    return DataFile.open(source, Reading.PLAIN);
  }

  private static List<List<Object>> values(DataFile file) throws IOException {
    var reader = new GenericDatumReader<GenericRecord>(file.schema());
    List<List<Object>> rows = new ArrayList<>();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        GenericRecord row = reader.read(null, DecoderFactory.get().binaryDecoder(body, null));
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < file.columns().size(); i++) {
          Object value = row.get(i);
          values.add(value == null ? "none" : value instanceof Number ? value : value.toString());
        }
        rows.add(values);
      }
    }
    return rows;
  }
}
