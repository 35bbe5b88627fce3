package io.holdfast.exchange.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes JSON. Stateless. */
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonText() {}

  /** What writes a document. */
  @FunctionalInterface
  public interface Content {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** A document as text. */
  public static String of(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      content.writeTo(json);
    } catch (IOException e) {
      throw new UncheckedIOException("a string takes all that is written", e);
    }
    return text.toString();
  }

  /** Lists of texts. */
  public static String of(List<List<String>> lists) {
    return of(
        json -> {
          json.writeStartArray();
          for (List<String> list : lists) {
            strings(json, list);
          }
          json.writeEndArray();
        });
  }

  /** A list of texts. */
  public static void strings(JsonGenerator json, List<String> list) throws IOException {
    json.writeStartArray();
    for (String item : list) {
      json.writeString(item);
    }
    json.writeEndArray();
  }

  /** A named list of whole numbers. */
  public static void integers(JsonGenerator json, String name, int[] numbers) throws IOException {
    json.writeFieldName(name);
    json.writeArray(numbers, 0, numbers.length);
  }

  /** A named list of numbers; infinite ones are texts. */
  public static void numbers(JsonGenerator json, String name, double[] numbers) throws IOException {
    json.writeArrayFieldStart(name);
    for (double number : numbers) {
      number(json, number);
    }
    json.writeEndArray();
  }

  /** A number; an infinite one is a text, which JSON has no number for. */
  public static void number(JsonGenerator json, double number) throws IOException {
    if (Double.isInfinite(number)) {
      json.writeString(Double.toString(number));
    } else {
      json.writeNumber(number);
    }
  }
}
