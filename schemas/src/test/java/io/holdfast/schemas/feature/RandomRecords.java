package io.holdfast.schemas.feature;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Random record schemas and records of them, from a seed. */
final class RandomRecords {
  private final SplittableRandom random;
  private int names;

  RandomRecords(long seed) {
    random = new SplittableRandom(seed);
  }

  Schema schema() {
    return record(0);
  }

  private Schema record(int depth) {
    List<Schema.Field> fields = new ArrayList<>();
    int count = random.nextInt(1, 7);
    for (int i = 0; i < count; i++) {
      fields.add(new Schema.Field("f" + i, field(depth), null, (Object) null));
    }
    return Schema.createRecord("R" + names++, null, "random", false, fields);
  }

  private Schema field(int depth) {
    int choice = random.nextInt(10);
    if (choice < 3) {
      Schema type = type(depth);
      List<Schema> types = new ArrayList<>(List.of(Schema.create(Schema.Type.NULL), type));
      if (random.nextBoolean() && type.getType() != Schema.Type.BYTES) {
        types.add(random.nextInt(3), Schema.create(Schema.Type.BYTES));
      }
      return Schema.createUnion(types);
    }
    return type(depth);
  }

  private Schema type(int depth) {
    return switch (random.nextInt(depth < 3 ? 17 : 13)) {
      case 0 -> Schema.create(Schema.Type.INT);
      case 1 -> Schema.create(Schema.Type.LONG);
      case 2 -> Schema.create(Schema.Type.FLOAT);
      case 3 -> Schema.create(Schema.Type.DOUBLE);
      case 4 -> Schema.create(Schema.Type.BOOLEAN);
      case 5 -> Schema.create(Schema.Type.STRING);
      case 6 -> Schema.createEnum("E" + names++, null, "random", List.of("A", "B", "C"));
      case 7 -> LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
      case 8 -> LogicalTypes.timestampMicros().addToSchema(Schema.create(Schema.Type.LONG));
      case 9 -> LogicalTypes.timestampNanos().addToSchema(Schema.create(Schema.Type.LONG));
      case 10 -> LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
      case 11 -> Schema.create(Schema.Type.BYTES);
      case 12 -> Schema.createFixed("X" + names++, null, "random", random.nextInt(5));
      case 13 -> Schema.createArray(field(depth + 1));
      case 14 -> Schema.createMap(field(depth + 1));
      default -> record(depth + 1);
    };
  }

  GenericRecord value(Schema schema) {
    return (GenericRecord) of(schema);
  }

  private Object of(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> {
        GenericRecord value = new GenericData.Record(schema);
        schema.getFields().forEach(field -> value.put(field.pos(), of(field.schema())));
        yield value;
      }
      case UNION -> of(schema.getTypes().get(random.nextInt(schema.getTypes().size())));
      case ARRAY -> {
        List<Object> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(of(schema.getElementType()));
        }
        yield items;
      }
      case MAP -> {
        Map<String, Object> items = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.put("k" + i, of(schema.getValueType()));
        }
        yield items;
      }
      case INT -> random.nextBoolean() ? random.nextInt(-3, 4) : random.nextInt();
      case LONG -> random.nextBoolean() ? random.nextLong(-3, 4) : random.nextLong();
      case FLOAT -> Float.intBitsToFloat(random.nextInt());
      case DOUBLE -> random.nextDouble(-9, 9);
      case BOOLEAN -> random.nextBoolean();
      case STRING -> List.of("", "a", "grün", "b".repeat(70)).get(random.nextInt(4));
      case ENUM ->
          new GenericData.EnumSymbol(
              schema, schema.getEnumSymbols().get(random.nextInt(schema.getEnumSymbols().size())));
      case BYTES -> ByteBuffer.wrap(bytes(random.nextInt(5)));
      case FIXED -> new GenericData.Fixed(schema, bytes(schema.getFixedSize()));
      case NULL -> nothing();
    };
  }

  @SuppressWarnings("NullAway") // Avro's value of the type null.
  private static Object nothing() {
    return null;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  static byte[] encode(GenericRecord value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new GenericDatumWriter<GenericRecord>(value.getSchema()).write(value, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
