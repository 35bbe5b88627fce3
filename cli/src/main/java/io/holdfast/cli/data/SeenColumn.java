package io.holdfast.cli.data;

import io.holdfast.cli.csv.Cell;
import io.holdfast.cli.csv.CsvBlock;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.MissingWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What was seen of a column so far. Owned by one thread. */
final class SeenColumn {
  /** So many values tell whether they come again. */
  private static final int FEWEST = 20;

  /** So many whole numbers tell whether each is another. */
  private static final int ENOUGH = 100;

  /** From here on not every whole number is a double. */
  private static final long MOST_EXACT = 1L << 53;

  private static final int MOST_SHOWN = 40;

  private final boolean asText;
  private final Cell cell;
  private final String place;
  private final Map<ColumnType, Seen> seen = new EnumMap<>(ColumnType.class);
  private final DistinctCount distinct = new DistinctCount();
  private @Nullable Seen doubles; // one of `seen`
  private @Nullable Seen texts; // another
  private @Nullable Seen otherNumbers; // texts that other dialects have for numbers
  private @Nullable Seen otherDates; // texts that countries have for dates
  private @Nullable Seen inexact; // whole numbers that no double is
  private @Nullable Seen beyond; // numbers that are beyond all doubles
  private long words; // usual words for a missing value
  private final DistinctCount wholes = new DistinctCount(); // different whole numbers
  private double last = Double.NaN; // the newest number
  private long rises;
  private long falls;
  private boolean gaps; // what is missing among texts, too

  private static final class Seen {
    private final String first;
    private final long line;
    private long count;

    Seen(String first, long line) {
      this.first = first;
      this.line = line;
    }
  }

  /** A column without values; {@code place} is what numbers of places count: lines or rows. */
  SeenColumn(boolean asText, MissingWords missing, String place) {
    this.asText = asText;
    cell = Cell.of(missing);
    this.place = place;
  }

