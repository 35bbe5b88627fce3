package io.holdfast.schemas.settings.keys;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a setting's value with its bounds.
 *
 * @param <T> what a value becomes
 */
public sealed interface Kind<T> {
  /** The value that a text stands for; null if it stands for none that is allowed. */
  @Nullable T parse(String text);

  /** What would be right in place of a text that stands for none: "must be" goes before it. */
  default String rule(String text) {
    return switch (this) {
      case Whole(int least, int most) -> Sentence.of("a whole number from %d to %d", least, most);
      case AnyWhole() -> "a whole number";
      case Real(var _, String words) -> "a number " + words;
      case RealOr(Real number, String word) -> number.rule(text) + ", or " + word;
      case Choice(List<String> words) -> "one of " + String.join(", ", words);
      case Truth() -> Truth.WORDS.rule(text);
      case Length length when length.words.isEmpty() || Length.read(text) == null ->
          "a duration such as 90s, 5m, 1h, 7d or PT1H";
      case Length length -> "a duration " + length.words;
      case Text() -> "a single value";
      case KafkaName() -> "1 to 249 letters, digits, dots, underscores and hyphens";
      case Texts() -> "a list such as [a, b]";
      case CountOrNames(Whole count) -> count.rule(text) + ", or a list of names";
      case Shares(int most) ->
          "a number above 0 and below 1, or an ascending list of at most " + most;
      case Directions() -> "a group of features with a direction each";
      case Groups() -> "a group of features with the name of a group each";
    };
  }

  /** The text that stands for a value, as documentation has it. */
  default String print(T value) {
    return String.valueOf(value);
  }

  /** The keywords of JSON schema that values in a file satisfy. */
  default Map<String, Object> jsonSchema() {
    return switch (this) {
      case Whole(int least, int most) ->
          Map.of("type", "integer", "minimum", least, "maximum", most);
      case AnyWhole() -> Map.of("type", "integer");
      case Real(Map<String, Double> bounds, String _) -> {
        Map<String, Object> schema = new TreeMap<>(bounds);
        schema.put("type", "number");
        yield schema;
      }
      case RealOr(Real number, String word) ->
          Map.of("anyOf", List.of(Map.of("const", word), number.jsonSchema()));
      case Choice(List<String> words) -> Map.of("enum", words);
      case Truth() -> Map.of("type", "boolean");
      case Length _ -> Map.of("type", "string", "pattern", "^(\\d{1,12}\\s*(ms|s|m|h|d)|P.+)$");
      case Text() -> Map.of();
      case KafkaName() -> Map.of("type", "string", "pattern", "^[A-Za-z0-9._-]{1,249}$");
      case Texts() -> Map.of("type", "array", "items", Map.of("type", List.of("string", "number")));
      case CountOrNames(Whole count) ->
          Map.of("anyOf", List.of(count.jsonSchema(), Map.of("type", "array", "minItems", 2)));
      case Shares(int most) -> {
        Map<String, Object> share = Real.between(0, 1).jsonSchema();
        Map<String, Object> list = Map.of("type", "array", "items", share, "maxItems", most);
        yield Map.of("anyOf", List.of(share, list));
      }
      case Directions() -> {
        List<Object> ways = List.of("increasing", "decreasing", "+1", "1", "-1", 1, -1);
        yield Map.of("type", "object", "additionalProperties", Map.of("enum", ways));
      }
      case Groups() -> Map.of("type", "object", "additionalProperties", Map.of());
    };
  }

  /** The end of a complaint about a text: the nearest one that is allowed, if there is any. */
  default String suggestion(String text) {
    return switch (this) {
      case Choice(List<String> words) -> Suggestion.ending(text, words);
      case Truth() -> Truth.WORDS.suggestion(text);
      default -> "";
    };
  }

  /** A whole number from {@code least} to {@code most}. */
  record Whole(int least, int most) implements Kind<Integer> {
    @Override
    public @Nullable Integer parse(String text) {
      try {
        int value = Integer.parseInt(text.replace("_", ""));
        return value >= least && value <= most ? (Integer) value : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }
  }

  /** Any whole number of 64 bits. */
  record AnyWhole() implements Kind<Long> {
    @Override
    public @Nullable Long parse(String text) {
      try {
        return Long.parseLong(text.replace("_", ""));
      } catch (NumberFormatException e) {
        return null;
      }
    }
  }

  /**
   * A finite number between two bounds.
   *
   * @param bounds the keywords of JSON schema for them, such as {@code exclusiveMinimum}
   * @param words the bounds in words, to follow "a number"
   */
  record Real(Map<String, Double> bounds, String words) implements Kind<Double> {
    private static final Pattern NUMBER =
        Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    /** 0 or more. */
    public static final Real NOT_NEGATIVE = new Real(Map.of("minimum", 0.0), "of 0 or more");

    /** Part of something, and not nothing. */
    public static final Real SHARE =
        new Real(Map.of("exclusiveMinimum", 0.0, "maximum", 1.0), "above 0, at most 1");

