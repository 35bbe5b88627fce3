package io.holdfast.cli.data;

import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.cli.csv.Cell;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A name in objects of JSON, what was seen of it, and its value in the row that was read last. The
 * row itself is one, too. Owned by one thread.
 *
 * <p>Numbers, truths and texts are told apart as they are written: a column has one of them, unless
 * it holds names. Texts that are all ISO 8601 are times. A list is a field without items.
 */
final class JsonColumn {
  private static final String NAMESPACE = "holdfast.json";

  /** What a value is; the words are those of sentences. */
  enum Kind {
    NUMBER("a number"),
    TRUTH("true or false"),
    TEXT("text"),
    OBJECT("an object"),
    LIST("a list");

    private final String noun;

    Kind(String noun) {
      this.noun = noun;
    }
  }

  private final String path;
  private final boolean asText;
  private final Reading reading;
  private final boolean lenient;
  private final Cell cell;
  private final SeenColumn values;
  private final SeenColumn texts;
  private final Map<String, JsonColumn> fields = new LinkedHashMap<>();
  private @Nullable Kind kind;
  private String first = ""; // where its kind was seen first
  private boolean times = true; // texts are, all of them
  private boolean words; // there were some that say that there is no value
  private long rows; // that have it
  private @Nullable ColumnType type; // once all is seen
  private boolean nullable;
  private long number; // the row of the value below
  private @Nullable Kind now;
  private String text = "";

  private JsonColumn(String path, Reading reading, boolean lenient) {
    this.path = path;
    this.reading = reading;
    this.lenient = lenient;
    cell = Cell.of(reading.missing());
    asText = reading.asText(ColumnName.of(path)) || reading.asText(path);
    values = new SeenColumn(asText, reading.missing(), "line");
    texts = new SeenColumn(true, reading.missing(), "line");
  }

  /** What was seen of a column, without the row that was read last. */
  private JsonColumn(JsonColumn seen, long above) {
    path = seen.path;
    reading = seen.reading;
    lenient = seen.lenient;
    cell = Cell.of(reading.missing());
    asText = seen.asText;
    values = seen.values;
    texts = seen.texts;
    kind = seen.kind;
    times = seen.times;
    words = seen.words;
    rows = seen.rows;
    type = isText() ? ColumnType.STRING : values.type();
    nullable = rows < above || ((kind == null || isText()) ? texts.nullable() : words);
    seen.fields.forEach((name, field) -> fields.put(name, new JsonColumn(field, rows)));
  }

  /** The rows of a file; {@code lenient} takes the first kind of a column for all. */
  static JsonColumn rows(Reading reading, boolean lenient) {
    JsonColumn rows = new JsonColumn("", reading, lenient);
    rows.kind = Kind.OBJECT;
    return rows;
  }

  /** The same for another cursor, once so many rows are seen. */
  JsonColumn seen(long rowsSeen) {
    rows = rowsSeen;
    return new JsonColumn(this, rowsSeen);
  }

  @Nullable JsonColumn find(String name) {
    return fields.get(name);
  }

  JsonColumn add(String name) {
    JsonColumn column = new JsonColumn(pathOf(name), reading, lenient);
    fields.put(name, column);
    return column;
  }

  private String pathOf(String name) {
    String field = ColumnName.field(ColumnName.text(name));
    return path.isEmpty() ? field : path + "." + field;
  }

  /** The column that {@code name} would share its path with; null if there is none. */
  @Nullable JsonColumn twin(String name) {
    String twin = pathOf(name);
    return fields.values().stream().filter(of -> of.path.equals(twin)).findFirst().orElse(null);
  }

  /** Takes the value of a row; of nothing, that it is null. */
  void take(long row, JsonToken token, String written) {
    number = row;
    text = written;
    now =
        switch (token) {
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
          case VALUE_TRUE, VALUE_FALSE -> Kind.TRUTH;
          case VALUE_STRING -> Kind.TEXT;
          case START_OBJECT -> Kind.OBJECT;
          case START_ARRAY -> Kind.LIST;
          default -> null;
        };
  }

  private @Nullable Kind in(long row) {
    return number == row ? now : null;
  }

  /** Sees what the row has in the fields of this, which stands at that line. */
  void seeFields(long row, long line, RowCursor at) {
    fields.values().forEach(field -> field.see(row, line, at));
  }

  private void see(long row, long line, RowCursor at) {
    Kind seen = in(row);
    if (seen == null) {
      return;
    }
    rows++;
    String plain = text.strip();
    boolean word = seen == Kind.TEXT || text.equals("NaN");
    if (word && !asText && reading.missing().amongNumbers(plain)) {
      texts.see(plain, line); // nothing among numbers, and a word among texts
      words = true;
      return;
    }
    boolean same = asText && seen.compareTo(Kind.TEXT) <= 0;
    if (kind == null) {
      kind = seen;
      first = at.place();
    } else if (kind != seen && !same && !lenient) {
      throw new DataException(
          "%s: %s is %s, and %s in %s: write one kind of value, or null",
          at.place(), ColumnName.of(path), seen.noun, kind.noun, first);
    }
    switch (seen) {
      case NUMBER, TRUTH -> (asText ? texts : values).see(plain, line);
      case TEXT -> {
        texts.see(plain, line);
        times = times && !asText && IsoTime.parse(plain) != null;
        if (times) {
          values.see(plain, line);
        }
      }
      case OBJECT -> seeFields(row, line, at);
      case LIST -> {}
    }
  }

