package io.holdfast.schemas.framing;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.Framing.Frame;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** JSON objects as Avro bodies of one schema. Thread-safe. */
final class JsonBody {
  /** Jackson bounds nesting, texts and numbers, but takes a name twice unless told not to. */
  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .reader();

  private final Schema schema;
  private final JsonFields fields;

  JsonBody(Schema schema) {
    this.schema = schema;
    this.fields = new JsonFields(schema);
  }

  /** Whether a value looks like an object. */
  static boolean begins(byte[] value) {
    int at = 0;
    while (at < value.length && " \n\r\t".indexOf(value[at]) >= 0) {
      at++;
    }
    return at < value.length && value[at] == '{';
  }

  /** The frame of a value that is a JSON object and fits the schema, with its body. */
  Frame frame(byte[] value) throws MalformedRecordException {
    byte[] body = fields.body(value);
    return body == null ? tree(value) : new Frame(schema, 0, body);
  }

  /** The reference: of any value, and it says what is wrong. */
  Frame tree(byte[] value) throws MalformedRecordException {
    JsonNode root;
    try {
      root = JSON.readTree(value);
    } catch (IOException | NumberFormatException e) { // the latter of 1e99999999999
      String said =
          e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.getMessage();
      throw new MalformedRecordException(Reason.UNKNOWN_FRAMING, "the value is not JSON: " + said);
    }
    if (!root.isObject()) {
      throw new MalformedRecordException(
          Reason.UNKNOWN_FRAMING,
          Sentence.of("the value must be a JSON object, not of the type %s", root.getNodeType()));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      new JsonWriter(encoder).record(root, schema, "");
      encoder.flush();
    } catch (IOException e) {
      throw new MalformedRecordException(
          Reason.INVALID_VALUE, "the value cannot be written as Avro: " + e.getMessage());
    }
    return new Frame(schema, 0, bytes.toByteArray());
  }
}
