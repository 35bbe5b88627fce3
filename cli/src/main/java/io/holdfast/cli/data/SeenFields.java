package io.holdfast.cli.data;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.wire.FieldAliases;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** What the rows of an Avro file say of its fields. Owned by one thread. */
final class SeenFields {
  private static final Set<String> DATES =
      Set.of(
          "date",
          "timestamp-millis",
          "timestamp-micros",
          "timestamp-nanos",
          "local-timestamp-millis",
          "local-timestamp-micros",
          "local-timestamp-nanos");

  /** A field of numbers, dates or text; {@code decimal} is null if its bytes are no number. */
  private record Field(
      String column,
      List<String> path,
      boolean date,
      LogicalTypes.@Nullable Decimal decimal,
      SeenColumn seen) {
    void see(GenericRecord row, long number) {
      Object value = row;
      for (String name : path) {
        value = value instanceof GenericRecord record ? record.get(name) : null;
      }
      if (value instanceof Number of && !(of instanceof Double d && d.isNaN())) {
        seen.see(date ? Instant.EPOCH.toString() : of.toString(), number);
      } else if (value instanceof CharSequence || value instanceof GenericData.EnumSymbol) {
        seen.see(value.toString().strip(), number);
      } else if (decimal != null && value != null) {
        BigDecimal exact = new BigDecimal(new BigInteger(bytes(value)), decimal.getScale());
        seen.see(exact.stripTrailingZeros().toPlainString(), number);
      }
    }

    private static byte[] bytes(Object value) {
      if (value instanceof ByteBuffer buffer && buffer.hasRemaining()) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
      }
      return value instanceof GenericFixed fixed ? fixed.bytes() : new byte[1];
    }
  }

  private SeenFields() {}

  /** Notes on those fields if they are features: sentences, in order of names. */
  static List<String> notes(DataFile file, Reading reading, Set<String> paths) {
    List<Field> fields = new ArrayList<>();
    for (String path : new TreeSet<>(paths)) {
      Field field = field(file.schema(), path, reading);
      if (field != null) {
        fields.add(field);
      }
    }
    if (fields.isEmpty()) {
      return List.of();
    }
    var generic = new GenericData(); // knows no logical types: dates stay numbers
    var reader = new GenericDatumReader<GenericRecord>(file.schema(), file.schema(), generic);
    try (RowCursor rows = file.open()) {
      GenericRecord row = null;
      BinaryDecoder decoder = null;
      long number = 0;
      for (byte[] body = rows.next(); body != null; body = rows.next()) {
        decoder = DecoderFactory.get().binaryDecoder(body, decoder);
        row = reader.read(row, decoder);
        number++;
        for (Field field : fields) {
          field.see(row, number);
        }
      }
    } catch (IOException | AvroRuntimeException e) {
      return List.of(); // whoever learns from the row says what is wrong with it
    }
    return fields.stream().flatMap(field -> field.seen.notes(field.column).stream()).toList();
  }

  private static @Nullable Field field(Schema rows, String path, Reading reading) {
    Schema at = rows;
    List<String> names = new ArrayList<>();
    for (String name : path.split("\\.", -1)) {
      Schema.Field field =
          at.getType() == Schema.Type.RECORD ? FieldAliases.find(at, name).orElse(null) : null;
      if (field == null) {
        return null;
      }
      names.add(field.name());
      at = value(field.schema());
    }
    String column = ColumnName.of(path);
    String logical = at.getProp("logicalType");
    boolean date = logical != null && DATES.contains(logical);
    boolean text =
        reading.asText(column)
            || switch (at.getType()) {
              case STRING, ENUM -> true;
              default -> false;
            };
    LogicalTypes.Decimal decimal =
        LogicalTypes.fromSchemaIgnoreInvalid(at) instanceof LogicalTypes.Decimal one ? one : null;
    return new Field(column, names, date, decimal, new SeenColumn(text, reading.missing(), "row"));
  }

  /** What a field holds beside null; the field's own type if that is not one type. */
  private static Schema value(Schema type) {
    if (!type.isUnion()) {
      return type;
    }
    List<Schema> values =
        type.getTypes().stream().filter(one -> one.getType() != Schema.Type.NULL).toList();
    return values.size() == 1 ? values.getFirst() : type;
  }
}
