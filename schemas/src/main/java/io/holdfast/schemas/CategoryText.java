package io.holdfast.schemas;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one spelling of a category, however files, streams and requests write it. Stateless.
 *
 * <p>Spaces around it do not count; accents are composed (Unicode NFC); {@code true} and {@code
 * false} have no capitals; a whole number has no sign but a minus and no point: {@code 1.0} and
 * {@code +1} are {@code 1}. A leading zero stays: {@code 007} is a name and not {@code 7}.
 */
public final class CategoryText {
  private static final Pattern WHOLE = Pattern.compile("([+-]?)(0|[1-9][0-9]*)(\\.0*)?");
  private static final double MOST_EXACT = 0x1p53;
  private static final double MOST_DIGITS = 1e40; // of a whole decimal: what databases hold

  private CategoryText() {}

  /** The one spelling of a text; empty if it says nothing. */
  public static String of(String text) {
    String plain = stripped(text);
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

  /** That of a number: a whole one has no point. */
  public static String of(double number) {
    return Math.abs(number) <= MOST_EXACT && number == Math.rint(number)
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  /** That of a decimal: the digits that it needs. */
  public static String of(BigDecimal number) {
    double nearest = number.doubleValue();
    boolean whole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    boolean inDigits = whole && Math.abs(nearest) < MOST_DIGITS;
    return inDigits ? number.toBigInteger().toString() : of(nearest);
  }

  /** That of a number of 32 bits, in as few digits as tell it from others of 32 bits. */
  public static String of(float number) {
    return number == Math.rint(number) ? of((double) number) : Float.toString(number);
  }

  /** Spaces of any kind off both ends: Java's own leaves those that do not break lines. */
  private static String stripped(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isSpace(text.charAt(from))) {
      from++;
    }
    while (to > from && isSpace(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isSpace(char character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }

  /**
   * Whether UTF-8 bytes are certainly spelt so already, which nearly all are: found without making
   * a string.
   */
  public static boolean isPlain(byte[] bytes, int from, int length) {
    if (length == 0) {
      return false;
    }
    int first = bytes[from] | 0x20; // a letter's small form
    if (first < 'a' || first > 'z' || first == 't' || first == 'f' || bytes[from] < 'A') {
      return allDigits(bytes, from, length) && (bytes[from] != '0' || length > 1);
    }
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < ' ' || bytes[i] == 0x7F) { // beyond ASCII is below 0
        return false;
      }
    }
    return bytes[from + length - 1] != ' ';
  }

  private static boolean allDigits(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return true;
  }

  /** The one spelling of UTF-8 bytes. */
  public static String of(byte[] bytes, int from, int length) {
    return of(new String(bytes, from, length, StandardCharsets.UTF_8));
  }
}
