package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import io.holdfast.schemas.ColumnName;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a CSV file by RFC 4180: comma, double quotes, a header. UTF-8 with or without a byte
 * order mark. Every line has as many fields as the header; spaces around fields are ignored. Owned
 * by one thread; not thread-safe.
 */
final class CsvLines implements AutoCloseable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).setIgnoreSurroundingSpaces(true).get();

  private final InputFile path;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final List<String> header;

  private CsvLines(InputFile path, CSVParser parser) {
    this.path = path;
    this.parser = parser;
    this.records = parser.iterator();
    this.header = header();
  }

  static CsvLines open(InputFile path) {
    try {
      var strict =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT);
      return new CsvLines(
          path,
          CSVParser.builder()
              .setReader(new InputStreamReader(path.open(), strict))
              .setFormat(FORMAT)
              .get());
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", path, e).because(e);
    }
  }

  List<String> columns() {
    return header;
  }

  @Nullable CSVRecord next() {
    CSVRecord line = read();
    if (line != null && line.size() != header.size()) {
      throw new DataException(
          "%s has %d fields where the header has %d columns: correct the line or the header",
          place(), line.size(), header.size());
    }
    return line;
  }

  /** The number of the line last read, from 1. */
  long line() {
    return parser.getCurrentLineNumber();
  }

  String place() {
    return path.line(line());
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", path, e).because(e);
    }
  }

  private List<String> header() {
    CSVRecord line = read();
    if (line == null) {
      throw new DataException("%s is empty: its first line must name the columns", path);
    }
    Set<String> names = new LinkedHashSet<>();
    for (String name : line) {
      boolean marked = names.isEmpty() && name.startsWith("\uFEFF");
      String plain = ColumnName.text(marked ? name.substring(1) : name);
      if (plain.isEmpty()) {
        throw new DataException(
            "%s has no name for column %d: name it in the first line", path, names.size() + 1);
      }
      if (!names.add(plain)) {
        throw new DataException(
            "%s has two columns named %s: rename one in the first line", path, plain);
      }
    }
    if (names.size() == 1 && names.iterator().next().matches(".*[;\\t|].*")) {
      throw new DataException(
          "%s has one column only, named %s: part columns by commas",
          path, names.iterator().next());
    }
    return List.copyOf(names);
  }

  private @Nullable CSVRecord read() {
    try {
      return records.hasNext() ? records.next() : null;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CharacterCodingException) {
        throw new DataException(
                "%s or a line after it is not UTF-8: convert the file, for example with iconv",
                place())
            .because(e);
      }
      throw new DataException("%s cannot be read: %s", place(), e.getCause()).because(e);
    }
  }
}
