package io.holdfast.schemas;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what a user probably meant by a name that does not exist. Stateless. */
public final class Suggestion {
  private Suggestion() {}

  /**
   * The candidate closest to {@code word}: one that differs only in case and punctuation, or else
   * by the fewest edits, at most a third of the word, never more than 3 and never all of it. Empty
   * if none is close.
   */
  public static Optional<String> closest(String word, Collection<String> candidates) {
    String bare = bare(word);
    int best = Math.max(1, Math.min(3, word.length() / 3)) + 1;
    Optional<String> closest = Optional.empty();
    for (String candidate : candidates) {
      boolean alike = !bare.isEmpty() && bare(candidate).equals(bare);
      int distance = alike ? 0 : edits(word, candidate);
      if (distance < best && (alike || distance < word.length())) {
        best = distance;
        closest = Optional.of(candidate);
      }
    }
    return closest;
  }

  /** The end of a sentence: {@code "; did you mean X?"}, or nothing if no candidate is close. */
  public static String ending(String word, Collection<String> candidates) {
    return closest(word, candidates).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** An aside: {@code " (did you mean X?)"}, or nothing if no candidate is close. */
  public static String aside(String word, Collection<String> candidates) {
    return closest(word, candidates).map(name -> " (did you mean " + name + "?)").orElse("");
  }

  private static String bare(String name) {
    return name.replaceAll("[^\\p{L}\\p{M}\\p{N}]", "").toLowerCase(Locale.ROOT);
  }

  /** Levenshtein distance, with the swap of two neighbours counted as one edit. */
  private static int edits(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[b.length()];
  }
}
