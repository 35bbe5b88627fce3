package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.jspecify.annotations.Nullable;

/**
 * Files of the same columns one after another, read as the widest type that each column has among
 * them. Immutable.
 */
record JoinedFile(String name, List<DataFile> files, Schema schema, Reading reading)
    implements DataFile {

  static DataFile of(String name, List<DataFile> files, Reading reading) {
    Schema schema = files.getFirst().schema();
    for (DataFile file : files) {
      schema = widened(schema, files.getFirst(), file);
    }
    return new JoinedFile(name, List.copyOf(files), schema, reading);
  }

  /** Throws DataException, naming file and column, unless both have the same columns. */
  static void checkSame(FileHeader first, FileHeader other) {
    List<String> expected = first.columns();
    List<String> columns = other.columns();
    for (String column : expected) {
      if (!columns.contains(column)) {
        throw new DataException(
            "%s lacks column %s, which %s has: files that are read as one have the same columns",
            other.name(), column, first.name());
      }
    }
    for (String column : columns) {
      if (!expected.contains(column)) {
        throw new DataException(
            "%s has column %s, which %s lacks: files that are read as one have the same columns",
            other.name(), column, first.name());
      }
    }
  }

  private static Schema widened(Schema schema, DataFile first, DataFile other) {
    if (schema.equals(other.schema())) {
      return schema;
    }
    checkSame(first, other);
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      Schema theirs = other.schema().getField(field.name()).schema();
      Schema wider =
          reads(field.schema(), theirs)
              ? field.schema()
              : reads(theirs, field.schema()) ? theirs : null;
      if (wider == null) {
        throw new DataException(
            "%s has another type in column %s than %s: %s, not %s",
            other.name(), ColumnName.of(field.name()), first.name(), theirs, field.schema());
      }
      fields.add(new Schema.Field(field.name(), wider, field.doc()));
    }
    return Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
  }

  static boolean reads(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType()
        == SchemaCompatibilityType.COMPATIBLE;
  }

  @Override
  public long rows() {
    return files.stream().mapToLong(DataFile::rows).sum();
  }

  @Override
  public List<String> notes(Set<String> fields) {
    return SeenFields.notes(this, reading, fields);
  }

  @Override
  public RowCursor open() {
    return new Cursor();
  }

  private final class Cursor implements RowCursor {
    private int next;
    private @Nullable RowCursor rows;
    private @Nullable Projection projection;

    @Override
    public byte @Nullable [] next() {
      while (rows != null || next < files.size()) {
        if (rows == null) {
          DataFile file = files.get(next++);
          rows = file.open();
          projection = file.schema().equals(schema) ? null : Projection.to(file.schema(), schema);
        }
        byte[] body = rows.next();
        if (body != null) {
          return projection == null ? body : projection.apply(body);
        }
        if (next == files.size()) {
          return null;
        }
        rows.close();
        rows = null;
      }
      return null;
    }

    @Override
    public String place() {
      return rows == null ? name : rows.place();
    }

    @Override
    public void close() {
      if (rows != null) {
        rows.close();
      }
    }
  }
}
