package io.holdfast.cli.print;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/** JSON as machines read it from standard output. Stateless. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /** Figures by name, in the order of the names; what is not finite is null, as JSON has no NaN. */
  public static ObjectNode figures(Map<String, Double> figures) {
    ObjectNode node = object();
    new TreeMap<>(figures).forEach((name, value) -> put(node, name, value));
    return node;
  }

  /** Adds a figure; null if it is not finite. */
  public static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }

  /** Adds figures; null for each that is not finite. */
  public static void put(ObjectNode node, String name, double[] values) {
    ArrayNode array = node.putArray(name);
    for (double value : values) {
      if (Double.isFinite(value)) {
        array.add(value);
      } else {
        array.addNull();
      }
    }
  }

  /**
   * A tree of JSON text that this program wrote.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + text, e);
    }
  }

  /** A tree of maps, lists and plain values, in their order. */
  public static ObjectNode tree(Map<String, ?> values) {
    return MAPPER.valueToTree(values);
  }

  /** On several lines, indented. */
  public static String pretty(ObjectNode node) {
    try {
      return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON nodes can always be written", e);
    }
  }

  /** On one line. */
  public static String line(ObjectNode node) {
    return node.toString();
  }
}
