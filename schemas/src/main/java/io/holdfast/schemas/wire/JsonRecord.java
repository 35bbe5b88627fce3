package io.holdfast.schemas.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as the Avro body of a record, so that what comes by HTTP is scored by the same
 * decoder as what comes by Kafka. Used by one thread, for one object.
 *
 * <p>Unions take the plain value, without a wrapper that names the branch. A field that is left out
 * has its default, or else null where the schema allows that. Dates and timestamps may be ISO-8601
 * texts; bytes are texts of characters 0 to 255.
 */
public final class JsonRecord {
  private static final int MAX_DEPTH = 100;

  private final BinaryEncoder out;
  private int depth;

  private JsonRecord(BinaryEncoder out) {
    this.out = out;
  }

  /**
   * The Avro body of {@code object}, written with {@code writer}.
   *
   * @throws MalformedRecordException with reason INVALID_VALUE and a sentence that names the field
   *     if the object does not fit the schema
   */
  public static byte[] body(JsonNode object, Schema writer) throws MalformedRecordException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new JsonRecord(encoder).write("", writer, object);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all that is written", e);
    }
    return bytes.toByteArray();
  }

  private void write(String path, Schema schema, JsonNode value)
      throws IOException, MalformedRecordException {
    switch (schema.getType()) {
      case RECORD -> record(path, schema, value);
      case UNION -> union(path, schema, value);
      case ARRAY -> array(path, schema, value);
      case MAP -> map(path, schema, value);
      default -> JsonScalar.write(out, path, schema, value);
    }
  }

  private void record(String path, Schema schema, JsonNode value)
      throws IOException, MalformedRecordException {
    if (!value.isObject()) {
      throw JsonScalar.wrong(path, "an object", value);
    }
    if (++depth > MAX_DEPTH) {
      throw new MalformedRecordException(
          Reason.LIMIT_EXCEEDED, "objects are nested more than " + MAX_DEPTH + " deep");
    }
    for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (schema.getField(name) == null) {
        List<String> known = schema.getFields().stream().map(Schema.Field::name).toList();
        throw new MalformedRecordException(
            Reason.INVALID_VALUE,
            Sentence.of(
                "%s is no field of the record schema %s%s",
                below(path, name), schema.getFullName(), Suggestion.ending(name, known)));
      }
    }
    for (Schema.Field field : schema.getFields()) {
      String name = below(path, field.name());
      @Nullable JsonNode given = value.get(field.name());
      if (given != null) {
        write(name, field.schema(), given);
      } else if (field.hasDefaultValue()) {
        new GenericDatumWriter<>(field.schema())
            .write(GenericData.get().getDefaultValue(field), out);
      } else if (field.schema().getType() == Schema.Type.NULL) {
        out.writeNull();
      } else if (nullBranch(field.schema()) >= 0) {
        out.writeIndex(nullBranch(field.schema()));
      } else {
        throw new MalformedRecordException(
            Reason.INVALID_VALUE,
            Sentence.of("%s is missing, and the schema gives it neither a default nor null", name));
      }
    }
    depth--;
  }

  private void union(String path, Schema schema, JsonNode value)
      throws IOException, MalformedRecordException {
    List<Schema> types = schema.getTypes();
    for (int branch = 0; branch < types.size(); branch++) {
      if (accepts(types.get(branch), value)) {
        out.writeIndex(branch);
        write(path, types.get(branch), value);
        return;
      }
    }
    throw JsonScalar.wrong(
        path, String.join(" or ", types.stream().map(JsonScalar::describe).toList()), value);
  }

  private static boolean accepts(Schema schema, JsonNode value) {
    return switch (schema.getType()) {
      case RECORD -> value.isObject() && hasFieldsOf(schema, value);
      case MAP -> value.isObject();
      case ARRAY -> value.isArray();
      default -> JsonScalar.accepts(schema, value);
    };
  }

  private static boolean hasFieldsOf(Schema schema, JsonNode value) {
    for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
      if (schema.getField(names.next()) == null) {
        return false;
      }
    }
    return true;
  }

  private void array(String path, Schema schema, JsonNode value)
      throws IOException, MalformedRecordException {
    if (!value.isArray()) {
      throw JsonScalar.wrong(path, "a list", value);
    }
    out.writeArrayStart();
    out.setItemCount(value.size());
    for (int i = 0; i < value.size(); i++) {
      out.startItem();
      write(path + "[" + i + "]", schema.getElementType(), value.get(i));
    }
    out.writeArrayEnd();
  }

  private void map(String path, Schema schema, JsonNode value)
      throws IOException, MalformedRecordException {
    if (!value.isObject()) {
      throw JsonScalar.wrong(path, "an object", value);
    }
    out.writeMapStart();
    out.setItemCount(value.size());
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      out.startItem();
      out.writeBytes(entry.getKey().getBytes(StandardCharsets.UTF_8));
      write(below(path, entry.getKey()), schema.getValueType(), entry.getValue());
    }
    out.writeMapEnd();
  }

  private static int nullBranch(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return -1;
    }
    List<Schema> types = schema.getTypes();
    for (int branch = 0; branch < types.size(); branch++) {
      if (types.get(branch).getType() == Schema.Type.NULL) {
        return branch;
      }
    }
    return -1;
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
