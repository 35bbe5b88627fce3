package io.holdfast.schemas.feature;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The words that say that there is no value. Those that are usual say so among numbers only, since
 * a category may well be called so (NA is a country); those that a model declares say so
 * everywhere, in files and on streams. Case does not matter. Immutable.
 */
public final class MissingWords {
  /** None declared. */
  public static final MissingWords USUAL = of(List.of());

  private static final Set<String> WORDS =
      Set.of(
          "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "-nan", "null", "nil", "none", "?",
          "-", "--", ".", "\\n");

  private final Set<String> declared;
  private final boolean[] firsts = new boolean[256]; // bytes that declared words begin with
  private final double[] numbers; // of the declared words that are some, ascending

  private MissingWords(Set<String> declared, double[] numbers) {
    this.declared = declared;
    for (String word : declared) {
      boolean plain = word.chars().allMatch(character -> character < 0x80);
      for (int i = 0; i < firsts.length; i++) {
        firsts[i] |=
            !word.isEmpty() && (!plain || i >= 0x80 || Character.toLowerCase(i) == word.charAt(0));
      }
    }
    this.numbers = numbers;
  }

  /** The usual words, and those that a model declares. */
  public static MissingWords of(Collection<String> declared) {
    Set<String> words = new HashSet<>();
    List<Double> numbers = new ArrayList<>();
    for (String word : declared) {
      words.add(word.strip().toLowerCase(Locale.ROOT));
      try {
        numbers.add(Double.parseDouble(word));
      } catch (NumberFormatException e) {
        // A word that is no number stands for none.
      }
    }
    double[] ascending = numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new MissingWords(Set.copyOf(words), ascending);
  }

  /** Whether a text without spaces around it is no value among numbers, dates and truths. */
  public boolean amongNumbers(String text) {
    boolean usual = text.length() <= 4 && WORDS.contains(text.toLowerCase(Locale.ROOT));
    return text.isEmpty() || usual || amongTexts(text);
  }

  /** Whether it is no value among texts, too: nothing, or a declared word. */
  public boolean amongTexts(String text) {
    return text.isEmpty()
        || (!declared.isEmpty() && declared.contains(text.toLowerCase(Locale.ROOT)));
  }

  /** Whether a text that begins with a byte of UTF-8 may be a declared word; false if never. */
  public boolean mayBegin(byte first) {
    return firsts[first & 0xFF];
  }

  /** Whether a number is what a declared word spells. */
  public boolean isMissing(double number) {
    return numbers.length > 0 && Arrays.binarySearch(numbers, number) >= 0;
  }

  /** Whether any number is. */
  public boolean hasNumbers() {
    return numbers.length > 0;
  }

  /** Whether any word is declared. */
  public boolean hasWords() {
    return !declared.isEmpty();
  }
}
