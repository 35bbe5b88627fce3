package io.holdfast.auditor;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.text.Normalizer;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** What a record's fields mean, by {@code docs/values.md}. Immutable. */
final class Values {
  private static final Pattern WHOLE = Pattern.compile("([+-]?)(0|[1-9][0-9]*)(\\.0*)?");
  private static final Pattern PART = Pattern.compile("(hour|weekday|month)\\((.*)\\)");
  private static final long DAY = 86_400_000;

  private final Set<String> missing; // in small letters
  private final Set<Double> missingNumbers = new HashSet<>();

  Values(Set<String> words) {
    Set<String> small = new HashSet<>();
    for (String word : words) {
      small.add(word.strip().toLowerCase(Locale.ROOT));
      try {
        missingNumbers.add(Double.parseDouble(word));
      } catch (NumberFormatException e) {
        // A word, and no number.
      }
    }
    missing = small;
  }

  /**
   * A field with its type, which is no union; null where it, or a record that holds it, is missing.
   */
  record Held(Object value, Schema type) {}

  /** The field at a path, each step by its name or an alias of it. */
  static @Nullable Held at(GenericRecord record, String path) {
    Object value = record;
    Schema type = record.getSchema();
    for (String step : path.split("\\.", -1)) {
      if (!(value instanceof GenericRecord holder)) {
        return null;
      }
      Schema.Field field = field(holder.getSchema(), step);
      if (field == null) {
        return null;
      }
      value = holder.get(field.pos());
      type = field.schema();
      if (type.getType() == Schema.Type.UNION) {
        type = type.getTypes().get(Schemas.branch(type, value));
      }
    }
    return value == null ? null : new Held(value, type);
  }

  private static Schema.@Nullable Field field(Schema schema, String name) {
    Schema.Field named = schema.getField(name);
    if (named != null) {
      return named;
    }
    return schema.getFields().stream()
        .filter(field -> field.aliases().contains(name))
        .findFirst()
        .orElse(null);
  }

  /** A numeric feature; NaN where it is missing. */
  double number(GenericRecord record, String feature, boolean zeroMissing) {
    Matcher part = PART.matcher(feature);
    boolean whole = !part.matches();
    Held held = at(record, whole ? feature : part.group(2));
    if (held == null) {
      return Double.NaN;
    }
    double number = number(held);
    if (!whole) {
      return part(part.group(1), (long) Math.floor(number));
    }
    boolean none = zeroMissing && Math.abs(number) <= 1e-35f;
    return none || missingNumbers.contains(number) ? Double.NaN : number;
  }

  private static double part(String name, long millis) {
    long day = Math.floorDiv(millis, DAY);
    return switch (name) {
      case "hour" -> Math.floorDiv(Math.floorMod(millis, DAY), DAY / 24);
      case "weekday" -> LocalDate.ofEpochDay(day).getDayOfWeek().getValue();
      default -> LocalDate.ofEpochDay(day).getMonthValue();
    };
  }

  private static double number(Held held) {
    return switch (held.value()) {
      case Boolean truth -> truth ? 1 : 0;
      case BigDecimal decimal -> decimal.doubleValue();
      case Number number -> {
        double per = unitsPerMilli(held.type());
        yield per == 0
            ? number.doubleValue()
            : per < 0 ? number.doubleValue() * -per : number.doubleValue() / per;
      }
      default -> Double.NaN;
    };
  }

  /** Units of a time in a millisecond, below 0: milliseconds in a unit; 0: no time. */
  private static double unitsPerMilli(Schema type) {
    LogicalType logical = type.getLogicalType();
    return switch (logical == null ? "" : logical.getName()) {
      case "date" -> -DAY;
      case "time-millis", "timestamp-millis", "local-timestamp-millis" -> 1;
      case "time-micros", "timestamp-micros", "local-timestamp-micros" -> 1_000;
      case "timestamp-nanos", "local-timestamp-nanos" -> 1_000_000;
      default -> 0;
    };
  }

  /** A categorical feature: its text as it is and in the one spelling; none where it is missing. */
  List<String> category(GenericRecord record, String feature) {
    Held held = at(record, feature);
    if (held == null
        || (held.value() instanceof Double real
            && (real.isNaN() || missingNumbers.contains(real)))) {
      return List.of();
    }
    String text = text(held.value());
    String spelt = spelt(text);
    boolean none =
        spelt.isEmpty()
            || (text.equals("NaN") && held.value() instanceof Float)
            || missing.contains(spelt.toLowerCase(Locale.ROOT))
            || missing.contains(text.toLowerCase(Locale.ROOT));
    return none ? List.of() : List.of(text, spelt);
  }

  /** The environment that a field says, in the one spelling; null if it is missing. */
  static @Nullable String environment(GenericRecord record, String path) {
    Held held = at(record, path);
    return held == null
        ? null
        : held.value() instanceof CharSequence || held.value() instanceof GenericEnumSymbol<?>
            ? spelt(held.value().toString())
            : held.value() instanceof Float real ? real((double) real) : text(held.value());
  }

  private static String text(Object value) {
    return switch (value) {
      case Float real -> real == Math.rint(real) ? real((double) real) : Float.toString(real);
      case Double real -> real(real);
      case BigDecimal decimal -> {
        boolean whole = decimal.signum() == 0 || decimal.stripTrailingZeros().scale() <= 0;
        yield whole && Math.abs(decimal.doubleValue()) < 1e40
            ? decimal.toBigInteger().toString()
            : real(decimal.doubleValue());
      }
      case GenericFixed uuid -> {
        ByteBuffer bytes = ByteBuffer.wrap(uuid.bytes());
        yield new UUID(bytes.getLong(), bytes.getLong()).toString();
      }
      default -> value.toString();
    };
  }

  private static String real(double number) {
    boolean whole = Math.abs(number) <= 0x1p53 && number == Math.rint(number);
    return whole ? Long.toString((long) number) : Double.toString(number);
  }

  static String spelt(String text) {
    String plain = text.replaceAll("^[\\s\\p{Z}]+|[\\s\\p{Z}]+$", "");
    if (plain.equalsIgnoreCase("true") || plain.equalsIgnoreCase("false")) {
      return plain.toLowerCase(Locale.ROOT);
    }
    Matcher whole = WHOLE.matcher(plain);
    if (whole.matches()) {
      boolean minus = whole.group(1).equals("-") && !whole.group(2).equals("0");
      return (minus ? "-" : "") + whole.group(2);
    }
    return Normalizer.normalize(plain, Normalizer.Form.NFC);
  }

  /** What names a record or label in a field: whole numbers in digits; null if it is missing. */
  static @Nullable String name(GenericRecord record, String path) {
    Held held = at(record, path);
    return held == null
        ? null
        : held.value() instanceof BigDecimal decimal
            ? decimal.stripTrailingZeros().toPlainString()
            : held.value() instanceof Float real ? real((double) real) : text(held.value());
  }

  /** A label as a number, or as the text of a class; null if it is missing. */
  @Nullable Object label(GenericRecord record, String path) {
    Held held = at(record, path);
    if (held == null) {
      return null;
    }
    boolean number = held.value() instanceof Number || held.value() instanceof Boolean;
    if (!number) {
      return spelt(held.value().toString());
    }
    double value = number(held);
    return Double.isNaN(value) || missingNumbers.contains(value) ? null : value;
  }
}
