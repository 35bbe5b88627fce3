package io.holdfast.schemas.feature;

import io.holdfast.schemas.CategoryText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The codes of one feature's categories, however they are spelt. Safe to share unless it grows. */
final class CategoryCodes {
  /*
   * A text is looked up as it is first: nearly all are spelt as they were in training, and versions
   * of before there was one spelling list their categories as they came.
   */
  private static final char REPLACEMENT = '\uFFFD';

  private final CategoryTable table;
  private final boolean growing;
  private final double other;
  private final int slot;
  private final FeatureDecoder.Rules rules;

  /**
   * Codes of a table.
   *
   * @param growing whether new categories are added to it
   * @param other what a category has that is not in the table, unless that grows
   * @param slot the feature's place, for whoever is told of unseen ones
   */
  CategoryCodes(
      CategoryTable table, boolean growing, double other, int slot, FeatureDecoder.Rules rules) {
    this.table = table;
    this.growing = growing;
    this.other = other;
    this.slot = slot;
    this.rules = rules;
  }

  boolean growing() {
    return growing;
  }

  /** The code of a text, or a NaN if it is no value; what others have if it has none. */
  double value(byte[] bytes, int from, int length) {
    int code = rules.missing().hasWords() ? -1 : table.find(bytes, from, length);
    if (code >= 0) {
      return code;
    }
    if (!rules.missing().hasWords() && CategoryText.isPlain(bytes, from, length)) {
      return spelt(bytes, from, length);
    }
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    // What is no valid UTF-8 is no category: it could not be published as it is.
    return text.indexOf(REPLACEMENT) < 0 ? value(text) : spelt(bytes, from, length);
  }

  double value(String text) {
    String spelt = CategoryText.of(text);
    if (rules.missing().amongTexts(spelt) || rules.missing().amongTexts(text)) {
      return spelt.isEmpty() ? code(text) : Double.NaN;
    }
    double code = code(text);
    if (!Double.isNaN(code)) {
      return code;
    }
    byte[] bytes = spelt.getBytes(StandardCharsets.UTF_8);
    return spelt(bytes, 0, bytes.length);
  }

  double value(float number) {
    return Float.isNaN(number) ? Double.NaN : value(CategoryText.of(number));
  }

  double value(double number) {
    return Double.isNaN(number) || rules.missing().isMissing(number)
        ? Double.NaN
        : value(CategoryText.of(number));
  }

  /** The code of a text as it is, or NaN if it has none. */
  private double code(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int code = table.find(bytes, 0, bytes.length);
    return code < 0 ? Double.NaN : code;
  }

  /** The code of a text that is spelt as categories are. */
  private double spelt(byte[] bytes, int from, int length) {
    int code = growing ? table.findOrAdd(bytes, from, length) : table.find(bytes, from, length);
    if (code >= 0) {
      return code;
    }
    if (growing) {
      return Double.NaN; // there was no room for it
    }
    rules.unseen().unseen(slot, new String(bytes, from, length, StandardCharsets.UTF_8));
    return other;
  }

  /** The codes of symbols; NaN where there is none, which nobody is told of. */
  double[] known(List<String> symbols) {
    double[] codes = new double[symbols.size()];
    for (int i = 0; i < codes.length; i++) {
      String spelt = CategoryText.of(symbols.get(i));
      if (rules.missing().amongTexts(spelt)) {
        codes[i] = Double.NaN;
      } else {
        double code = code(symbols.get(i));
        codes[i] = Double.isNaN(code) ? code(spelt) : code;
      }
    }
    return codes;
  }
}