    /** Nothing, all, or anything between. */
    public static final Real FROM_0_TO_1 =
        new Real(Map.of("minimum", 0.0, "maximum", 1.0), "from 0 to 1");

    /** A number above {@code least} and below {@code most}. */
    static Real between(double least, double most) {
      return new Real(
          Map.of("exclusiveMinimum", least, "exclusiveMaximum", most),
          Sentence.of("above %.0f and below %.0f", least, most));
    }

    public Real {
      bounds = Map.copyOf(bounds);
    }

    @Override
    public @Nullable Double parse(String text) {
      if (!NUMBER.matcher(text).matches()) {
        return null;
      }
      double value = Double.parseDouble(text);
      return Double.isFinite(value) && allows(value) ? (Double) value : null;
    }

    private boolean allows(double value) {
      return bounds.entrySet().stream()
          .allMatch(
              bound ->
                  switch (bound.getKey()) {
                    case "minimum" -> value >= bound.getValue();
                    case "exclusiveMinimum" -> value > bound.getValue();
                    case "maximum" -> value <= bound.getValue();
                    case "exclusiveMaximum" -> value < bound.getValue();
                    default -> throw new IllegalStateException(bound.getKey() + " is no bound");
                  });
    }

    @Override
    public String print(Double value) {
      return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
  }

  /** A number, or a word in place of it; the value is the text. */
  record RealOr(Real number, String word) implements Kind<String> {
    @Override
    public @Nullable String parse(String text) {
      return text.equals(word) || number.parse(text) != null ? text : null;
    }
  }

  /** One of some words. */
  record Choice(List<String> words) implements Kind<String> {
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public @Nullable String parse(String text) {
      return words.contains(text) ? text : null;
    }
  }

  /** {@code true} or {@code false}. */
  record Truth() implements Kind<Boolean> {
    private static final Choice WORDS = new Choice(List.of("true", "false"));

    @Override
    public @Nullable Boolean parse(String text) {
      return WORDS.parse(text) == null ? null : (Boolean) text.equals("true");
    }
  }

  /**
   * A length of time from {@code least} to {@code most}, as {@code 90s}, {@code 7d} or ISO 8601.
   */
  record Length(Duration least, Duration most, String words) implements Kind<Duration> {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Any, none included. */
    public static final Length ANY = new Length(Duration.ZERO, LONGEST, "");

    /** Any but none. */
    public static final Length ABOVE_0 = new Length(Duration.ofMillis(1), LONGEST, "above 0");

    @Override
    public @Nullable Duration parse(String text) {
      Duration read = read(text);
      return read == null || read.compareTo(least) < 0 || read.compareTo(most) > 0 ? null : read;
    }

    private static @Nullable Duration read(String given) {
      String text = given.strip();
      Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
      try {
        if (!matcher.matches()) {
          return Duration.parse(text);
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        };
      } catch (DateTimeParseException | ArithmeticException e) {
        return null;
      }
    }

    @Override
    public String print(Duration value) {
      String iso = value.toString();
      return value.isZero()
          ? "0s"
          : value.equals(Duration.ofDays(value.toDays()))
              ? value.toDays() + "d"
              : iso.substring("PT".length()).toLowerCase(Locale.ROOT);
    }
  }

  /** Any text. */
  record Text() implements Kind<String> {
    @Override
    public @Nullable String parse(String text) {
      return text;
    }
  }

  /** A name that Kafka accepts for topics, groups and instances. */
  record KafkaName() implements Kind<String> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    @Override
    public @Nullable String parse(String text) {
      boolean named = NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..");
      return named ? text : null;
    }
  }

  /** Several texts: of fields, words, files or numbers. */
  record Texts() implements Kind<List<String>> {
    @Override
    public List<String> parse(String text) {
      return List.of(text.split(",", -1));
    }

    @Override
    public String print(List<String> value) {
      return "[" + String.join(", ", value) + "]";
    }
  }

  /** How many there are of something, or their names; the value is the number. */
  record CountOrNames(Whole count) implements Kind<Integer> {
    @Override
    public @Nullable Integer parse(String text) {
      return count.parse(text);
    }
  }

  /** Features, each with the name of its group. */
  record Groups() implements Kind<Map<String, String>> {
    @Override
    public @Nullable Map<String, String> parse(String text) {
      return null; // a group of keys
    }
  }

  /** One share of something or several, ascending, none of them nothing or all. */
  record Shares(int most) implements Kind<List<Double>> {
    @Override
    public @Nullable List<Double> parse(String text) {
      List<Double> shares = new ArrayList<>();
      for (String one : text.split(",", -1)) {
        Double share = Real.between(0, 1).parse(one.strip());
        if (share == null || (!shares.isEmpty() && share <= shares.getLast())) {
          return null;
        }
        shares.add(share);
      }
      return shares.size() > most ? null : List.copyOf(shares);
    }
  }

  /** Features, each with the direction that raw scores may go with it: +1 or −1. */
  record Directions() implements Kind<Map<String, Integer>> {
    @Override
    public @Nullable Map<String, Integer> parse(String text) {
      return null; // a group of keys
    }
  }
}
