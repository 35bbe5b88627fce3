package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import io.holdfast.schemas.wire.ContainerException;
import io.holdfast.schemas.wire.ContainerReader;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** An Avro container file of records. Immutable. */
record AvroFile(InputFile file, Schema schema, long rows, Reading reading) implements DataFile {

  static AvroFile of(InputFile path, Reading reading) {
    try (ContainerReader container = ContainerReader.open(path.path())) {
      Schema schema = container.schema();
      if (schema.getType() != Schema.Type.RECORD) {
        throw new DataException(
            "%s holds values of type %s: rows must be Avro records",
            path, schema.getType().getName());
      }
      long rows = container.count();
      if (rows == 0) {
        throw new DataException("%s has a schema and no rows", path);
      }
      return new AvroFile(path, schema, rows, reading);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static DataException unreadable(InputFile path, IOException e) {
    return e instanceof ContainerException
        ? new DataException("%s is no readable Avro container file: %s", path, e.getMessage())
            .because(e)
        : new DataException("%s cannot be read: %s", path, e).because(e);
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> notes(Set<String> fields) {
    return SeenFields.notes(this, reading, fields);
  }

  @Override
  public RowCursor open() {
    try {
      return new Cursor(file, ContainerReader.open(file.path()));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static final class Cursor implements RowCursor {
    private final InputFile path;
    private final ContainerReader reader;

    Cursor(InputFile path, ContainerReader reader) {
      this.path = path;
      this.reader = reader;
    }

    @Override
    public byte @Nullable [] next() {
      try {
        return reader.next();
      } catch (IOException e) {
        throw unreadable(path, e);
      }
    }

    @Override
    public String place() {
      return path + ", row " + reader.records();
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
