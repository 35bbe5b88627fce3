package io.holdfast.exchange.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.holdfast.exchange.foreign.ExchangeException;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** Reads JSON. Stateless. */
public final class JsonDocument {
  private static final int MOST_LEVELS = 64;
  private static final double MOST_EXACT = 0x1p53;
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private JsonDocument() {}

  /** Reads one value, up to its end. */
  public static Document read(InputStream in) throws IOException, ExchangeException {
    try (JsonParser json = FACTORY.createParser(in)) {
      return value(json, "the model");
    }
  }

  /** Reads a text, which has that name in messages. */
  public static Document parse(String text, String name) throws ExchangeException {
    try (JsonParser json = FACTORY.createParser(text)) {
      return value(json, name);
    } catch (IOException e) {
      throw new UncheckedIOException("a string can be read", e);
    }
  }

  private static Document value(JsonParser json, String name)
      throws IOException, ExchangeException {
    try {
      json.nextToken();
      return value(json, 0);
    } catch (JsonProcessingException e) {
      var place = e.getLocation();
      throw ExchangeException.of(
          "%s is no JSON, or cut off, at line %d, column %d: %s",
          name,
          place == null ? 0 : place.getLineNr(),
          place == null ? 0 : place.getColumnNr(),
          e.getOriginalMessage());
    } catch (CharConversionException e) { // Jackson takes texts with zeros for UTF-16 or UTF-32
      throw ExchangeException.of("%s is no text: %s", name, e.getMessage());
    }
  }

  private static Document value(JsonParser json, int level) throws IOException, ExchangeException {
    ExchangeException.require(
        level < MOST_LEVELS, "the model has lists in lists of more than %d levels", MOST_LEVELS);
    JsonToken token = json.currentToken();
    if (token == null) {
      throw ExchangeException.of("the model is cut off");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Document> fields = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          fields.put(name, value(json, level + 1));
        }
        if (json.currentToken() != JsonToken.END_OBJECT) {
          throw ExchangeException.of("the model is cut off");
        }
        yield new Document.Fields(fields);
      }
      case START_ARRAY -> {
        var items = new Document.Builder();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(json, level + 1));
        }
        yield items.build();
      }
      case VALUE_NUMBER_INT ->
          Math.abs(json.getDoubleValue()) <= MOST_EXACT
              ? new Document.Numeric(json.getDoubleValue())
              : new Document.Text(json.getText());
      case VALUE_NUMBER_FLOAT -> new Document.Numeric(json.getDoubleValue());
      case VALUE_STRING -> new Document.Text(json.getText());
      case VALUE_TRUE -> new Document.Truth(true);
      case VALUE_FALSE -> new Document.Truth(false);
      case VALUE_NULL -> new Document.Nothing();
      default -> throw ExchangeException.of("the model is cut off");
    };
  }
}
