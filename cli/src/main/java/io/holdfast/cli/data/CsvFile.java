package io.holdfast.cli.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** A CSV file read with a given schema. Immutable. */
record CsvFile(Path path, CsvSchema csv) implements DataFile {

  @Override
  public Schema schema() {
    return csv.schema();
  }

  @Override
  public long rows() {
    return csv.rows(path);
  }

  @Override
  public List<String> columns() {
    return csv.columns().stream().map(CsvSchema.Column::header).toList();
  }

  @Override
  public Optional<String> field(String column) {
    return new CsvHeader(path, columns()).field(column);
  }

  @Override
  public List<String> doubts(Set<String> fields) {
    return csv.columns().stream()
        .filter(column -> fields.contains(column.field()))
        .flatMap(column -> Stream.ofNullable(column.doubt()))
        .toList();
  }

  @Override
  public RowCursor open() {
    return new Cursor(CsvLines.open(path), csv.columns());
  }

  private static final class Cursor implements RowCursor {
    private final CsvLines lines;
    private final List<CsvSchema.Column> columns;
    private final int[] indexInFile; // of each column; -1 if the file lacks it
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(256);
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(body, null);

    Cursor(CsvLines lines, List<CsvSchema.Column> columns) {
      this.lines = lines;
      this.columns = columns;
      indexInFile = new int[columns.size()];
      for (int i = 0; i < indexInFile.length; i++) {
        indexInFile[i] = lines.columns().indexOf(columns.get(i).header());
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
        for (int i = 0; i < indexInFile.length; i++) {
          write(columns.get(i), indexInFile[i] < 0 ? "" : line.get(indexInFile[i]));
        }
      } catch (IOException e) {
        throw new DataException("%s cannot be encoded: %s", place(), e).because(e);
      }
      return body.toByteArray();
    }

    private void write(CsvSchema.Column column, String text) throws IOException {
      boolean optional = column.nullable() || column.type() == ColumnType.EMPTY;
      if (optional) {
        encoder.writeIndex(text.isEmpty() ? 0 : 1);
      }
      if (text.isEmpty() && optional) {
        encoder.writeNull();
        return;
      }
      switch (column.type()) {
        case LONG -> encoder.writeLong(known(ColumnType.parseLong(text), column, text));
        case DOUBLE -> encoder.writeDouble(known(ColumnType.parseDouble(text), column, text));
        case BOOLEAN -> encoder.writeBoolean(text.equals("true"));
        case TIMESTAMP -> encoder.writeLong(known(IsoTime.parse(text), column, text));
        case STRING -> encoder.writeString(text);
        case EMPTY -> known(null, column, text);
      }
    }

    /** The file was read whole to find the types, so a value that does not fit was not there. */
    private <T> T known(@Nullable T value, CsvSchema.Column column, String text) {
      if (value == null) {
        throw new DataException(
            "%s has %s in column %s now, which was not there before: do not write to the file while it is read",
            place(), text.isEmpty() ? "nothing" : text, column.header());
      }
      return value;
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
