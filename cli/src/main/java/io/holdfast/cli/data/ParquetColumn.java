package io.holdfast.cli.data;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.RepetitionType;
import dev.hardwood.row.StructAccessor;
import dev.hardwood.schema.SchemaNode;
import io.holdfast.schemas.ColumnName;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A field of a Parquet file, as an Avro field. Lists and maps are fields without items. Immutable.
 */
record ParquetColumn(
    String name,
    int index,
    Schema schema,
    boolean nullable,
    @Nullable LogicalType logical,
    @Nullable List<ParquetColumn> fields) {
  private static final String NAMESPACE = "holdfast.parquet";

  static List<ParquetColumn> all(String record, List<SchemaNode> nodes) {
    List<ParquetColumn> columns = new ArrayList<>();
    for (SchemaNode node : nodes) {
      columns.add(of(record, node, columns.size()));
    }
    return List.copyOf(columns);
  }

  static Schema record(String record, List<ParquetColumn> columns) {
    List<Schema.Field> fields = columns.stream().map(ParquetColumn::field).toList();
    return Schema.createRecord(record, null, NAMESPACE, false, fields);
  }

  private static ParquetColumn of(String record, SchemaNode node, int index) {
    String name = ColumnName.field(ColumnName.text(node.name()));
    boolean nullable = node.repetitionType() == RepetitionType.OPTIONAL;
    if (node.repetitionType() == RepetitionType.REPEATED) {
      return new ParquetColumn(name, index, list(), false, null, null);
    }
    return switch (node) {
      case SchemaNode.PrimitiveNode one ->
          new ParquetColumn(name, index, schema(one), nullable, one.logicalType(), null);
      case SchemaNode.GroupNode group when group.isStruct() -> {
        String below = record + "_" + name;
        List<ParquetColumn> fields = all(below, group.children());
        yield new ParquetColumn(name, index, record(below, fields), nullable, null, fields);
      }
      default -> new ParquetColumn(name, index, list(), nullable, null, null);
    };
  }

  private static Schema list() {
    return Schema.createArray(Schema.create(Schema.Type.NULL));
  }

  private Schema.Field field() {
    return nullable
        ? new Schema.Field(
            name,
            Schema.createUnion(Schema.create(Schema.Type.NULL), schema),
            null,
            JsonProperties.NULL_VALUE)
        : new Schema.Field(name, schema);
  }

  private static Schema schema(SchemaNode.PrimitiveNode node) {
    Schema ints = Schema.create(Schema.Type.INT);
    Schema longs = Schema.create(Schema.Type.LONG);
    return switch (node.logicalType()) {
      case LogicalType.StringType _, LogicalType.EnumType _, LogicalType.JsonType _ ->
          Schema.create(Schema.Type.STRING);
      case LogicalType.UuidType _ ->
          LogicalTypes.uuid().addToSchema(Schema.create(Schema.Type.STRING));
      case LogicalType.Float16Type _ -> Schema.create(Schema.Type.FLOAT);
      case LogicalType.DateType _ -> LogicalTypes.date().addToSchema(ints);
      case LogicalType.TimestampType _ -> LogicalTypes.timestampMicros().addToSchema(longs);
      case LogicalType.TimeType _ -> LogicalTypes.timeMicros().addToSchema(longs);
      case LogicalType.DecimalType(int scale, int precision) ->
          LogicalTypes.decimal(precision, scale).addToSchema(Schema.create(Schema.Type.BYTES));
      case LogicalType.IntType(int bits, boolean signed) when bits >= 32 && !signed ->
          bits == 32
              ? longs
              : LogicalTypes.decimal(20, 0).addToSchema(Schema.create(Schema.Type.BYTES));
      case null, default ->
          switch (node.type()) {
            case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
            case INT32 -> ints;
            case INT64 -> longs;
            case INT96 -> LogicalTypes.timestampMicros().addToSchema(longs);
            case FLOAT -> Schema.create(Schema.Type.FLOAT);
            case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> Schema.create(Schema.Type.BYTES);
          };
    };
  }

  /** Writes what a row, or a group of it, has here. */
  void write(StructAccessor row, BinaryEncoder out) throws IOException {
    boolean gap = nullable && row.isNull(index);
    if (nullable) {
      out.writeIndex(gap ? 0 : 1);
    }
    if (gap) {
      out.writeNull();
    } else if (fields != null) {
      StructAccessor group = row.getStruct(index);
      for (ParquetColumn field : fields) {
        field.write(group, out);
      }
    } else {
      writeValue(row, out);
    }
  }

  private void writeValue(StructAccessor row, BinaryEncoder out) throws IOException {
    switch (schema.getType()) {
      case ARRAY -> {
        out.writeArrayStart();
        out.setItemCount(0);
        out.writeArrayEnd();
      }
      case BOOLEAN -> out.writeBoolean(row.getBoolean(index));
      case INT -> out.writeInt((Integer) row.getRawValue(index));
      case LONG -> out.writeLong(whole(row));
      case FLOAT -> out.writeFloat(real(row));
      case DOUBLE -> out.writeDouble(row.getDouble(index));
      case STRING ->
          out.writeString(
              logical instanceof LogicalType.UuidType
                  ? row.getUuid(index).toString()
                  : row.getString(index));
      default -> out.writeBytes(bytes(row));
    }
  }

  private long whole(StructAccessor row) {
    if (schema.getLogicalType() == null) {
      return row.getRawValue(index) instanceof Integer small
          ? Integer.toUnsignedLong(small)
          : row.getLong(index);
    }
    if (logical instanceof LogicalType.TimeType) {
      LocalTime time = row.getTime(index);
      return time.toNanoOfDay() / 1_000;
    }
    Instant time =
        logical instanceof LogicalType.TimestampType(boolean utc, LogicalType.TimeUnit _) && !utc
            ? row.getLocalTimestamp(index).toInstant(ZoneOffset.UTC)
            : row.getTimestamp(index);
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private float real(StructAccessor row) {
    if (logical instanceof LogicalType.Float16Type) {
      byte[] half = row.getBinary(index); // little-endian
      return Float.float16ToFloat((short) ((half[0] & 0xFF) | (half[1] << 8)));
    }
    return row.getFloat(index);
  }

  private byte[] bytes(StructAccessor row) {
    return switch (logical) {
      case LogicalType.DecimalType(int scale, int _) -> {
        BigDecimal number = row.getDecimal(index);
        yield number.setScale(scale).unscaledValue().toByteArray();
      }
      case LogicalType.IntType _ ->
          new BigInteger(Long.toUnsignedString(row.getLong(index))).toByteArray();
      case null, default -> row.getBinary(index);
    };
  }
}
