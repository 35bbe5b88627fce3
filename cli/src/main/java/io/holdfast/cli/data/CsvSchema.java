package io.holdfast.cli.data;

import io.holdfast.schemas.ColumnName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * The Avro schema of CSV files, found by reading them whole. Immutable.
 *
 * <p>A column is the narrowest of these that all its values in all files allow: long, double
 * (decimals, or longs and decimals), boolean (true, false), timestamp-millis (ISO 8601), string. A
 * column with an empty field anywhere is a union with null. Fields are named as {@link ColumnName}
 * says, and their documentation has the name in the file.
 */
final class CsvSchema {
  static final String RECORD_NAME = "Row";
  static final String NAMESPACE = "holdfast.csv";

  private final List<Column> columns;
  private final Map<Path, Long> rows;
  private final Schema schema;

  /**
   * A column.
   *
   * @param header its name in the files
   * @param field its name in the schema
   * @param nullable whether some row lacks it
   * @param doubt why it is hardly meant to be a feature as it is; null if nothing says so
   */
  record Column(
      String header, String field, ColumnType type, boolean nullable, @Nullable String doubt) {
    Schema.Field avroField() {
      boolean optional = nullable || type == ColumnType.EMPTY;
      Schema schema =
          optional
              ? Schema.createUnion(Schema.create(Schema.Type.NULL), type.schema())
              : type.schema();
      Object absent = optional ? JsonProperties.NULL_VALUE : null;
      return new Schema.Field(field, schema, "Column " + header, absent);
    }
  }

  private CsvSchema(List<Column> columns, Map<Path, Long> rows) {
    this.columns = columns;
    this.rows = rows;
    List<Schema.Field> fields = new ArrayList<>();
    for (Column column : columns) {
      fields.add(column.avroField());
    }
    schema = Schema.createRecord(RECORD_NAME, null, NAMESPACE, false, fields);
  }

  /**
   * Reads {@code paths} to their ends.
   *
   * @param asText columns, by their name in the schema or in the file, that are strings whatever
   *     their values look like
   */
  static CsvSchema infer(List<Path> paths, Set<String> asText) {
    Map<String, SeenColumn> seen = new LinkedHashMap<>();
    Map<Path, Long> rows = new LinkedHashMap<>();
    long total = 0;
    for (Path path : paths) {
      long inFile = read(path, seen, asText);
      rows.put(path, inFile);
      total += inFile;
    }
    List<Column> columns = new ArrayList<>();
    for (var entry : seen.entrySet()) {
      String header = entry.getKey();
      SeenColumn column = entry.getValue();
      boolean nullable = column.values() < total;
      columns.add(
          new Column(
              header, ColumnName.field(header), column.type(), nullable, column.doubt(header)));
    }
    return new CsvSchema(List.copyOf(columns), rows);
  }

  private static long read(Path path, Map<String, SeenColumn> seen, Set<String> asText) {
    try (CsvLines lines = CsvLines.open(path)) {
      List<SeenColumn> columns = new ArrayList<>();
      for (String header : lines.columns()) {
        boolean text = asText.contains(header) || asText.contains(ColumnName.field(header));
        columns.add(seen.computeIfAbsent(header, name -> new SeenColumn(text)));
      }
      long rows = 0;
      for (CSVRecord line = lines.next(); line != null; line = lines.next()) {
        for (int i = 0; i < columns.size(); i++) {
          columns.get(i).see(line.get(i));
        }
        rows++;
      }
      if (rows == 0) {
        throw new DataException("%s has a header and no rows", path);
      }
      return rows;
    }
  }

  List<Column> columns() {
    return columns;
  }

  Schema schema() {
    return schema;
  }

  long rows(Path path) {
    return rows.getOrDefault(path, 0L);
  }
}