  private boolean mayBeNull() {
    return nullable || (kind != Kind.OBJECT && kind != Kind.LIST && type == ColumnType.EMPTY);
  }

  private boolean isText() {
    return kind == Kind.TEXT ? !times : asText && kind != Kind.OBJECT && kind != Kind.LIST;
  }

  private SeenColumn seen() {
    return isText() ? texts : values;
  }

  private ColumnType type() {
    return type == null ? ColumnType.EMPTY : type;
  }

  /** The schema of its values, null apart. */
  Schema schema(String name) {
    if (kind == Kind.LIST) {
      return Schema.createArray(Schema.create(Schema.Type.NULL));
    }
    if (kind != Kind.OBJECT) {
      return type().schema();
    }
    List<Schema.Field> all = new ArrayList<>();
    for (Map.Entry<String, JsonColumn> entry : fields.entrySet()) {
      JsonColumn field = entry.getValue();
      String own = field.path.substring(field.path.lastIndexOf('.') + 1);
      Schema values = field.schema(name + "_" + own);
      all.add(
          new Schema.Field(
              own,
              field.mayBeNull()
                  ? Schema.createUnion(Schema.create(Schema.Type.NULL), values)
                  : values,
              "Column " + entry.getKey(),
              field.mayBeNull() ? JsonProperties.NULL_VALUE : null));
    }
    return Schema.createRecord(name, null, NAMESPACE, false, all);
  }

  /** All that hold values, nested ones too. */
  Stream<JsonColumn> leaves() {
    return kind == Kind.OBJECT
        ? fields.values().stream().flatMap(JsonColumn::leaves)
        : Stream.of(this);
  }

  String path() {
    return path;
  }

  List<String> notes() {
    return kind == Kind.LIST ? List.of() : seen().notes(ColumnName.of(path));
  }

  @Nullable String fault() {
    return kind == Kind.LIST || isText() ? null : seen().fault(ColumnName.of(path));
  }

  @Nullable String misfit(FileContract contract) {
    String column = ColumnName.of(path);
    FileContract.Kind needed = contract.kind(column);
    return needed == null || kind == Kind.LIST ? null : seen().misfit(column, needed);
  }

  /** Writes what the row has here, as {@link #schema} says. */
  void writeFields(long row, BinaryEncoder encoder) throws IOException {
    for (JsonColumn field : fields.values()) {
      boolean gap = field.isNull(row);
      if (field.mayBeNull()) {
        encoder.writeIndex(gap ? 0 : 1);
      }
      if (gap && field.mayBeNull()) {
        encoder.writeNull();
      } else {
        field.write(row, encoder);
      }
    }
  }

  private boolean isNull(long row) {
    Kind here = in(row);
    MissingWords missing = reading.missing();
    return here == null
        || (here != Kind.OBJECT
            && here != Kind.LIST
            && (isText() ? missing.amongTexts(text.strip()) : missing.amongNumbers(text.strip())));
  }

  private void write(long row, BinaryEncoder encoder) throws IOException {
    if (kind == Kind.OBJECT && in(row) == Kind.OBJECT) {
      writeFields(row, encoder);
    } else if (kind == Kind.LIST && in(row) == Kind.LIST) {
      encoder.writeArrayStart();
      encoder.setItemCount(0);
      encoder.writeArrayEnd();
    } else {
      writeValue(encoder);
    }
  }

  private void writeValue(BinaryEncoder encoder) throws IOException {
    cell.read(text.strip(), isText());
    byte is = cell.kind();
    boolean number = is >= Cell.LONG && is <= Cell.BEYOND;
    boolean fits =
        switch (type()) {
          case LONG -> is == Cell.LONG || is == Cell.MINUS_ZERO;
          case DOUBLE -> number;
          case BOOLEAN -> is == Cell.BOOLEAN;
          case TIMESTAMP -> is == Cell.TIMESTAMP;
          case STRING -> true;
          case EMPTY -> false;
        };
    if (!fits) {
      throw new DataException(
          "column %s has %s now, which it had not before: do not write to the file while it is"
              + " read",
          ColumnName.of(path), text);
    }
    switch (type()) {
      case LONG, TIMESTAMP -> encoder.writeLong(cell.bits());
      case DOUBLE -> encoder.writeDouble(Double.longBitsToDouble(cell.doubleBits()));
      case BOOLEAN -> encoder.writeBoolean(cell.bits() == 1);
      case STRING, EMPTY -> encoder.writeString(text);
    }
  }
}
