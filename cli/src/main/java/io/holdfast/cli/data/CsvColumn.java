package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.jspecify.annotations.Nullable;

/** A column of a CSV file, all that was seen of it, and how its cells are written. Immutable. */
record CsvColumn(
    String header, ColumnType type, boolean nullable, MissingWords missing, SeenColumn seen) {

  static CsvColumn of(String header, SeenColumn seen, MissingWords missing) {
    ColumnType type = seen.type();
    boolean nullable = seen.nullable() || type == ColumnType.EMPTY;
    return new CsvColumn(header, type, nullable, missing, seen);
  }

  String field() {
    return ColumnName.field(header);
  }

  Schema.Field avroField() {
    Schema schema =
        nullable
            ? Schema.createUnion(Schema.create(Schema.Type.NULL), type.schema())
            : type.schema();
    Object absent = nullable ? JsonProperties.NULL_VALUE : null;
    return new Schema.Field(field(), schema, "Column " + header, absent);
  }

  void write(String text, BinaryEncoder encoder, CsvLines at) throws IOException {
    boolean gap = type == ColumnType.STRING ? missing.amongTexts(text) : missing.amongNumbers(text);
    if (nullable) {
      encoder.writeIndex(gap ? 0 : 1);
    }
    if (gap && nullable) {
      encoder.writeNull();
      return;
    }
    switch (type) {
      case LONG -> encoder.writeLong(known(ColumnType.parseLong(text), text, at));
      case DOUBLE -> encoder.writeDouble(known(ColumnType.number(text), text, at));
      case BOOLEAN -> encoder.writeBoolean(known(ColumnType.truth(text), text, at));
      case TIMESTAMP -> encoder.writeLong(known(IsoTime.parse(text), text, at));
      case STRING -> encoder.writeString(gap ? known(null, text, at) : text);
      case EMPTY -> known(null, text, at);
    }
  }

  /** The file was read whole to find the types, so a value that does not fit was not there. */
  private <T> T known(@Nullable T value, String text, CsvLines at) {
    if (value == null) {
      throw new DataException(
          "%s has %s in column %s now, which was not there before: do not write to the file while"
              + " it is read",
          at.place(), text.isEmpty() ? "nothing" : text, header);
    }
    return value;
  }
}
