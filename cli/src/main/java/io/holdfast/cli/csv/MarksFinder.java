package io.holdfast.cli.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what parts the fields of a CSV text and marks its decimals, by how it begins, where that is
 * safe; throws CsvException with the flag that says it where it is not. Owned by one thread.
 */
final class MarksFinder {
  private static final byte[] DELIMITERS = {',', ';', '\t', '|'};
  private static final int MOST_ROWS = 200;

  private final byte[] bytes; // of whole lines, but for the last
  private final boolean whole;
  private final Dialect dialect;

  /** A finder in the beginning of a text, {@code whole} if that is all of it. */
  MarksFinder(byte[] beginning, boolean whole, Dialect dialect) {
    bytes = Arrays.copyOf(beginning, beginning.length + 1);
    bytes[beginning.length] = '\n';
    this.whole = whole;
    this.dialect = dialect;
  }

  Marks find() {
    Character declared = dialect.delimiter();
    byte delimiter = declared == null ? delimiter() : (byte) (char) declared;
    Character decimal = dialect.decimal();
    if (decimal != null) {
      return marks(delimiter, (byte) (char) decimal);
    }
    return marks(delimiter, delimiter == ',' ? (byte) '.' : decimal(delimiter));
  }

  private Marks marks(byte delimiter, byte decimal) {
    return new Marks(delimiter, dialect.quoteMark(), decimal);
  }

  private byte delimiter() {
    List<Byte> parting = new ArrayList<>(); // each row into as many fields
    byte first = ','; // of those that part the header
    int fields = 1;
    for (byte delimiter : DELIMITERS) {
      List<List<String>> rows = rows(delimiter);
      int width = rows == null || rows.isEmpty() ? 0 : rows.getFirst().size();
      if (width < 2 || rows == null) {
        continue;
      }
      if (rows.stream().allMatch(row -> row.size() == width)) {
        parting.add(delimiter);
      }
      if (fields == 1) {
        first = delimiter;
        fields = width;
      }
    }
    if (parting.size() > 1) {
      throw new CsvException(
          0,
          "may be parted by %s or by %s: say which with --delimiter",
          shown(parting.get(0)),
          shown(parting.get(1)));
    }
    return parting.isEmpty() ? first : parting.getFirst();
  }

  private static String shown(byte delimiter) {
    return delimiter == '\t' ? "tabs" : String.valueOf((char) delimiter);
  }

  /** A comma if values with one can be nothing else, and none with a point can be. */
  private byte decimal(byte delimiter) {
    List<List<String>> rows = rows(delimiter);
    boolean commas = false;
    boolean points = false;
    String either = null; // 1.234, of which none knows
    for (List<String> row : rows == null ? List.<List<String>>of() : rows) {
      for (String cell : row) {
        commas |= cell.matches("[-+]?(\\d{4,}|0?),\\d+|[-+]?\\d+,(\\d{1,2}|\\d{4,})");
        if (cell.matches("[-+]?[1-9]\\d{0,2}\\.\\d{3}")) {
          either = either == null ? cell : either;
        } else {
          points |= cell.matches("[-+]?\\d*\\.\\d+");
        }
      }
    }
    if (!points && either != null && delimiter == ';') {
      throw new CsvException(
          0,
          "has numbers such as %s, with a decimal point or with one between thousands: say how"
              + " decimals are marked with --decimal",
          either);
    }
    return (byte) (commas && !points ? ',' : '.');
  }

  /** The first rows if the delimiter is that; null if quotes are wrong then. */
  private @Nullable List<List<String>> rows(byte delimiter) {
    Fields fields = new Fields(bytes, bytes.length, marks(delimiter, (byte) '.'));
    List<List<String>> rows = new ArrayList<>();
    int at = 0;
    while (rows.size() < MOST_ROWS) {
      while (at < bytes.length && Marks.isEnd(bytes[at])) {
        at++;
      }
      if (at >= bytes.length) {
        break;
      }
      List<String> row = new ArrayList<>();
      fields.move(at);
      try {
        fields.next();
        row.add(fields.text());
        while (fields.bytes()[fields.at()] == delimiter) {
          fields.move(fields.at() + 1);
          fields.next();
          row.add(fields.text());
        }
      } catch (CsvException e) {
        return whole || rows.isEmpty() ? null : rows;
      }
      at = fields.at();
      if (at >= bytes.length - 1 && !whole) {
        break; // the row goes on behind
      }
      rows.add(row);
    }
    return rows;
  }
}
