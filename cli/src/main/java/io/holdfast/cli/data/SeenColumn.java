package io.holdfast.cli.data;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was seen of a CSV column so far. Owned by one thread. */
final class SeenColumn {
  /** Of so many values it is known how many differ. */
  private static final int SAMPLE = 2_000;

  private static final int FEWEST = 100;

  /** Of this share a column of text is one of numbers with some words among them. */
  private static final double MOSTLY = 0.8;

  private final boolean asText;
  private ColumnType type;
  private long values;
  private long words; // that no narrower type holds
  private String firstWord = "";
  private final Set<String> sample = new HashSet<>();

  /**
   * A column without values.
   *
   * @param asText whether it is one of strings whatever its values look like
   */
  SeenColumn(boolean asText) {
    this.asText = asText;
    type = asText ? ColumnType.STRING : ColumnType.EMPTY;
  }

  /** Takes the next row's field, which is missing if it is empty. */
  void see(String text) {
    if (text.isEmpty()) {
      return;
    }
    if (values++ < SAMPLE) {
      sample.add(text);
    }
    if (asText) {
      return;
    }
    ColumnType one = ColumnType.of(text);
    type = type.widen(one);
    if (one == ColumnType.STRING && words++ == 0) {
      firstWord = text;
    }
  }

  ColumnType type() {
    return type;
  }

  /** How many rows have one. */
  long values() {
    return values;
  }

  /**
   * Why a column of that name is hardly meant to be a feature as it is; null if nothing says so.
   */
  @Nullable String doubt(String name) {
    if (type != ColumnType.STRING || values < FEWEST) {
      return null;
    }
    if (!asText && words > 0 && values - words >= MOSTLY * values) {
      return String.format(
          Locale.ROOT,
          "column %s is taken for categories, as %,d of its %,d values are no numbers (the first is %s): leave these fields empty to have numbers",
          name,
          words,
          values,
          firstWord);
    }
    return 2L * sample.size() > Math.min(values, SAMPLE)
        ? String.format(
            Locale.ROOT,
            "column %s is taken for categories, and most of its values occur once: leave it out with --exclude unless they come again",
            name)
        : null;
  }
}
