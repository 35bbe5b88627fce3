package io.holdfast.cli.score;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** Columns of a file that go before what is said of its rows, read beside it. Not thread-safe. */
final class KeptColumns implements AutoCloseable {
  private final List<String> names;
  private final boolean json;
  private final FieldDecoder decoder;
  private final RowCursor rows;
  private @Nullable Object[] row = {};

  /** The fields of columns that a flag names, by name. */
  static Map<String, String> fields(FileHeader header, List<String> keep) {
    Map<String, String> fields = new LinkedHashMap<>();
    keep.forEach(name -> fields.put(name.strip(), Columns.field(header, name.strip(), "--keep")));
    return fields;
  }

  /** Columns by name, with their fields. */
  KeptColumns(DataFile file, Map<String, String> fields, boolean json) {
    names = List.copyOf(fields.keySet());
    this.json = json;
    try {
      decoder = FieldDecoder.compile(file.schema(), List.copyOf(fields.values()));
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
    rows = file.open();
  }

  /** The header of CSV; a column that is called as one of ours is said to be kept. */
  List<String> header(List<String> ours) {
    List<String> header = new ArrayList<>();
    names.forEach(name -> header.add(ours.contains(name) ? "kept " + name : name));
    header.addAll(ours);
    return header;
  }

  /** Puts what the next rows have before their lines. */
  String before(String lines, int count) {
    List<String> all = lines.lines().toList();
    if (all.size() != count) {
      throw new DataException("a class has a line break in its name, which --keep cannot write");
    }
    StringBuilder text = new StringBuilder();
    for (String line : all) {
      next();
      text.append(before(line)).append(System.lineSeparator());
    }
    return text.toString();
  }

  /** Goes to the next row. */
  void next() {
    byte[] body = rows.next();
    if (body == null) {
      throw new DataException("%s: the file has fewer rows now", rows.place());
    }
    row = rows.fields(decoder, body);
  }

  /** Puts what the row has before a line on it. */
  String before(String line) {
    if (!json) {
      return CSVFormat.RFC4180.format(row) + "," + line;
    }
    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
    for (int i = 0; i < row.length; i++) {
      kept.put(names.get(i), row[i]);
    }
    return "{\"kept\":" + Json.line(kept) + "," + line.substring(1);
  }

  @Override
  public void close() {
    rows.close();
  }
}
