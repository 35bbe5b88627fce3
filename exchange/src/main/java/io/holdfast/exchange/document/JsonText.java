package io.holdfast.exchange.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON. Stateless. */
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonText() {}

  /**
   * A value as text: named values as {@link Map}, lists as {@link Iterable} or array, texts,
   * numbers and truths. Numbers that are not finite become texts, as JSON has none.
   */
  public static String of(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException("a string takes all that is written", e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> fields -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          json.writeFieldName(field.getKey().toString());
          write(json, field.getValue());
        }
        json.writeEndObject();
      }
      case Iterable<?> items -> {
        json.writeStartArray();
        for (Object item : items) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case int[] numbers -> json.writeArray(numbers, 0, numbers.length);
      case double[] numbers -> {
        json.writeStartArray();
        for (double number : numbers) {
          json.writeNumber(number);
        }
        json.writeEndArray();
      }
      case float[] numbers -> {
        json.writeStartArray();
        for (float number : numbers) {
          json.writeNumber(number);
        }
        json.writeEndArray();
      }
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      default -> json.writeString(value.toString());
    }
  }
}