  /** Sees a value of a row of another file, without spaces around it. */
  void see(String text, long line) {
    cell.read(text, asText);
    see(cell.kind(), cell.bits(), () -> text, line);
    if (cell.kind() >= Cell.STRING) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      distinct.add(bytes, 0, bytes.length);
    }
  }

  /** Sees a column of rows, which come in the order of the file. */
  void see(CsvBlock block, int column) {
    Seen of = doubles;
    if (of != null && block.hasOnly(Cell.DOUBLE, column)) {
      of.count += block.rows();
      for (int row = 0; row < block.rows(); row++) {
        compare(Double.longBitsToDouble(block.bits(row, column)));
      }
      return;
    }
    byte[] bytes = block.bytes();
    for (int i = 0; i < block.rows(); i++) {
      int row = i;
      byte kind = block.kind(row, column);
      long bits = block.bits(row, column);
      if (kind >= Cell.STRING) {
        distinct.add(bytes, CsvBlock.place(bits), CsvBlock.length(bits));
      }
      if (!seeAgain(kind, bits)) {
        see(kind, bits, () -> block.text(row, column), block.line(row));
      }
    }
  }

  /** Sees what is like others seen before: the usual case, in which nothing is made. */
  private boolean seeAgain(byte kind, long bits) {
    if (kind == Cell.DOUBLE && doubles != null) {
      doubles.count++;
      compare(Double.longBitsToDouble(bits));
      return true;
    }
    if (kind == Cell.STRING && texts != null) {
      texts.count++;
      return true;
    }
    return false;
  }

  private void see(byte kind, long bits, Supplier<String> text, long line) {
    if (kind == Cell.GAP) {
      gaps = true;
      return;
    }
    if (kind == Cell.WORD) {
      words++;
      return;
    }
    ColumnType type = ColumnType.of(kind);
    Seen of = seen.get(type);
    if (of == null) {
      of = new Seen(text.get(), line);
      seen.put(type, of);
      doubles = seen.get(ColumnType.DOUBLE);
      texts = seen.get(ColumnType.STRING);
    }
    of.count++;
    switch (kind) {
      case Cell.LONG, Cell.MINUS_ZERO -> {
        compare((double) bits);
        wholes.add(bits);
        if (bits > MOST_EXACT || bits < -MOST_EXACT) {
          inexact = first(inexact, text, line);
        }
      }
      case Cell.BIG -> {
        compare(Double.longBitsToDouble(bits));
        inexact = first(inexact, text, line);
      }
      case Cell.BEYOND -> {
        compare(Double.longBitsToDouble(bits));
        beyond = first(beyond, text, line);
      }
      case Cell.DOUBLE -> compare(Double.longBitsToDouble(bits));
      case Cell.OTHER_NUMBER -> otherNumbers = first(otherNumbers, text, line);
      case Cell.OTHER_DATE -> otherDates = first(otherDates, text, line);
      default -> {
        // Texts, dates and truths are in no order.
      }
    }
  }

  private void compare(double number) {
    rises += number > last ? 1 : 0;
    falls += number < last ? 1 : 0;
    last = number;
  }

  private static Seen first(@Nullable Seen known, Supplier<String> text, long line) {
    Seen first = known == null ? new Seen(text.get(), line) : known;
    first.count++;
    return first;
  }

  private long count(ColumnType type) {
    Seen of = seen.get(type);
    return of == null ? 0 : of.count;
  }

  private long values() {
    return seen.values().stream().mapToLong(of -> of.count).sum();
  }

  private long numbers() {
    return count(ColumnType.LONG) + count(ColumnType.DOUBLE);
  }

  ColumnType type() {
    long values = values();
    if (asText) {
      return ColumnType.STRING;
    }
    if (values == 0) {
      return ColumnType.EMPTY;
    }
    if (numbers() == values) {
      return count(ColumnType.DOUBLE) > 0 ? ColumnType.DOUBLE : ColumnType.LONG;
    }
    for (ColumnType type : List.of(ColumnType.BOOLEAN, ColumnType.TIMESTAMP)) {
      if (count(type) == values) {
        return type;
      }
    }
    return ColumnType.STRING;
  }

  boolean nullable() {
    return gaps || (words > 0 && type() != ColumnType.STRING);
  }

  /** Why it cannot be a feature until it is corrected or declared; null if it can. */
  @Nullable String fault(String name) {
    ColumnType type = type();
    if (beyond != null && type == ColumnType.DOUBLE) {
      return Sentence.of(
          "line %d: column %s has %s, which is beyond all numbers of 64 bits (about ±1.8e308):"
              + " correct it, or name it with --missing %s if it says that there is no value",
          beyond.line, name, shown(beyond.first), shown(beyond.first));
    }
    if (asText || type != ColumnType.STRING) {
      return null;
    }
    if (otherNumbers != null && 2 * (numbers() + otherNumbers.count) > values()) {
      return Sentence.of(
          "line %d: column %s has %s, a number in another writing than most dialects have: say how"
              + " decimals are marked with --decimal, have no marks between thousands, or declare"
              + " the column with --categorical %s",
          otherNumbers.line, name, shown(otherNumbers.first), name);
    }
    if (2 * numbers() > values()) {
      return oddOnes(name, "number", numbers());
    }
    return 2 * count(ColumnType.TIMESTAMP) > values()
        ? oddOnes(name, ColumnType.TIMESTAMP.noun(), count(ColumnType.TIMESTAMP))
        : null;
  }

  /** Why it is not what a model needs; null if it is. */
  @Nullable String misfit(String name, FileContract.Kind kind) {
    ColumnType type = type();
    if (kind == FileContract.Kind.TEXT || type == ColumnType.EMPTY) {
      return null;
    }
    if (kind == FileContract.Kind.NUMBER) {
      if (beyond != null) {
        return Sentence.of(
            "line %d: column %s has %s, which is beyond all numbers of 64 bits (about ±1.8e308):"
                + " correct it, or leave it empty",
            beyond.line, name, shown(beyond.first));
      }
      if (type != ColumnType.STRING) {
        return null;
      }
    } else if (type == ColumnType.TIMESTAMP) {
      return null;
    }
    boolean dates =
        kind == FileContract.Kind.TIME || (numbers() == 0 && count(ColumnType.TIMESTAMP) > 0);
    Seen odd = firstOther(!dates);
    return Sentence.of(
        "line %d: column %s has %s, which is no %s, as the model needs: correct it, or leave it"
            + " empty",
        odd.line,
        name,
        shown(odd.first),
        dates ? ColumnType.TIMESTAMP.noun() : ColumnType.DOUBLE.noun());
  }

  private String oddOnes(String name, String noun, long others) {
    Seen odd = firstOther(noun.equals("number"));
    return Sentence.of(
        "line %d: column %s has %s, which is no %s, where %,d of its %,d values are: correct it,"
            + " name it with --missing %s if it says that there is no value, or declare the column"
            + " with --categorical %s",
        odd.line, name, shown(odd.first), noun, others, values(), shown(odd.first), name);
  }

  /** The first value that is no number, or no date. */
  private Seen firstOther(boolean thanNumbers) {
    Seen first = null;
    for (Map.Entry<ColumnType, Seen> entry : seen.entrySet()) {
      boolean number = entry.getKey() == ColumnType.LONG || entry.getKey() == ColumnType.DOUBLE;
      boolean same = thanNumbers ? number : entry.getKey() == ColumnType.TIMESTAMP;
      if (!same && (first == null || entry.getValue().line < first.line)) {
        first = entry.getValue();
      }
    }
    if (first == null) {
      throw new IllegalStateException("a column of numbers alone has no other values");
    }
    return first;
  }

  /** What should be known of it if it is a feature: sentences. */
  List<String> notes(String name) {
    List<String> notes = new ArrayList<>();
    ColumnType type = type();
    if (inexact != null && type != ColumnType.STRING) {
      notes.add(
          Sentence.of(
              "column %s has %,d whole numbers beyond 2^53 (the first is %s in %s %d), which are"
                  + " rounded: declare it with --categorical %s if each is a name, or leave it out"
                  + " with --exclude %s",
              name, inexact.count, inexact.first, place, inexact.line, name, name));
    }
    if (type != ColumnType.STRING) {
      String counter = counter(name, type);
      if (counter != null) {
        notes.add(counter);
      }
      return notes;
    }
    if (otherDates != null && 2 * otherDates.count > values()) {
      notes.add(
          Sentence.of(
              "column %s is taken for categories, and has dates (the first is %s in line %d): write"
                  + " them as 2026-05-31",
              name, shown(otherDates.first), otherDates.line));
    } else if (!asText && numbers() > 0 && fault(name) == null) {
      Seen odd = firstOther(true);
      notes.add(
          Sentence.of(
              "column %s is taken for categories, though %,d of its %,d values are numbers (the"
                  + " first that is none is %s in line %d): say so with --categorical %s, or"
                  + " correct the others",
              name, numbers(), values(), shown(odd.first), odd.line, name));
    } else if (values() >= FEWEST && 3 * distinct.estimate() > 2 * values()) {
      notes.add(
          Sentence.of(
              "column %s is taken for categories, and most of its values occur once: leave it out"
                  + " with --exclude %s unless they come again",
              name, name));
    }
    return notes;
  }

  /** What is said of a number that tells rows apart rather than what they are; null if none. */
  private @Nullable String counter(String name, ColumnType type) {
    if (type == ColumnType.TIMESTAMP) {
      return Sentence.of(
          "column %s has dates, whose number since 1970 is a feature, which only grows: have hour,"
              + " weekday and month instead with --dates %s, or leave it out with --exclude %s",
          name, name, name);
    }
    if (rises + falls >= FEWEST && (falls == 0 || rises == 0)) {
      return Sentence.of(
          "column %s only counts %s, as a time or a row's number does, and rows to come are beyond"
              + " all that is learned of it: leave it out with --exclude %s",
          name, falls == 0 ? "up" : "down", name);
    }
    return type == ColumnType.LONG && values() >= ENOUGH && !wholes.repeated()
        ? Sentence.of(
            "column %s has another whole number in every row, as an identity has: leave it out with"
                + " --exclude %s if it is one",
            name, name)
        : null;
  }

  private static String shown(String text) {
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
  }
}
