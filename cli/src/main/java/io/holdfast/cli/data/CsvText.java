package io.holdfast.cli.data;

import io.holdfast.cli.csv.CsvBlock;
import io.holdfast.cli.csv.CsvException;
import io.holdfast.cli.csv.CsvReader;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of a CSV file by RFC 4180 in the dialect that it is written in, with a header. Every
 * line has as many fields as the header; spaces around fields are ignored. Owned by one thread; not
 * thread-safe.
 */
final class CsvText implements AutoCloseable {
  private final InputFile file;
  private final CsvReader reader;
  private final List<String> header;

  private CsvText(InputFile file, CsvReader reader) {
    this.file = file;
    this.reader = reader;
    this.header = header();
  }

  static CsvText open(InputFile file) {
    try {
      return new CsvText(file, CsvReader.open(file.open(), file.dialect()));
    } catch (IOException e) {
      throw unreadable(file, e);
    } catch (CsvException e) {
      throw wrong(file, e);
    }
  }

  private static DataException unreadable(InputFile file, IOException e) {
    return new DataException("%s cannot be read: %s", file, e).because(e);
  }

  private static DataException wrong(InputFile file, CsvException e) {
    return e.line() == 0
        ? new DataException("%s %s", file, e.getMessage()).because(e)
        : new DataException("%s %s", file.line(e.line()), e.getMessage()).because(e);
  }

  List<String> columns() {
    return header;
  }

  /** Says how to read rows, before the first: which columns are never numbers, and words. */
  void expect(List<Boolean> texts, MissingWords missing) {
    reader.expect(texts, missing);
  }

  /** The next rows, at least one; null after the last. */
  @Nullable CsvBlock next() {
    try {
      return reader.next();
    } catch (IOException e) {
      throw unreadable(file, e);
    } catch (CsvException e) {
      throw wrong(file, e);
    }
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private List<String> header() {
    if (reader.header().isEmpty()) {
      throw new DataException("%s is empty: its first line must name the columns", file);
    }
    Set<String> names = new LinkedHashSet<>();
    for (String name : reader.header()) {
      String plain = ColumnName.text(name);
      if (plain.isEmpty()) {
        throw new DataException(
            "%s has no name for column %d: name it in the first line", file, names.size() + 1);
      }
      if (!names.add(plain)) {
        throw new DataException(
            "%s has two columns named %s: rename one in the first line", file, plain);
      }
    }
    if (names.size() == 1 && names.iterator().next().matches(".*[;\\t|].*")) {
      throw new DataException(
          "%s has one column only, named %s: say what parts columns with --delimiter",
          file, names.iterator().next());
    }
    return List.copyOf(names);
  }
}
