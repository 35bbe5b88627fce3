package io.holdfast.trainer.reason;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a feature must be for a row to be of a subgroup. Immutable. */
public sealed interface Condition {
  /** The feature, or the environment's name for it. */
  String feature();

  /** Whether a value, or the code of a category, is so; missing values are NaN. */
  boolean holds(double value);

  /** In words. */
  String sentence();

  /** At least or below a number. */
  record Side(String feature, boolean atLeast, double bound) implements Condition {
    @Override
    public boolean holds(double value) {
      return atLeast ? value >= bound : value < bound;
    }

    @Override
    public String sentence() {
      return feature + (atLeast ? " ≥ " : " < ") + number(bound);
    }

    private static String number(double value) {
      return value == Math.rint(value) && Math.abs(value) < 1e15
          ? String.format(Locale.ROOT, "%.0f", value)
          : Double.toString(value);
    }
  }

  /** Without a value. */
  record Missing(String feature) implements Condition {
    @Override
    public boolean holds(double value) {
      return Double.isNaN(value);
    }

    @Override
    public String sentence() {
      return feature + " missing";
    }
  }

  /** One of some categories, which are said by their names. */
  record Among(String feature, SortedSet<Integer> codes, List<String> names) implements Condition {
    private static final int SAID = 3;

    public Among {
      codes = new TreeSet<>(codes);
      names = List.copyOf(names);
    }

    @Override
    public boolean holds(double value) {
      return !Double.isNaN(value) && codes.contains((int) value);
    }

    @Override
    public String sentence() {
      if (names.size() == 1) {
        return feature + " = " + names.getFirst();
      }
      String said = names.stream().limit(SAID).collect(Collectors.joining(", "));
      int rest = names.size() - SAID;
      return feature + " among " + said + (rest > 0 ? " and " + rest + " more" : "");
    }
  }

  /** All of them together. */
  static String sentence(List<Condition> conditions) {
    return conditions.stream().map(Condition::sentence).collect(Collectors.joining(" and "));
  }
}
