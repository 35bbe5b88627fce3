package io.holdfast.service.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.wire.FieldAliases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * JSON records as Avro bodies of their {@link RequestSchema}, so that one decoder serves the stream
 * and HTTP. Thread-safe.
 */
public final class JsonRecords {
  /** Records that a request may hold. */
  public static final int MAX_RECORDS = 1_000;

  private static final ObjectMapper JSON = mapper().build();
  private static final ObjectMapper JSON_OR_NAN =
      mapper().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private final Schema written;
  private final Schema request;

  /** A record as Avro, and its fields of whole numbers beyond 2^53 that no double is. */
  @SuppressWarnings("ArrayRecordComponent") // made for one request; never compared
  record Body(byte[] bytes, List<String> rounded) {}

  JsonRecords(Schema written) {
    this.written = written;
    this.request = RequestSchema.of(written);
  }

  Schema schema() {
    return request;
  }

  /** A record of a request, and which of several it is: messages begin with that. */
  public record Given(JsonNode object, String where) {}

  /** The records of a request, an object or an array of objects. */
  public static List<Given> read(byte[] json) {
    JsonNode root = parse(json);
    if (root.isObject()) {
      return List.of(new Given(root, ""));
    }
    if (!root.isArray() || root.isEmpty()) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "the body must be a JSON object, a record's fields by name, or a non-empty array of"
              + " such");
    }
    checkNumber(root.size(), MAX_RECORDS);
    List<Given> records = new ArrayList<>(root.size());
    for (int i = 0; i < root.size(); i++) {
      if (!root.get(i).isObject()) {
        throw new ProblemException(
            ProblemKind.MALFORMED_BODY, "record " + i + " must be a JSON object: " + root.get(i));
      }
      records.add(new Given(root.get(i), "record " + i + ": "));
    }
    return records;
  }

  /** Refuses more than {@code most} records. */
  public static void checkNumber(int records, int most) {
    if (records > most) {
      throw new ProblemException(
          ProblemKind.TOO_MANY_RECORDS,
          "a request must hold at most " + most + " records: " + records);
    }
  }

  private static JsonMapper.Builder mapper() {
    return JsonMapper.builder()
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  }

  /** The only value of a body. */
  public static JsonNode parse(byte[] json) {
    return parse(json, false);
  }

  /** The same, of programs that may write NaN, which JSON has not. */
  public static JsonNode parse(byte[] json, boolean nan) {
    try {
      return (nan ? JSON_OR_NAN : JSON).readTree(json);
    } catch (JsonProcessingException e) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException | NumberFormatException e) { // the latter of 1e99999999999
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "the body cannot be read: " + e.getMessage());
    }
  }

  /** The record's body; its fields must be known and of their types. */
  Body body(Given given) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    List<String> rounded = new ArrayList<>();
    JsonValue root = new JsonValue(given.where(), "", rounded);
    try {
      new GenericDatumWriter<GenericRecord>(request)
          .write(record(given.object(), written, request, root), encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new ProblemException(
          ProblemKind.BAD_RECORD,
          given.where() + "the record cannot be encoded: " + e.getMessage());
    }
    return new Body(bytes.toByteArray(), rounded);
  }

  /** A record; {@code original} is its schema before it was widened, to tell typing errors. */
  static GenericRecord record(JsonNode object, Schema original, Schema schema, JsonValue at) {
    Map<String, JsonNode> values = new HashMap<>();
    for (Map.Entry<String, JsonNode> given : object.properties()) {
      if (values.put(field(given.getKey(), original, at), given.getValue()) != null) {
        throw new ProblemException(
            ProblemKind.BAD_RECORD,
            at.where() + "field " + at.path(given.getKey()) + " is there twice, by two names");
      }
    }
    GenericRecord record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      String name = field.name();
      Schema before = original.getField(name).schema();
      record.put(field.pos(), at.below(name).of(values.get(name), before, field.schema()));
    }
    return record;
  }

  /** The field that has that name or had it, or the one that stands for a column of that text. */
  private static String field(String name, Schema original, JsonValue at) {
    return FieldAliases.find(original, name)
        .or(() -> FieldAliases.find(original, ColumnName.field(ColumnName.text(name))))
        .orElseThrow(() -> unknown(name, original, at))
        .name();
  }

  private static ProblemException unknown(String name, Schema original, JsonValue at) {
    List<String> columns =
        original.getFields().stream().map(field -> ColumnName.of(field.name())).toList();
    return new ProblemException(
        ProblemKind.BAD_RECORD,
        Sentence.of(
            "%sfield %s is not in the record schema %s; %s",
            at.where(),
            at.path(name),
            original.getFullName(),
            Suggestion.closest(name, columns)
                .map(near -> "did you mean " + near + "?")
                .orElse("it has " + String.join(", ", columns))));
  }
}
