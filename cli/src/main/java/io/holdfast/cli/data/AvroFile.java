package io.holdfast.cli.data;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.wire.FieldAliases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** An Avro container file of records. Immutable. */
record AvroFile(Path path, Schema schema, long rows) implements DataFile {

  /**
   * Reads a file's schema and counts its rows.
   *
   * @throws DataException if it is no Avro container file of records
   */
  static AvroFile of(Path path) {
    try (DataFileReader<GenericRecord> reader = reader(path)) {
      Schema schema = reader.getSchema();
      if (schema.getType() != Schema.Type.RECORD) {
        throw new DataException(
            "%s holds values of type %s: rows must be Avro records",
            path, schema.getType().getName());
      }
      long rows = 0;
      while (reader.hasNext()) {
        rows += reader.getBlockCount();
        reader.nextBlock();
      }
      if (rows == 0) {
        throw new DataException("%s has a schema and no rows", path);
      }
      return new AvroFile(path, schema, rows);
    } catch (IOException | AvroRuntimeException | UnsupportedOperationException e) {
      // The last is Avro's for counts beyond an array.
      throw new DataException("%s is no readable Avro container file: %s", path, e).because(e);
    }
  }

  private static DataFileReader<GenericRecord> reader(Path path) throws IOException {
    return new DataFileReader<>(path.toFile(), new GenericDatumReader<>());
  }

  @Override
  public List<String> columns() {
    return schema.getFields().stream().map(field -> ColumnName.of(field.name())).toList();
  }

  @Override
  public Optional<String> field(String column) {
    return Stream.of(ColumnName.field(ColumnName.text(column)), ColumnName.path(column))
        .filter(this::has)
        .findFirst();
  }

  private boolean has(String path) {
    List<Schema> records = List.of(schema);
    for (String name : path.split("\\.", -1)) {
      records =
          records.stream()
              .filter(type -> type.getType() == Schema.Type.RECORD)
              .flatMap(type -> FieldAliases.find(type, name).stream())
              .map(Schema.Field::schema)
              .flatMap(type -> type.isUnion() ? type.getTypes().stream() : Stream.of(type))
              .toList();
    }
    return !records.isEmpty();
  }

  @Override
  public RowCursor open() {
    try {
      return new Cursor(path, reader(path), schema);
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", path, e).because(e);
    }
  }

  private static final class Cursor implements RowCursor {
    private final Path path;
    private final DataFileReader<GenericRecord> reader;
    private final GenericDatumWriter<GenericRecord> writer;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(256);
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(body, null);
    private long row;

    Cursor(Path path, DataFileReader<GenericRecord> reader, Schema schema) {
      this.path = path;
      this.reader = reader;
      writer = new GenericDatumWriter<>(schema);
    }

    @Override
    public byte @Nullable [] next() {
      try {
        row++;
        if (!reader.hasNext()) {
          return null;
        }
        body.reset();
        writer.write(reader.next(), encoder);
        return body.toByteArray();
      } catch (IOException | AvroRuntimeException | UnsupportedOperationException e) {
        throw new DataException("%s cannot be read: %s", place(), e).because(e);
      }
    }

    @Override
    public String place() {
      return path + ", row " + row;
    }

    @Override
    public void close() {
      try {
        reader.close();
      } catch (IOException e) {
        throw new DataException("%s cannot be closed: %s", path, e).because(e);
      }
    }
  }
}
