package io.holdfast.cli.csv;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.feature.MissingWords;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one cell after the other: what it is, and its number. Owned by one thread.
 *
 * <p>A number has ASCII digits, perhaps a sign, a decimal mark and an exponent, and no zero before
 * its other digits: 007 is a name, as are what Java alone reads as numbers (1f, 0x1p3).
 */
public final class Cell {
  /** Nothing, or a declared word for it. */
  public static final byte GAP = 0;

  /** A usual word for nothing, which is one among texts. */
  public static final byte WORD = 1;

  public static final byte LONG = 2;

  /** A whole number whose sign only a double keeps. */
  public static final byte MINUS_ZERO = 3;

  public static final byte DOUBLE = 4;

  /** A whole number beyond all longs. */
  public static final byte BIG = 5;

  /** A number beyond all doubles. */
  public static final byte BEYOND = 6;

  public static final byte BOOLEAN = 7;
  public static final byte TIMESTAMP = 8;

  /** A text, as are those of the kinds after it. */
  public static final byte STRING = 9;

  /** A text that other dialects have for a number: 1,5 or 1.234.567. */
  public static final byte OTHER_NUMBER = 10;

  /** A text that is a date as countries write it, of which none knows which number is the day. */
  public static final byte OTHER_DATE = 11;

  private static final long EXACT = 1L << 53;
  private static final int LONGEST_WORD = 4; // of the usual ones
  private static final int LONGEST_OTHER = 30;
  private static final Pattern OTHER_NUMBERS =
      Pattern.compile(
          "[-+]?((0|[1-9]\\d*)?[.,]\\d+|"
              + "[1-9]\\d{0,2}(([.,' \u00a0\u202f])\\d{3})(\\3\\d{3})*([.,]\\d+)?)");
  private static final Pattern OTHER_DATES =
      Pattern.compile("\\d{1,4}([./-])\\d{1,2}\\1\\d{1,4}([ T].*)?");
  private static final double[] POWERS = new double[23];
  private static final long[] TENS = new long[9];
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final MissingWords missing;
  private final byte decimal;
  private byte kind;
  private long bits;

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10; // exact
    }
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = (long) POWERS[i];
    }
  }

  Cell(MissingWords missing, byte decimal) {
    this.missing = missing;
    this.decimal = decimal;
  }

  /** A reader of numbers with decimal points. */
  public static Cell of(MissingWords missing) {
    return new Cell(missing, Marks.USUAL.decimal());
  }

  public byte kind() {
    return kind;
  }

  /** A long, the bits of a double, 1 or 0 of a truth, or milliseconds since 1970. */
  public long bits() {
    return bits;
  }

  /** The bits of the double that a number is. */
  public long doubleBits() {
    return doubleBits(kind, bits);
  }

  /** The bits of the double that a number of that kind is. */
  public static long doubleBits(byte kind, long bits) {
    return switch (kind) {
      case LONG -> Double.doubleToRawLongBits((double) bits);
      case MINUS_ZERO -> Double.doubleToRawLongBits(-0.0);
      default -> bits;
    };
  }

  /** Reads a text without spaces around it. */
  public void read(String text, boolean asText) {
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    read(bytes, 0, bytes.length - 1, asText);
  }

  /** Reads {@code bytes[from, from + length)}, which another byte comes after. */
  void read(byte[] bytes, int from, int length, boolean asText) {
    if (isGap(bytes, from, length)) {
      kind = GAP;
    } else if (asText) {
      kind = STRING;
    } else if (number(bytes, from) != from + length) {
      readOther(new String(bytes, from, length, StandardCharsets.UTF_8));
    }
  }

  boolean isGap(byte[] bytes, int from, int length) {
    return length == 0
        || (missing.mayBegin(bytes[from])
            && missing.amongTexts(new String(bytes, from, length, StandardCharsets.UTF_8)));
  }

  private void readOther(String text) {
    Boolean truth;
    Long time;
    if (text.length() <= LONGEST_WORD && missing.amongNumbers(text)) {
      kind = WORD;
    } else if (isInfinity(text)) {
      kind = DOUBLE;
      bits =
          Double.doubleToRawLongBits(
              text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    } else if ((truth = truth(text)) != null) {
      kind = BOOLEAN;
      bits = truth ? 1 : 0;
    } else if ((time = IsoTime.parse(text)) != null) {
      kind = TIMESTAMP;
      bits = time;
    } else {
      kind = otherWriting(text);
    }
  }

  private static byte otherWriting(String text) {
    char first = text.charAt(0);
    char last = text.charAt(text.length() - 1);
    boolean may = first <= '9' && last >= '0' && last <= '9';
    if (may && text.length() <= LONGEST_OTHER) {
      if (OTHER_NUMBERS.matcher(text).matches()) {
        return OTHER_NUMBER;
      }
      return OTHER_DATES.matcher(text).matches() ? OTHER_DATE : STRING;
    }
    return STRING;
  }

  private static @Nullable Boolean truth(String text) {
    if (text.equalsIgnoreCase("true")) {
      return true;
    }
    return text.equalsIgnoreCase("false") ? false : null;
  }

  private static boolean isInfinity(String text) {
    int first = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    if (text.length() - first != 3 && text.length() - first != 8) {
      return false;
    }
    String word = text.substring(first).toLowerCase(Locale.ROOT);
    return word.equals("inf") || word.equals("infinity");
  }

  /**
   * Reads the number that begins at a byte; where it ends, or -1. The text must end in a byte that
   * is of no number.
   */
  int number(byte[] bytes, int from) {
    int at = from;
    byte one = bytes[at];
    boolean negative = one == '-';
    if (negative || one == '+') {
      one = bytes[++at];
    }
    int first = at;
    long digits = 0;
    while (one >= '0' && one <= '9') {
      digits = 10 * digits + (one - '0');
      one = bytes[++at];
    }
    int whole = at - first;
    if (whole > 1 && bytes[first] == '0') {
      return -1;
    }
    int fraction = 0;
    if (one == decimal) {
      one = bytes[++at];
      int point = at;
      if (at + Long.BYTES <= bytes.length) {
        long eight = (long) EIGHT.get(bytes, at);
        int count = Long.numberOfTrailingZeros(otherThanDigits(eight)) >>> 3;
        digits = digits * TENS[count] + first(eight, count);
        at += count;
        one = bytes[at];
      }
      while (one >= '0' && one <= '9') {
        digits = 10 * digits + (one - '0');
        one = bytes[++at];
      }
      fraction = at - point;
    } else if (one != 'e' && one != 'E') {
      return whole == 0 ? -1 : whole(bytes, from, at, negative, whole > 18 ? -1 : digits);
    }
    if (whole + fraction == 0) {
      return -1;
    }
    if (one == 'e' || one == 'E') {
      return exponent(bytes, from, at + 1);
    }
    if (whole + fraction > 18 || digits > EXACT) {
      return real(bytes, from, at);
    }
    double value = digits / POWERS[fraction]; // both exact, so the quotient is the nearest
    kind = DOUBLE;
    bits = Double.doubleToRawLongBits(negative ? -value : value);
    return at;
  }

  /** The high bits of those of eight bytes that are no digits. */
  private static long otherThanDigits(long eight) {
    return ((eight + 0x4646464646464646L) | (eight - 0x3030303030303030L)) & 0x8080808080808080L;
  }

  /**
   * The number that the first of eight digits make: pairs are added up, then fours, then eights.
   */
  private static long first(long eight, int count) {
    if (count == 0) {
      return 0;
    }
    long digits = (eight - 0x3030303030303030L) << (Long.SIZE - (count << 3));
    long pairs = 10 * digits + (digits >>> 8);
    long even = (pairs & 0x000000FF000000FFL) * 0x000F424000000064L;
    long odd = ((pairs >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L;
    return (even + odd) >>> 32;
  }

  private int exponent(byte[] bytes, int from, int sign) {
    int first = bytes[sign] == '-' || bytes[sign] == '+' ? sign + 1 : sign;
    int at = first;
    while (bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at == first ? -1 : real(bytes, from, at);
  }

  /** A number without decimals; {@code digits} is -1 if they may be more than a long has. */
  private int whole(byte[] bytes, int from, int end, boolean negative, long digits) {
    kind = LONG;
    if (digits >= 0) {
      kind = negative && digits == 0 ? MINUS_ZERO : LONG;
      bits = negative ? -digits : digits;
      return end;
    }
    try {
      bits = Long.parseLong(new String(bytes, from, end - from, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      real(bytes, from, end);
      kind = kind == DOUBLE ? BIG : kind;
    }
    return end;
  }

  private int real(byte[] bytes, int from, int end) {
    double value;
    if (decimal == '.') {
      value = JavaDoubleParser.parseDouble(bytes, from, end - from);
    } else {
      String text = new String(bytes, from, end - from, StandardCharsets.US_ASCII);
      value = JavaDoubleParser.parseDouble(text.replace((char) decimal, '.'));
    }
    kind = Double.isInfinite(value) ? BEYOND : DOUBLE;
    bits = Double.doubleToRawLongBits(value);
    return end;
  }
}
