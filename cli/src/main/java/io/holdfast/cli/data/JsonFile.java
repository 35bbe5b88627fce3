package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A file of JSON Lines and the Avro schema of its rows. Immutable. */
record JsonFile(InputFile file, JsonColumn columnsSeen, Schema schema, long rows)
    implements DataFile {

  static JsonFile of(InputFile file, Reading reading) {
    return of(file, JsonColumn.rows(reading, false));
  }

  /** What names there are, whatever they hold. */
  static FileHeader header(InputFile file) {
    return of(file, JsonColumn.rows(Reading.PLAIN, true));
  }

  private static JsonFile of(InputFile file, JsonColumn columns) {
    try (JsonRows rows = new JsonRows(file, columns, true)) {
      while (rows.read()) {
        rows.see();
      }
      if (rows.row() == 0) {
        throw new DataException("%s has no rows", file);
      }
      JsonColumn seen = columns.seen(rows.row());
      return new JsonFile(file, seen, seen.schema("Row"), rows.row());
    }
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public void check(FileContract contract) {
    columnsSeen.leaves().forEach(column -> refuse(column.misfit(contract)));
  }

  @Override
  public void checkFeatures(Set<String> fields) {
    leaves(fields).forEach(column -> refuse(column.fault()));
  }

  @Override
  public List<String> notes(Set<String> fields) {
    return leaves(fields).flatMap(column -> column.notes().stream()).toList();
  }

  private Stream<JsonColumn> leaves(Set<String> fields) {
    return columnsSeen.leaves().filter(column -> fields.contains(column.path()));
  }

  private void refuse(@Nullable String fault) {
    if (fault != null) {
      throw new DataException("%s, %s", file, fault);
    }
  }

  @Override
  public RowCursor open() {
    return new JsonRows(file, columnsSeen.seen(rows), false);
  }
}
