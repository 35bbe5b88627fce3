package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.ByteArrayOutputStream;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TextFieldTest {
  @Test
  void numbers_areTheSameTextInEveryType_toTheLastDigit() throws Exception {
    assertThat(text("\"int\"", 7)).isEqualTo("7");
    assertThat(text("\"long\"", 7L)).isEqualTo("7");
    assertThat(text("\"double\"", 7.0)).isEqualTo("7");
    assertThat(text("\"string\"", "7")).isEqualTo("7");
    assertThat(text("\"long\"", Long.MAX_VALUE - 1)).isEqualTo("9223372036854775806");
    assertThat(text("\"double\"", 0.5)).isEqualTo("0.5");
    assertThat(text("\"boolean\"", true)).isEqualTo("true");
  }

  @Test
  void missing_isNull() throws Exception {
    assertThat(text("[\"null\", \"string\"]", null)).isNull();
    assertThat(TextField.compile(schema("\"int\""), "order.id")).isNull();
  }

  @Test
  void bytes_areRefusedWithTheirName() {
    assertThatThrownBy(() -> TextField.compile(schema("\"bytes\""), "id"))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessage("field id is bytes, not a number, boolean, enum, string, UUID or time");
  }

  private static Schema schema(String type) {
    return SchemaBuilder.record("Order")
        .fields()
        .name("id")
        .type(new Schema.Parser().parse(type))
        .noDefault()
        .endRecord();
  }

  private static @Nullable String text(String type, @Nullable Object value) throws Exception {
    Schema schema = schema(type);
    GenericRecord order = new GenericRecordBuilder(schema).set("id", value).build();
    var bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(schema).write(order, encoder);
    encoder.flush();
    TextField field = TextField.compile(schema, "id");
    return Objects.requireNonNull(field).read(bytes.toByteArray(), 0);
  }
}
