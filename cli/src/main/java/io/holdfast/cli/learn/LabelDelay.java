package io.holdfast.cli.learn;

import io.holdfast.schemas.Sentence;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long after its row a label comes: rows or milliseconds later, fixed or at random, and
 * otherwise in some environments. Immutable; a row's delay is a function of the row's number, its
 * environment and the seed.
 *
 * <p>As text: {@code 1000} (rows), {@code 500..1500} (at random, all equally likely), {@code 2h} or
 * {@code 1h..3d} (by the time of the rows; ms, s, m, h, d), and {@code 500,north=2000,south=0}: one
 * for all, then others by environment.
 */
public record LabelDelay(String text, Span usual, Map<String, Span> byEnvironment, boolean timed) {
  private static final Pattern SPAN =
      Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h|d)?(?:\\.\\.(\\d+(?:\\.\\d+)?)(ms|s|m|h|d)?)?");
  private static final String RIGHT =
      "a number of rows (1000), a time (2h), a range of either (500..1500), with others by"
          + " environment (500,north=2000)";

  private record Span(long least, long most, boolean timed) {}

  /** Parses a delay; throws IllegalArgumentException in one sentence. */
  public static LabelDelay parse(String text) {
    Span usual = null;
    Map<String, Span> byEnvironment = new LinkedHashMap<>();
    for (String item : text.split(",", -1)) {
      int equals = item.lastIndexOf('=');
      Span span = span(item.substring(equals + 1).strip(), text);
      if (equals >= 0) {
        byEnvironment.put(item.substring(0, equals).strip(), span);
      } else if (usual == null) {
        usual = span;
      } else {
        throw wrong(text);
      }
    }
    boolean timed = usual != null ? usual.timed : byEnvironment.values().iterator().next().timed;
    Span rest = usual == null ? new Span(0, 0, timed) : usual;
    for (Span span : byEnvironment.values()) {
      if (span.timed != timed) {
        throw new IllegalArgumentException(
            Sentence.of("delays must all be in rows or all be times: %s", text));
      }
    }
    return new LabelDelay(text, rest, byEnvironment, timed);
  }

  private static Span span(String item, String text) {
    Matcher matcher = SPAN.matcher(item);
    if (!matcher.matches()) {
      throw wrong(text);
    }
    String unit = matcher.group(2);
    String lastUnit = matcher.group(4);
    boolean ranges = matcher.group(3) != null;
    // 1..3h is a range of hours; 1h..3 is a slip.
    String first = unit == null && ranges ? lastUnit : unit;
    if (ranges && first != null && lastUnit == null) {
      throw wrong(text);
    }
    long least = amount(matcher.group(1), first, text);
    long most = ranges ? amount(matcher.group(3), lastUnit, text) : least;
    if (most < least) {
      throw new IllegalArgumentException(Sentence.of("a delay's range must go upwards: %s", text));
    }
    return new Span(least, most, first != null);
  }

  private static long amount(String number, @Nullable String unit, String text) {
    BigDecimal factor =
        BigDecimal.valueOf(
            switch (unit) {
              case null -> 1;
              case "ms" -> 1;
              case "s" -> 1_000;
              case "m" -> 60_000;
              case "h" -> 3_600_000;
              default -> 86_400_000;
            });
    try {
      return new BigDecimal(number).multiply(factor).longValueExact();
    } catch (ArithmeticException e) {
      throw wrong(text);
    }
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(Sentence.of("a delay must be %s: %s", RIGHT, text));
  }

  /** The delay of a row, in rows or milliseconds. */
  public long of(long row, String environment, long seed) {
    Span span = byEnvironment.getOrDefault(environment, usual);
    return span.least == span.most
        ? span.least
        : new SplittableRandom(seed ^ row * 0x9E3779B97F4A7C15L)
            .split() // hashed once more: seeds that differ in few bits give streams that are alike
            .nextLong(span.least, span.most + 1);
  }

  @Override
  public String toString() {
    return text;
  }
}
