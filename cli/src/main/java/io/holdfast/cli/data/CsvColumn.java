package io.holdfast.cli.data;

import io.holdfast.cli.csv.Cell;
import io.holdfast.cli.csv.CsvBlock;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import java.util.function.Supplier;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/** A column of a CSV file, all that was seen of it, and how its cells are written. Immutable. */
record CsvColumn(String header, ColumnType type, boolean nullable, SeenColumn seen) {

  static CsvColumn of(String header, SeenColumn seen) {
    ColumnType type = seen.type();
    boolean nullable = seen.nullable() || type == ColumnType.EMPTY;
    return new CsvColumn(header, type, nullable, seen);
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

  /** Writes a cell; throws DataException that begins with {@code place} if it does not fit. */
  void write(CsvBlock block, int row, int column, BodyWriter out, Supplier<String> place) {
    byte kind = block.kind(row, column);
    boolean gap = kind == Cell.GAP || (kind == Cell.WORD && type != ColumnType.STRING);
    if (nullable) {
      out.writeLong(gap ? 0 : 1);
      if (gap) {
        return;
      }
    }
    long bits = block.bits(row, column);
    boolean fits =
        switch (type) {
          case LONG -> {
            out.writeLong(bits);
            yield kind == Cell.LONG || kind == Cell.MINUS_ZERO;
          }
          case DOUBLE -> {
            out.writeDoubleBits(Cell.doubleBits(kind, bits));
            yield kind >= Cell.LONG && kind <= Cell.BEYOND;
          }
          case BOOLEAN -> {
            out.writeTruth(bits == 1);
            yield kind == Cell.BOOLEAN;
          }
          case TIMESTAMP -> {
            out.writeLong(bits);
            yield kind == Cell.TIMESTAMP;
          }
          case STRING -> {
            out.writeText(block.bytes(), CsvBlock.place(bits), CsvBlock.length(bits));
            yield !gap;
          }
          case EMPTY -> false;
        };
    if (!fits) {
      String text = block.text(row, column);
      // The file was read whole to find the types, so a value that does not fit was not there.
      throw new DataException(
          "%s has %s in column %s now, which was not there before: do not write to the file while"
              + " it is read",
          place.get(), text.isEmpty() ? "nothing" : text, header);
    }
  }
}
