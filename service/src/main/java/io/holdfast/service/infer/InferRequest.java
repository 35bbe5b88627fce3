package io.holdfast.service.infer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.service.request.JsonRecords;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An inference request: columns of records.
 *
 * @param gamma the parameter of that name
 * @param schema the parameter of that name, a fingerprint
 * @param outputs the names of those asked for; empty is all
 * @param asBytes of these, or of all, those asked for as binary data
 */
record InferRequest(
    @Nullable String id,
    @Nullable Double gamma,
    @Nullable String schema,
    List<InputTensor> inputs,
    List<String> outputs,
    boolean allAsBytes,
    List<String> asBytes) {

  static InferRequest parse(byte[] json, ByteBuffer binary) {
    JsonNode root = JsonRecords.parse(json, true);
    JsonNode inputs = root.path("inputs");
    if (!inputs.isArray() || inputs.isEmpty()) {
      throw malformed(
          """
          the body must be a JSON object with inputs, such as {"inputs": [{"name":\
           "temperature", "datatype": "FP64", "shape": [1], "data": [12.5]}]}\
          """);
    }
    JsonNode parameters = root.path("parameters");
    JsonNode gamma = parameters.path("gamma");
    if (!gamma.isMissingNode() && !gamma.isNumber()) {
      throw malformed("the parameter gamma must be a number: " + gamma);
    }
    List<InputTensor> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode input : inputs) {
      InputTensor column = InputTensor.parse(input, binary);
      if (!names.add(column.name())) {
        throw malformed(Sentence.of("input %s is there twice", column.name()));
      }
      int rows = column.values().size();
      if (!columns.isEmpty() && rows != columns.getFirst().values().size()) {
        throw malformed(
            Sentence.of(
                "inputs must have as many values each: %s has %d, %s has %d",
                columns.getFirst().name(),
                columns.getFirst().values().size(),
                column.name(),
                rows));
      }
      columns.add(column);
    }
    if (binary.hasRemaining()) {
      throw malformed(Sentence.of("%d bytes behind the JSON are no input's", binary.remaining()));
    }
    List<String> outputs = new ArrayList<>();
    List<String> asBytes = new ArrayList<>();
    for (JsonNode output : root.path("outputs")) {
      String name = text(output, "name");
      if (name == null) {
        throw malformed("each output must have a name, a text");
      }
      outputs.add(name);
      if (output.path("parameters").path("binary_data").asBoolean()) {
        asBytes.add(name);
      }
    }
    return new InferRequest(
        text(root, "id"),
        gamma.isNumber() ? gamma.doubleValue() : null,
        text(parameters, "schema"),
        columns,
        outputs,
        parameters.path("binary_data_output").asBoolean(),
        asBytes);
  }

  /** The records, whose fields are at the paths of their inputs. */
  List<JsonRecords.Given> records(UnaryOperator<String> path) {
    List<JsonRecords.Given> records = new ArrayList<>();
    for (int row = 0; row < inputs.getFirst().values().size(); row++) {
      ObjectNode record = JsonNodeFactory.instance.objectNode();
      for (InputTensor input : inputs) {
        put(record, path.apply(input.name()).split("\\.", -1), input, row);
      }
      records.add(new JsonRecords.Given(record, "record " + row + ": "));
    }
    return records;
  }

  private static void put(ObjectNode record, String[] path, InputTensor input, int row) {
    ObjectNode in = record;
    for (int i = 0; i < path.length - 1; i++) {
      JsonNode inner = in.get(path[i]);
      if (inner != null && !inner.isObject()) {
        throw malformed(Sentence.of("input %s is within another input", input.name()));
      }
      in = inner == null ? in.putObject(path[i]) : (ObjectNode) inner;
    }
    if (in.has(path[path.length - 1])) {
      throw malformed(Sentence.of("input %s has another input within", input.name()));
    }
    in.set(path[path.length - 1], input.values().get(row));
  }

  private static @Nullable String text(JsonNode in, String name) {
    JsonNode node = in.path(name);
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (!node.isTextual()) {
      throw malformed(Sentence.of("%s must be a text: %s", name, node));
    }
    return node.textValue();
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemKind.MALFORMED_BODY, detail);
  }
}
