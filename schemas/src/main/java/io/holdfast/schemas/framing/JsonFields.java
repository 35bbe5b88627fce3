package io.holdfast.schemas.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON objects as Avro in one pass: numbers, texts and booleans from the parser, other
 * values by way of a tree of their own. What it writes is what {@link JsonWriter} writes of the
 * whole tree; of what is wrong it knows nothing, {@link #body} is null then. Thread-safe.
 */
final class JsonFields {
  /*
   * As a tree, a record of 30 numbers took 40 KB and 25 µs, ten times what it takes to score one.
   */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  private static final ObjectReader TREE =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .reader();

  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SEVERAL = -1; // fields that a name may mean
  private static final int LONGEST_SCALAR = 11; // a branch, and a long

  private final Field[] fields;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final ThreadLocal<Scratch> scratch;

  /** How a field is written. */
  private static final class Field {
    private final String name;
    private final Schema schema;

    /** Of its values where they are plain; null if the tree is needed. */
    private final Schema.@Nullable Type type;

    /** Of its type; −1 without a union of two. */
    private final int branch;

    /** The branch of null; −1 if it may not be null. */
    private final int ofNull;

    /** What is written if it is not there; null if it has to be. */
    private final byte @Nullable [] absent;

    Field(Schema.Field field) {
      name = field.name();
      schema = field.schema();
      Integer found = schema.isUnion() ? schema.getIndexNamed("null") : null;
      ofNull = found == null ? -1 : found;
      branch = ofNull >= 0 && schema.getTypes().size() == 2 ? 1 - ofNull : -1;
      Schema.Type of = (branch < 0 ? schema : schema.getTypes().get(branch)).getType();
      boolean plain =
          switch (of) {
            case BOOLEAN, INT, LONG, FLOAT, DOUBLE, STRING -> true;
            default -> false;
          };
      type = plain ? of : null;
      absent = absent(field, ofNull);
    }

    private static byte @Nullable [] absent(Schema.Field field, int ofNull) {
      if (!field.hasDefaultValue()) {
        return ofNull < 0 ? null : new byte[] {(byte) (ofNull << 1)};
      }
      try {
        var bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        new GenericDatumWriter<Object>(field.schema())
            .write(GenericData.get().getDefaultValue(field), encoder);
        return bytes.toByteArray();
      } catch (IOException e) {
        throw new UncheckedIOException("a byte array cannot fail to be written", e);
      }
    }

    /** Whether more may fit than what is written from the parser, as 3.0 or a time. */
    boolean hasOtherForms() {
      return type == null || type == Schema.Type.INT || type == Schema.Type.LONG;
    }
  }

  /** What is written of a record, field by field as they come. Owned by one thread. */
  private static final class Scratch extends OutputStream {
    private final JsonWriter writer =
        new JsonWriter(EncoderFactory.get().directBinaryEncoder(this, null));
    private final Set<String> unknown = new HashSet<>(); // names that the schema has not
    private final int[] from;
    private final int[] to;
    private byte[] bytes = new byte[512];
    private int size;

    Scratch(int fields) {
      from = new int[fields];
      to = new int[fields];
    }

    void begin() {
      size = 0;
      Arrays.fill(to, -1);
      if (!unknown.isEmpty()) {
        unknown.clear();
      }
    }

    @Override
    public void write(int value) {
      room(1);
      bytes[size++] = (byte) value;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      room(length);
      System.arraycopy(from, offset, bytes, size, length);
      size += length;
    }

    boolean tree(JsonNode value, Schema schema) throws IOException {
      try {
        writer.write(value, schema, "");
        return true;
      } catch (MalformedRecordException e) {
        return false; // said by the reference, which knows the whole path
      }
    }

    void room(int more) {
      if (bytes.length - size < more) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
      }
    }

    void writeLong(long value) {
      long left = value << 1 ^ value >> 63;
      while ((left & ~0x7FL) != 0) {
        bytes[size++] = (byte) (left | 0x80);
        left >>>= 7;
      }
      bytes[size++] = (byte) left;
    }
  }

  JsonFields(Schema schema) {
    List<Schema.Field> all = schema.getFields();
    fields = new Field[all.size()];
    for (int k = 0; k < fields.length; k++) {
      fields[k] = new Field(all.get(k));
      numbers.put(all.get(k).name(), k);
    }
    for (int k = 0; k < fields.length; k++) {
      for (String alias : all.get(k).aliases()) {
        numbers.merge(alias, k, (_, _) -> SEVERAL);
      }
    }
    int count = fields.length;
    scratch = ThreadLocal.withInitial(() -> new Scratch(count));
  }

  /** The Avro body of a value that is an object of plain fields; else null. */
  byte @Nullable [] body(byte[] value) {
    Scratch to = scratch.get();
    try (JsonParser parser = JSON.createParser(value)) {
      to.begin();
      return read(parser, to) ? joined(to) : null;
    } catch (IOException | NumberFormatException e) { // the latter of 1e99999999999
      return null; // it is no JSON: whoever reads it as a tree says why
    }
  }

  private boolean read(JsonParser parser, Scratch to) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    int next = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      boolean inOrder = next < fields.length && fields[next].name.equals(name);
      Integer number = inOrder ? (Integer) next : numbers.get(name);
      if (number == null) {
        if (!to.unknown.add(name)) {
          return false;
        }
        TREE.readTree(parser); // passed over, but what is no JSON is refused
      } else if (number == SEVERAL || to.to[number] >= 0 || !write(parser, number, to)) {
        return false;
      } else {
        next = number + 1;
      }
    }
    return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
  }

  private boolean write(JsonParser parser, int number, Scratch to) throws IOException {
    Field field = fields[number];
    JsonToken token = parser.currentToken();
    int from = to.size;
    to.room(LONGEST_SCALAR);
    boolean written;
    if (token == JsonToken.VALUE_NULL && field.ofNull >= 0) {
      written = writeWhole(field.ofNull, to);
    } else {
      if (field.branch >= 0) {
        to.writeLong(field.branch);
      }
      written = field.type != null && write(parser, token, field.type, to);
    }
    if (!written && field.hasOtherForms()) {
      to.size = from;
      written = to.tree(TREE.readTree(parser), field.schema);
    }
    to.from[number] = from;
    to.to[number] = to.size;
    return written;
  }

  private static boolean write(JsonParser parser, JsonToken token, Schema.Type type, Scratch to)
      throws IOException {
    return switch (type) { // −0 is 0, as of the tree's decimals
      case DOUBLE -> token.isNumeric() && writeDouble(parser.getDoubleValue() + 0.0, to);
      case FLOAT -> token.isNumeric() && writeFloat(parser.getFloatValue() + 0f, to);
      case INT ->
          isLong(parser, token)
              && parser.getLongValue() == (int) parser.getLongValue()
              && writeWhole(parser.getLongValue(), to);
      case LONG -> isLong(parser, token) && writeWhole(parser.getLongValue(), to);
      case BOOLEAN -> token.isBoolean() && writeBoolean(token == JsonToken.VALUE_TRUE, to);
      case STRING -> token == JsonToken.VALUE_STRING && writeText(parser.getText(), to);
      default -> false;
    };
  }

  private static boolean isLong(JsonParser parser, JsonToken token) throws IOException {
    return token == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  private static boolean writeDouble(double value, Scratch to) {
    DOUBLE.set(to.bytes, to.size, value);
    to.size += Double.BYTES;
    return Double.isFinite(value);
  }

  private static boolean writeFloat(float value, Scratch to) {
    FLOAT.set(to.bytes, to.size, value);
    to.size += Float.BYTES;
    return Float.isFinite(value);
  }

  private static boolean writeWhole(long value, Scratch to) {
    to.writeLong(value);
    return true;
  }

  private static boolean writeBoolean(boolean value, Scratch to) {
    to.bytes[to.size++] = (byte) (value ? 1 : 0);
    return true;
  }

  private static boolean writeText(String text, Scratch to) {
    byte[] bytes = text.getBytes(UTF_8);
    to.room(LONGEST_SCALAR + bytes.length);
    to.writeLong(bytes.length);
    System.arraycopy(bytes, 0, to.bytes, to.size, bytes.length);
    to.size += bytes.length;
    return true;
  }

  /** In the order of the schema; null if a field is not there that has to be. */
  private byte @Nullable [] joined(Scratch of) {
    int size = of.size;
    for (int k = 0; k < fields.length; k++) {
      byte[] absent = fields[k].absent;
      if (of.to[k] < 0) {
        if (absent == null) {
          return null;
        }
        size += absent.length;
      }
    }
    byte[] body = new byte[size];
    int at = 0;
    for (int k = 0; k < fields.length; k++) {
      byte[] absent = fields[k].absent;
      if (of.to[k] >= 0) {
        int length = of.to[k] - of.from[k];
        System.arraycopy(of.bytes, of.from[k], body, at, length);
        at += length;
      } else if (absent != null) {
        System.arraycopy(absent, 0, body, at, absent.length);
        at += absent.length;
      }
    }
    return body;
  }
}
