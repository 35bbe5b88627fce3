package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 2 -3                               | "long"
          1 2.5 1e3                            | "double"
          9223372036854775807 0                | "long"
          9223372036854775808 0                | "double"
          true FALSE                           | "boolean"
          true 1                               | "string"
          1 inf -Infinity                      | "double"
          2024-01-31 2024-02-01T10:30          | {"type":"long","logicalType":"timestamp-millis"}
          2024-01-31T10:30:00.25Z              | {"type":"long","logicalType":"timestamp-millis"}
          2024-01-31T10:30+02:00               | {"type":"long","logicalType":"timestamp-millis"}
          2024-13-31                           | "string"
          007 008                              | "string"
          0x10 1                               | "string"
          1 two                                | "string"
          """)
  void column_byItsValues_isTheNarrowestType(String values, String type) throws IOException {
    DataFile file = csv("c\n" + values.replace(' ', '\n') + "\n");
    assertThat(file.schema().getField("c").schema()).isEqualTo(new Schema.Parser().parse(type));
  }

  @Test
  void emptyField_anywhere_isNullInAUnionAndNotZero() throws IOException {
    DataFile file = csv("a,b\n1,x\n,y\n3,\n");
    assertThat(file.schema().getField("a").schema().getTypes())
        .extracting(Schema::getType)
        .containsExactly(Schema.Type.NULL, Schema.Type.LONG);
    assertThat(rows(file)).extracting(row -> row.get("a")).containsExactly(1L, null, 3L);
    assertThat(rows(file)).extracting(row -> text(row, "b")).containsExactly("x", "y", "null");
  }

  @Test
  void columnWithoutValues_isAMissingNumber() throws IOException {
    assertThat(rows(csv("a,b\n1,\n2,\n"))).extracting(row -> row.get("b")).containsOnlyNulls();
  }

  @Test
  void timestamp_withoutZone_isUtc() throws IOException {
    assertThat(rows(csv("t\n1970-01-02\n1970-01-01 00:01\n1970-01-01T01:00:00+01:00\n")))
        .extracting(row -> row.get("t"))
        .containsExactly(86_400_000L, 60_000L, 0L);
  }

  @Test
  void quotedField_withCommaQuoteAndLineBreak_isOneValue() throws IOException {
    assertThat(rows(csv("a,b\n\"x, \"\"y\"\"\nz\",1\n")))
        .extracting(row -> text(row, "a"))
        .containsExactly("x, \"y\"\nz");
  }

  /** What was read as numbers until a word came is read again. */
  @Test
  void columnThatTurnsOutToBeText_late_keepsEveryWriting() throws IOException {
    StringBuilder text = new StringBuilder("a,b,c\n");
    for (int i = 0; i < 60_000; i++) {
      text.append(i % 2 == 0 ? "+" : "").append(i).append(",NA,1.50\n");
    }
    DataFile file = csv(text + "word,x,2\n");
    List<GenericRecord> rows = rows(file);
    assertThat(rows).hasSize(60_001);
    for (int i = 0; i < 60_000; i++) {
      assertThat(text(rows.get(i), "a")).isEqualTo((i % 2 == 0 ? "+" : "") + i);
      assertThat(text(rows.get(i), "b")).isEqualTo("NA");
      assertThat(rows.get(i).get("c")).isEqualTo(1.5);
    }
    assertThat(text(rows.getLast(), "a")).isEqualTo("word");
  }

  @Test
  void fileThatChanges_whileItIsReadAgain_isRefused() throws IOException {
    String numbers = "1,2\n".repeat(100_000);
    Path path = write("rows.csv", "a,b\n" + numbers + "word,2\n");
    DataFile file = DataFile.open(DataSource.of(path), Reading.PLAIN);
    write("rows.csv", "a,b\n" + numbers + "word,other\n");
    assertThatThrownBy(() -> rows(file))
        .hasMessageContainingAll("line 100002 has other in column b now", "do not write to");
  }

  @Test
  void asText_digits_keepTheirWriting() throws IOException {
    Path path = write("rows.csv", "zone,y\n1,2\n01,3\n");
    DataFile file =
        DataFile.open(DataSource.of(path), new Reading(Set.of("zone"), MissingWords.USUAL));
    assertThat(rows(file)).extracting(row -> text(row, "zone")).containsExactly("1", "01");
  }

  @Test
  void header_withNamesThatAvroRefuses_isRenamedAndFoundByEitherName() throws IOException {
    DataFile file = csv("free sulfur,2nd,free-sulfur\n1,2,3\n");
    assertThat(file.schema().getFields())
        .extracting(Schema.Field::name)
        .containsExactly("free_x0020_sulfur", "_x0032_nd", "free_x002D_sulfur");
    assertThat(file.field("free-sulfur")).contains("free_x002D_sulfur");
    assertThat(file.field("_x0032_nd")).contains("_x0032_nd");
    assertThat(file.field("2nd")).contains("_x0032_nd");
    assertThat(file.field("sulfur")).isEmpty();
  }

  @Test
  void gzippedFileWithByteOrderMark_readsLikeThePlainOne() throws IOException {
    Path path = folder.resolve("rows.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write("\uFEFFä,b\nö,1\n".getBytes(StandardCharsets.UTF_8));
    }
    DataFile file = DataFile.open(DataSource.of(path), Reading.PLAIN);
    assertThat(file.columns()).containsExactly("ä", "b");
    assertThat(file.rows()).isOne();
  }

  @Test
  void spacesAroundFieldsAndQuotes_areNoneOfThem() throws IOException {
    DataFile file = csv("a, b ,\"c\"\n 1,\t2.5 , \"x, y\" \n3 , 4, z\n");
    assertThat(file.columns()).containsExactly("a", "b", "c");
    assertThat(rows(file)).extracting(row -> row.get("a")).containsExactly(1L, 3L);
    assertThat(rows(file)).extracting(row -> row.get("b")).containsExactly(2.5, 4.0);
    assertThat(rows(file)).extracting(row -> text(row, "c")).containsExactly("x, y", "z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a,b~1,2~3~              | line 3 has 1 fields where the header has 2 columns
          a,b~1,2~3,"x"y~         | line 3 cannot be read
          a,a~1,2~                | has two columns named a
          a,~1,2~                 | has no name for column 2
          a;b,c~1;2,3~            | may be parted by , or by ;
          a b~1;2~3,4~            | line 3 has 2 fields where the header has 1 columns
          a,b~                    | has a header and no rows
          """)
  void brokenFile_saysWhatAndWhere(String content, String sentence) throws IOException {
    Path path = write("rows.csv", content.replace('~', '\n'));
    assertThatThrownBy(() -> DataFile.open(DataSource.of(path), Reading.PLAIN))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(path.toString())
        .hasMessageContaining(sentence);
  }

  @Test
  void emptyFile_saysThatItsHeaderIsMissing() throws IOException {
    Path path = write("rows.csv", "");
    assertThatThrownBy(() -> DataFile.open(DataSource.of(path), Reading.PLAIN))
        .hasMessageContaining("its first line must name the columns");
  }

  @Test
  void fileThatIsNotUtf8_saysSo() throws IOException {
    Path path = folder.resolve("rows.csv");
    Files.write(path, "a\nä\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> DataFile.open(DataSource.of(path), Reading.PLAIN))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("is not UTF-8");
  }

  @Test
  void fileNamedGzThatIsNone_saysSo() throws IOException {
    Path path = write("rows.csv.gz", "a\n1\n");
    assertThatThrownBy(() -> DataFile.open(DataSource.of(path), Reading.PLAIN))
        .hasMessageContaining("is not gzipped");
  }

  private DataFile csv(String content) throws IOException {
    return DataFile.open(DataSource.of(write("rows.csv", content)), Reading.PLAIN);
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static String text(GenericRecord row, String field) {
    return String.valueOf(row.get(field));
  }

  private static List<GenericRecord> rows(DataFile file) throws IOException {
    var reader = new GenericDatumReader<GenericRecord>(file.schema());
    List<GenericRecord> rows = new ArrayList<>();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        rows.add(reader.read(null, DecoderFactory.get().binaryDecoder(body, null)));
      }
    }
    return rows;
  }
}
