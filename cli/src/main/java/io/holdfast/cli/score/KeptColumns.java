package io.holdfast.cli.score;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** Columns of a file that go before its scores, read row by row beside them. Not thread-safe. */
final class KeptColumns implements AutoCloseable {
  private final List<String> names;
  private final boolean json;
  private final FieldDecoder decoder;
  private final RowCursor rows;

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
      byte[] body = rows.next();
      if (body == null) {
        throw new DataException("%s: the file has fewer rows now", rows.place());
      }
      text.append(before(line, rows.fields(decoder, body))).append(System.lineSeparator());
    }
    return text.toString();
  }

  private String before(String line, @Nullable Object[] values) {
    if (!json) {
      return CSVFormat.RFC4180.format(values) + "," + line;
    }
    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      kept.put(names.get(i), values[i]);
    }
    return "{\"kept\":" + Json.line(kept) + "," + line.substring(1);
  }

  @Override
  public void close() {
    rows.close();
  }
}
