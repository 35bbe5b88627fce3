package io.holdfast.schemas.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SchemaFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One pass and the whole tree give the same bytes, and refuse the same. */
class JsonBodyTest {
  private static final Schema SCHEMA =
      SchemaFile.parse(
          """
          {"type": "record", "name": "All", "fields": [
            {"name": "d", "type": "double"},
            {"name": "f", "type": "float", "default": 0.5},
            {"name": "i", "type": ["null", "int"], "default": null},
            {"name": "l", "type": ["long", "null"], "aliases": ["length"]},
            {"name": "s", "type": ["null", "string"]},
            {"name": "b", "type": "boolean", "default": true},
            {"name": "either", "type": ["null", "float", "double", "string"], "default": null},
            {"name": "at", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
            {"name": "price", "type": ["null",
              {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}]},
            {"name": "in", "type": ["null", {"type": "record", "name": "In", "fields": [
              {"name": "x", "type": "double"}, {"name": "t", "type": ["null", "string"]}]}]},
            {"name": "many", "type": {"type": "array", "items": "int"}, "default": []},
            {"name": "kind", "type": {"type": "enum", "name": "K", "symbols": ["A", "B"],
              "default": "A"}, "default": "B"}
          ]}
          """);

  private static final List<String> VALUES =
      List.of(
          "1",
          "0",
          "-0",
          "-0.0",
          "2.5",
          "1e3",
          "1E-400",
          "1e400",
          "3.4028236e38",
          "0.1",
          "16777217",
          "2147483648",
          "-2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "0.30000000000000004444444444444444444444444444444444444",
          "4.9e-324",
          "2.2250738585072011e-308",
          "9007199254740993",
          "12.34",
          "12.345",
          "null",
          "true",
          "false",
          "\"\"",
          "\"A\"",
          "\"ü😀\"",
          "\"\\ud800\"",
          "\"2024-05-06T07:08:09Z\"",
          "\"12.30\"",
          "[1, 2]",
          "[]",
          "[1.5]",
          "{\"x\": 1}",
          "{\"x\": 1, \"x\": 2}",
          "{\"x\": \"1\"}",
          "{\"t\": null, \"x\": 2, \"y\": {}}",
          "{\"y\": [{\"z\": 1, \"z\": 1}]}",
          "NaN",
          "01",
          "1.",
          "tru",
          "\"\\x\"");

  private final JsonBody json = new JsonBody(SCHEMA);
  private final JsonFields fields = new JsonFields(SCHEMA);

  @Test
  void onePass_writesWhatTheTreeDoes() throws Exception {
    var random = new Random(7);
    int inOnePass = 0;
    for (int k = 0; k < 20_000; k++) {
      byte[] value = object(random).getBytes(UTF_8);
      byte[] body = fields.body(value);
      if (body == null) {
        assertThat(refused(value)).as(new String(value, UTF_8)).isTrue();
      } else {
        inOnePass++;
        assertThat(body).as(new String(value, UTF_8)).isEqualTo(json.tree(value).bytes(value));
      }
    }
    assertThat(inOnePass).isBetween(1_000, 19_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{}",
        "[]",
        "1",
        "null",
        "{\"d\": 1} x",
        "{\"d\": 1}{}",
        "{\"d\": 1,}",
        "{\"d\": 1, \"d\": 1}",
        "{\"l\": 1, \"length\": 2, \"d\": 1}",
        "{\"new\": 1, \"new\": 2, \"d\": 1}"
      })
  void whatIsNoObjectOfTheSchema_isLeftToTheTree(String value) {
    assertThat(fields.body(value.getBytes(UTF_8))).isNull();
  }

  @Test
  void fieldThatTwoNamesMean_isLeftToTheTree() throws Exception {
    byte[] value = "{\"d\": 1, \"l\": 1, \"length\": 2}".getBytes(UTF_8);
    assertThat(fields.body(value)).isNull();
    assertThat(json.frame(value).bytes(value)).isEqualTo(json.tree(value).bytes(value));
  }

  private boolean refused(byte[] value) {
    try {
      json.tree(value);
      return false;
    } catch (MalformedRecordException e) {
      return true;
    }
  }

  /** Values that fit and those that do not, in the order of the schema or another. */
  private static String object(Random random) {
    List<String> pairs = new ArrayList<>();
    for (Schema.Field field : SCHEMA.getFields()) {
      if (random.nextInt(8) > 0) {
        String name = field.name().equals("l") && random.nextInt(4) == 0 ? "length" : field.name();
        pairs.add("\"" + name + "\": " + value(field.name(), random));
      }
    }
    if (random.nextInt(6) == 0) {
      pairs.add("\"new\": " + VALUES.get(random.nextInt(VALUES.size())));
    }
    if (random.nextInt(3) == 0) {
      Collections.shuffle(pairs, random);
    }
    return "{" + String.join(random.nextBoolean() ? "," : " ,\n", pairs) + "}";
  }

  private static String value(String field, Random random) {
    if (random.nextInt(12) == 0) {
      return VALUES.get(random.nextInt(VALUES.size()));
    }
    return switch (field) {
      case "d", "f", "either" ->
          random.nextBoolean() ? "" + random.nextGaussian() : "" + random.nextFloat();
      case "i", "l", "at" -> "" + random.nextInt();
      case "s" -> "\"text " + random.nextInt() + "\"";
      case "b" -> "" + random.nextBoolean();
      case "price" -> random.nextInt(100_000) / 100.0 + "";
      case "in" -> "{\"x\": " + random.nextDouble() + "}";
      case "many" -> "[" + random.nextInt(9) + "]";
      default -> random.nextBoolean() ? "\"A\"" : "\"B\"";
    };
  }
}
