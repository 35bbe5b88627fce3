package io.holdfast.exchange.lightgbm;

import io.holdfast.exchange.foreign.ExchangeException;
import java.util.Locale;

/** Numbers as LightGBM writes them. Stateless. */
final class LightGbmNumbers {
  private LightGbmNumbers() {}

  /** A whole number. */
  static long whole(String where, String key, String text) throws ExchangeException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ExchangeException.of(
          "%s must have whole numbers in its line %s: '%s'", where, key, shortened(text));
    }
  }

  /** A number, infinite perhaps. */
  static double number(String where, String key, String text) throws ExchangeException {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "inf", "+inf", "infinity" -> Double.POSITIVE_INFINITY;
        case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
        case "nan", "-nan" -> Double.NaN;
        default ->
            throw ExchangeException.of(
                "%s must have numbers in its line %s: '%s'", where, key, shortened(text));
      };
    }
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }
}
