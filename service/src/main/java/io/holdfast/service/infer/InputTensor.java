package io.holdfast.service.infer;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.service.request.JsonRecords;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One input of a request: a column of its records, a value each. */
record InputTensor(String name, List<JsonNode> values) {
  private static final String BINARY_SIZE = "binary_data_size";

  /**
   * Reads one.
   *
   * @param binary what follows the JSON, from which it takes its part if it says that it has one
   */
  static InputTensor parse(JsonNode input, ByteBuffer binary) {
    JsonNode named = input.path("name");
    if (!named.isTextual()) {
      throw malformed("each input must have a name, a text");
    }
    String name = named.textValue();
    Datatype datatype = Datatype.of(input.path("datatype").asText());
    if (datatype == null) {
      throw malformed(
          Sentence.of(
              "input %s: datatype must be one of %s: %s",
              name, List.of(Datatype.values()), input.path("datatype")));
    }
    int rows = rows(name, input.path("shape"));
    JsonNode size = input.path("parameters").path(BINARY_SIZE);
    List<JsonNode> values = new ArrayList<>();
    if (!size.isMissingNode()) {
      read(name, datatype, part(name, size, binary), rows, values);
    } else if (input.path("data").isArray()) {
      read(name, datatype, input.path("data"), values);
    } else {
      throw malformed(Sentence.of("input %s: data must be an array", name));
    }
    if (values.size() != rows) {
      throw malformed(
          Sentence.of(
              "input %s: data has %d values, and shape %s says %d",
              name, values.size(), input.path("shape"), rows));
    }
    return new InputTensor(name, values);
  }

  private static int rows(String name, JsonNode shape) {
    boolean column =
        shape.isArray()
            && (shape.size() == 1 || (shape.size() == 2 && shape.get(1).asInt() == 1))
            && shape.get(0).isIntegralNumber()
            && shape.get(0).canConvertToInt()
            && shape.get(0).asInt() >= 1;
    if (!column) {
      throw malformed(
          Sentence.of(
              "input %s: shape must be [n] or [n, 1], a value of each of n records: %s",
              name, shape));
    }
    JsonRecords.checkNumber(shape.get(0).asInt(), JsonRecords.MAX_RECORDS);
    return shape.get(0).asInt();
  }

  /** All elements, nested or not, in their order. */
  private static void read(String name, Datatype datatype, JsonNode data, List<JsonNode> values) {
    for (JsonNode element : data) {
      if (element.isArray()) {
        read(name, datatype, element, values);
      } else {
        values.add(checked(name, datatype, datatype.read(element), element));
      }
    }
  }

  private static void read(
      String name, Datatype datatype, ByteBuffer data, int rows, List<JsonNode> values) {
    try {
      while (data.hasRemaining() && values.size() < rows) {
        values.add(checked(name, datatype, datatype.read(data), "in binary data"));
      }
    } catch (BufferUnderflowException | CharacterCodingException e) {
      throw malformed(Sentence.of("input %s: its binary data is not of %s", name, datatype));
    }
    if (data.hasRemaining()) {
      throw malformed(
          Sentence.of(
              "input %s: %d bytes are left behind %d values", name, data.remaining(), rows));
    }
  }

  private static ByteBuffer part(String name, JsonNode size, ByteBuffer binary) {
    if (!size.canConvertToInt() || size.asInt() < 0 || size.asInt() > binary.remaining()) {
      throw malformed(
          Sentence.of(
              "input %s: %s must be a number of the %d bytes that are left behind the JSON, which"
                  + " the header %s ends: %s",
              name, BINARY_SIZE, binary.remaining(), BinaryData.HEADER, size));
    }
    ByteBuffer part = binary.slice(binary.position(), size.asInt()).order(binary.order());
    binary.position(binary.position() + size.asInt());
    return part;
  }

  private static JsonNode checked(
      String name, Datatype datatype, @Nullable JsonNode value, Object given) {
    if (value == null) {
      throw malformed(Sentence.of("input %s: %s is no %s", name, given, datatype));
    }
    return value;
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemKind.MALFORMED_BODY, detail);
  }
}
