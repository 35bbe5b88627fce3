package io.holdfast.service.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.wire.SchemaFile;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class RequestSchemaTest {
  @Test
  void everyUsefulField_mayBeNull() {
    Schema schema =
        RequestSchema.of(
            SchemaFile.parse(
                """
                {"type": "record", "name": "R", "fields": [
                  {"name": "plain", "type": "double"},
                  {"name": "nullable", "type": ["long", "null"]},
                  {"name": "several", "type": ["null", "string", "int"]},
                  {"name": "list", "type": {"type": "array", "items": "int"}},
                  {"name": "raw", "type": ["null", "bytes"]},
                  {"name": "below", "type": {"type": "record", "name": "B", "fields": [
                    {"name": "flag", "type": "boolean"}]}}]}
                """));

    assertThat(types(schema, "plain")).containsExactly("null", "double");
    assertThat(types(schema, "nullable")).containsExactly("null", "long");
    assertThat(types(schema, "several")).containsExactly("null", "string", "int");
    assertThat(schema.getField("list")).isNull();
    assertThat(schema.getField("raw")).isNull();
    assertThat(types(schema.getField("below").schema().getTypes().get(1), "flag"))
        .containsExactly("null", "boolean");
  }

  @Test
  void recordWithinItself_ends() {
    Schema schema =
        RequestSchema.of(
            SchemaFile.parse(
                """
                {"type": "record", "name": "Node", "fields": [
                  {"name": "value", "type": "int"},
                  {"name": "next", "type": ["null", "Node"]}]}
                """));

    assertThat(schema.getFields()).extracting(Schema.Field::name).containsExactly("value");
  }

  private static List<String> types(Schema record, String field) {
    return record.getField(field).schema().getTypes().stream().map(Schema::getName).toList();
  }
}
