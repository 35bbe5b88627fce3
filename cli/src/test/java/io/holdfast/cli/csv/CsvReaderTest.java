package io.holdfast.cli.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.feature.MissingWords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parallel reader is held against Commons CSV, wherever the text is cut. */
class CsvReaderTest {
  private static final String[] TEXTS = {
    "",
    "a",
    "x y",
    " padded ",
    "\t",
    "1",
    "-0",
    "2.5",
    "1e3",
    "007",
    "NA",
    "ö",
    "日本",
    "\u2003b",
    "c\u3000",
    "😀",
    "\u00a0",
    "a\"b",
    "'",
    "true",
    "2024-01-31",
    "9223372036854775808",
    "inf",
    "#"
  };
  private static final String[] QUOTED = {
    "", "a,b", "x\ny", "x\r\ny\rz", "\"\"", "say \"\"no\"\", twice", " in ", "1.5", "\n", "\u2003q"
  };
  private static final String[] ENDS = {"\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\n\r\n"};

  /** A row as text, and the line that it ends in. */
  private record Row(long line, List<String> cells) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 64, 1 << 18})
  void rows_areThoseOfAPlainReader_whereverTheTextIsCut(int chunk) throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      String text = text(new SplittableRandom(seed));
      assertThat(rows(text, chunk)).as(text).isEqualTo(plain(text));
    }
  }

  @Test
  void largeText_ofManyChunks_isThatOfAPlainReader() throws IOException {
    StringBuilder text = new StringBuilder("a,b,c\n");
    var random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      line(text, 3, random);
      text.append('\n');
    }
    assertThat(rows(text.toString(), 1 << 12)).isEqualTo(plain(text.toString()));
  }

  /** The nearest double, however a number is written. */
  @Test
  void numbers_areThoseOfJava() {
    var random = new SplittableRandom(9);
    Cell cell = Cell.of(MissingWords.USUAL);
    for (int i = 0; i < 200_000; i++) {
      String text = number(random, i % 6);
      cell.read(text, false);
      if (cell.kind() == Cell.LONG) {
        assertThat(cell.bits()).as(text).isEqualTo(Long.parseLong(text));
      } else if (cell.kind() == Cell.MINUS_ZERO) {
        assertThat(Long.parseLong(text)).isZero();
      } else {
        assertThat(cell.kind()).as(text).isBetween(Cell.DOUBLE, Cell.BEYOND);
        double value = Double.parseDouble(text);
        assertThat(cell.bits()).as(text).isEqualTo(Double.doubleToRawLongBits(value));
        assertThat(cell.kind() == Cell.BEYOND).isEqualTo(Double.isInfinite(value));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 1 << 18})
  void wrongText_isSaidByItsLine(int chunk) {
    assertThatThrownBy(() -> rows("a,b\n1,2\n\n\"x\ny\",\"z\n", chunk))
        .isInstanceOfSatisfying(CsvException.class, e -> assertThat(e.line()).isBetween(4L, 6L))
        .hasMessageContaining("never closed");
    assertThatThrownBy(() -> rows("a,b\n1,2\n\n\"x\ny\",\"z\" z\n", chunk))
        .isInstanceOfSatisfying(CsvException.class, e -> assertThat(e.line()).isEqualTo(5))
        .hasMessageContaining("after a closing quote");
    assertThatThrownBy(() -> rows("a,b\r\n1,2\r\n3\r\n", chunk))
        .isInstanceOfSatisfying(CsvException.class, e -> assertThat(e.line()).isEqualTo(3))
        .hasMessageContaining("has 1 fields where the header has 2 columns");
  }

  private static String number(SplittableRandom random, int form) {
    String sign = random.nextInt(3) == 0 ? "-" : "";
    return switch (form) {
      case 0 -> String.valueOf(Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
      case 1 -> sign + random.nextInt(1_000_000) + "." + random.nextInt(1_000_000);
      case 2 -> sign + random.nextLong(Long.MAX_VALUE) + "." + random.nextLong(Long.MAX_VALUE);
      case 3 -> sign + random.nextLong(1L << random.nextInt(1, 63));
      case 4 ->
          sign + random.nextInt(10) + "." + random.nextInt(99) + "e" + random.nextInt(-330, 320);
      default -> sign + "9" + random.nextLong(Long.MAX_VALUE) + random.nextInt(99);
    };
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "\n" : "");
    int width = 1 + random.nextInt(4);
    for (int column = 0; column < width; column++) {
      text.append(column == 0 ? "h" : ",h").append(column);
    }
    for (int row = 0; row < random.nextInt(12); row++) {
      text.append(ENDS[random.nextInt(ENDS.length)]);
      line(text, width, random);
    }
    return text.append(random.nextBoolean() ? ENDS[random.nextInt(ENDS.length)] : "").toString();
  }

  private static void line(StringBuilder text, int width, SplittableRandom random) {
    for (int column = 0; column < width; column++) {
      text.append(column == 0 ? "" : ",");
      if (random.nextInt(3) == 0) {
        String pad = random.nextInt(4) == 0 ? " " : "";
        text.append(pad).append('"').append(QUOTED[random.nextInt(QUOTED.length)]).append('"');
        text.append(pad);
      } else {
        text.append(TEXTS[random.nextInt(TEXTS.length)]);
      }
    }
  }

  private static List<Row> rows(String text, int chunk) throws IOException {
    List<Row> rows = new ArrayList<>();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (CsvReader reader = CsvReader.open(new ByteArrayInputStream(bytes), Dialect.FOUND, chunk)) {
      int width = reader.header().size();
      reader.expect(Collections.nCopies(width, true), MissingWords.USUAL);
      for (CsvBlock block = reader.next(); block != null; block = reader.next()) {
        for (int i = 0; i < block.rows(); i++) {
          List<String> cells = new ArrayList<>();
          for (int column = 0; column < width; column++) {
            assertThat(block.text(i, column)).isEqualTo(stored(block, i, column));
            cells.add(stored(block, i, column));
          }
          rows.add(new Row(block.line(i), cells));
        }
      }
    }
    return rows;
  }

  private static String stored(CsvBlock block, int row, int column) {
    long bits = block.bits(row, column);
    return block.kind(row, column) == Cell.GAP
        ? ""
        : new String(
            block.bytes(), CsvBlock.place(bits), CsvBlock.length(bits), StandardCharsets.UTF_8);
  }

  private static List<Row> plain(String text) throws IOException {
    CSVFormat format =
        CSVFormat.RFC4180
            .builder()
            .setIgnoreEmptyLines(true)
            .setIgnoreSurroundingSpaces(true)
            .get();
    List<Row> rows = new ArrayList<>();
    try (CSVParser parser =
        CSVParser.builder().setReader(new StringReader(text)).setFormat(format).get()) {
      for (CSVRecord record : parser) {
        rows.add(
            new Row(
                parser.getCurrentLineNumber(),
                Stream.of(record.values()).map(String::strip).toList()));
      }
    }
    return rows.subList(1, rows.size());
  }
}
