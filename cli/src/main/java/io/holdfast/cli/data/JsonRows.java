package io.holdfast.cli.data;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** The objects of a file of JSON Lines. Owned by one thread. */
final class JsonRows implements RowCursor {
  private static final int MOST_COLUMNS = 65_536;
  private static final int DEEPEST = 64;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS) // Python writes NaN and Infinity
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  private final InputFile file;
  private final JsonParser parser;
  private final JsonColumn columns;
  private final boolean learning;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(256);
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(body, null);
  private int known;
  private long row;
  private long line;

  /** Rows with columns that are there, or, if {@code learning}, are found as they come. */
  JsonRows(InputFile file, JsonColumn columns, boolean learning) {
    this.file = file;
    this.columns = columns;
    this.learning = learning;
    try {
      parser = JSON.createParser(file.open());
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", file, e).because(e);
    }
  }

  /** The number of the row last read, from 1. */
  long row() {
    return row;
  }

  /** Reads a row into the columns; false if there is none any more. */
  boolean read() {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return false;
      }
      row++;
      line = parser.currentTokenLocation().getLineNr();
      if (token != JsonToken.START_OBJECT) {
        throw new DataException(
            "%s is no object: write an object a line, as jq -c '.[]' makes them of a list",
            place());
      }
      readObject(columns);
      return true;
    } catch (JsonProcessingException e) {
      line = e.getLocation() == null ? line : e.getLocation().getLineNr();
      throw e instanceof JsonEOFException
          ? new DataException("%s ends within an object: the rest was cut off", place()).because(e)
          : new DataException("%s is no JSON: %s", place(), oneLine(e.getOriginalMessage()))
              .because(e);
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", place(), e).because(e);
    }
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s+", " ");
  }

  private void readObject(JsonColumn object) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      JsonColumn column = object.find(name);
      if (column == null) {
        column = added(object, name);
      }
      column.take(row, token, token.isScalarValue() ? parser.getText() : "");
      if (token == JsonToken.START_OBJECT) {
        readObject(column);
      } else if (token == JsonToken.START_ARRAY) {
        parser.skipChildren();
      }
    }
  }

  private JsonColumn added(JsonColumn object, String name) {
    if (!learning) {
      throw new DataException(
          "%s has %s, which was not there before: do not write to the file while it is read",
          place(), name);
    }
    if (name.isBlank()) {
      throw new DataException("%s has a value without a name: give it one", place());
    }
    if (++known > MOST_COLUMNS) {
      throw new DataException(
          "%s has more than %,d names in its objects, and rows have the same names",
          file, MOST_COLUMNS);
    }
    JsonColumn twin = object.twin(name);
    if (twin != null) {
      throw new DataException(
          "%s has a name, %s, that differs in spaces alone from one above: rename one",
          place(), name.strip());
    }
    return object.add(name);
  }

  /** Has the columns see the row last read. */
  void see() {
    columns.seeFields(row, line, this);
  }

  @Override
  public byte @Nullable [] next() {
    if (!read()) {
      return null;
    }
    body.reset();
    try {
      columns.writeFields(row, encoder);
    } catch (IOException e) {
      throw new DataException("%s cannot be encoded: %s", place(), e).because(e);
    }
    return body.toByteArray();
  }

  @Override
  public String place() {
    return file.line(line);
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new DataException("%s cannot be closed: %s", file, e).because(e);
    }
  }
}
