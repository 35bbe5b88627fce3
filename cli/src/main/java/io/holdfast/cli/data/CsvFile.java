package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file and the Avro schema of its rows. Immutable.
 *
 * <p>A column is the narrowest of these that all its values allow: long, double (decimals, or longs
 * and decimals), boolean (true, false), timestamp-millis (ISO 8601), string. One in which a value
 * is missing anywhere is a union with null.
 */
record CsvFile(InputFile file, List<CsvColumn> read, Schema schema, long rows) implements DataFile {
  static final String RECORD_NAME = "Row";
  static final String NAMESPACE = "holdfast.csv";

  static CsvFile of(InputFile path, Reading reading) {
    try (CsvLines lines = CsvLines.open(path)) {
      List<String> headers = lines.columns();
      List<SeenColumn> seen = new ArrayList<>();
      for (String header : headers) {
        seen.add(new SeenColumn(reading.asText(header), reading.missing(), "line"));
      }
      long rows = 0;
      for (CSVRecord line = lines.next(); line != null; line = lines.next()) {
        for (int i = 0; i < headers.size(); i++) {
          seen.get(i).see(line.get(i).strip(), lines.line());
        }
        rows++;
      }
      if (rows == 0) {
        throw new DataException("%s has a header and no rows", path);
      }
      List<CsvColumn> columns = new ArrayList<>();
      for (int i = 0; i < headers.size(); i++) {
        columns.add(CsvColumn.of(headers.get(i), seen.get(i), reading.missing()));
      }
      List<Schema.Field> fields = columns.stream().map(CsvColumn::avroField).toList();
      Schema schema = Schema.createRecord(RECORD_NAME, null, NAMESPACE, false, fields);
      return new CsvFile(path, List.copyOf(columns), schema, rows);
    }
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public void check(FileContract contract) {
    for (CsvColumn column : read) {
      FileContract.Kind kind = contract.kind(column.header());
      String misfit = kind == null ? null : column.seen().misfit(column.header(), kind);
      if (misfit != null) {
        throw new DataException("%s, %s", file, misfit);
      }
    }
  }

  @Override
  public List<String> columns() {
    return read.stream().map(CsvColumn::header).toList();
  }

  @Override
  public Optional<String> field(String column) {
    return new CsvHeader(file, columns()).field(column);
  }

  @Override
  public void checkFeatures(Set<String> fields) {
    for (CsvColumn column : read) {
      String fault = fields.contains(column.field()) ? column.seen().fault(column.header()) : null;
      if (fault != null) {
        throw new DataException("%s, %s", file, fault);
      }
    }
  }

  @Override
  public List<String> notes(Set<String> fields) {
    return read.stream()
        .filter(column -> fields.contains(column.field()))
        .flatMap(column -> column.seen().notes(column.header()).stream())
        .toList();
  }

  @Override
  public RowCursor open() {
    return new Cursor(CsvLines.open(file), this);
  }

  private static final class Cursor implements RowCursor {
    private final CsvLines lines;
    private final List<CsvColumn> columns;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(256);
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(body, null);

    Cursor(CsvLines lines, CsvFile file) {
      this.lines = lines;
      columns = file.read;
      if (!lines.columns().equals(file.columns())) {
        throw new DataException(
            "%s has another header now: do not write to the file while it is read", file.file);
      }
    }

    @Override
    public byte @Nullable [] next() {
      CSVRecord line = lines.next();
      if (line == null) {
        return null;
      }
      body.reset();
      try {
        for (int i = 0; i < columns.size(); i++) {
          columns.get(i).write(line.get(i).strip(), encoder, lines);
        }
      } catch (IOException e) {
        throw new DataException("%s cannot be encoded: %s", place(), e).because(e);
      }
      return body.toByteArray();
    }

    @Override
    public String place() {
      return lines.place();
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}
