package io.holdfast.exchange.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A graph of ONNX operators in the making. Not thread-safe. */
final class OnnxGraph {
  private static final int DOUBLE = 11;
  private static final int INT64 = 7;
  private static final int TEXT = 8;
  private static final int BOOL = 9;
  private static final int UINT8 = 2;
  private static final int IR_VERSION = 10;
  private static final int OPSET = 21;
  private static final int ML_OPSET = 5;
  private static final String ML = "ai.onnx.ml";

  private final Protobuf graph = new Protobuf();

  /** Adds an operator of the usual domain; attributes come last. */
  void operator(String type, List<String> inputs, String output, Protobuf... attributes) {
    add(type, "", inputs, output, List.of(attributes));
  }

  /** Adds an operator of the domain of classical models. */
  void machineLearning(String type, String input, String output, List<Protobuf> attributes) {
    add(type, ML, List.of(input), output, attributes);
  }

  private void add(
      String type, String domain, List<String> inputs, String output, List<Protobuf> attributes) {
    Protobuf node = new Protobuf();
    inputs.forEach(input -> node.text(1, input));
    node.text(2, output).text(3, output).text(4, type);
    attributes.forEach(attribute -> node.message(5, attribute));
    if (!domain.isEmpty()) {
      node.text(7, domain);
    }
    graph.message(1, node);
  }

  static Protobuf attribute(String name, long value) {
    return new Protobuf().text(1, name).number(3, value).number(20, 2);
  }

  static Protobuf attribute(String name, long[] values) {
    Protobuf attribute = new Protobuf().text(1, name);
    Arrays.stream(values).forEach(value -> attribute.number(8, value));
    return attribute.number(20, INT64);
  }

  static Protobuf texts(String name, List<String> values) {
    Protobuf attribute = new Protobuf().text(1, name);
    values.forEach(value -> attribute.text(9, value));
    return attribute.number(20, TEXT);
  }

  static Protobuf attribute(String name, double[] values) {
    return attribute(name, tensor(DOUBLE, Protobuf.littleEndian(values), values.length));
  }

  static Protobuf attribute(String name, byte[] values) {
    return attribute(name, tensor(UINT8, values, values.length));
  }

  private static Protobuf attribute(String name, Protobuf tensor) {
    return new Protobuf().text(1, name).message(5, tensor).number(20, 4);
  }

  private static Protobuf tensor(int type, byte[] raw, long... shape) {
    Protobuf tensor = new Protobuf();
    Arrays.stream(shape).forEach(size -> tensor.number(1, size));
    return tensor.number(2, type).bytes(9, raw);
  }

  /** Adds a row of constants. */
  void constant(String name, double... values) {
    graph.message(5, tensor(DOUBLE, Protobuf.littleEndian(values), 1, values.length).text(8, name));
  }

  /** Adds a row of truths. */
  void truths(String name, List<Boolean> values) {
    byte[] raw = new byte[values.size()];
    for (int k = 0; k < raw.length; k++) {
      raw[k] = (byte) (values.get(k) ? 1 : 0);
    }
    graph.message(5, tensor(BOOL, raw, 1, raw.length).text(8, name));
  }

  private static Protobuf rows(String name, int type, int columns) {
    Protobuf shape =
        new Protobuf()
            .message(1, new Protobuf().text(2, "rows"))
            .message(1, new Protobuf().number(1, columns));
    return new Protobuf()
        .text(1, name)
        .message(2, new Protobuf().message(1, new Protobuf().number(1, type).message(2, shape)));
  }

  /** Names the input: rows of doubles. */
  void input(String name, int columns) {
    graph.message(11, rows(name, DOUBLE, columns));
  }

  /** Names an output: rows of doubles. */
  void output(String name, int columns) {
    graph.message(12, rows(name, DOUBLE, columns));
  }

  /** Names an output: a whole number a row. */
  void integerOutput(String name) {
    graph.message(12, rows(name, INT64, 1));
  }

  /** Names an output: a text a row. */
  void textOutput(String name) {
    graph.message(12, rows(name, TEXT, 1));
  }

  /** The model, with what is to be known of it. */
  byte[] model(Map<String, String> metadata) {
    graph.text(2, "holdfast");
    Protobuf model = new Protobuf().number(1, IR_VERSION).text(2, "holdfast").message(7, graph);
    model.message(8, new Protobuf().text(1, "").number(2, OPSET));
    model.message(8, new Protobuf().text(1, ML).number(2, ML_OPSET));
    metadata.forEach((key, value) -> model.message(14, new Protobuf().text(1, key).text(2, value)));
    return model.toBytes();
  }
}
