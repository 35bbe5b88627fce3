package io.holdfast.schemas;

import io.holdfast.boosting.objective.Objective;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a model by name, in the order of their numbers. Names are spelt as categories are,
 * and {@code true} and {@code false} are 1 and 0. Where no name is a whole number, a label may say
 * a class by its number, too. Immutable.
 */
public final class ClassLabels {
  /** Of a model that knows its classes by number alone, or has none. */
  public static final ClassLabels NONE = new ClassLabels(List.of());

  private static final int SHOWN = 20;

  private final List<String> names;
  private final Map<String, Integer> numbers = new HashMap<>();

  private ClassLabels(List<String> names) {
    this.names = List.copyOf(names);
    int ordinal = 0;
    for (String name : this.names) {
      numbers.putIfAbsent(key(name), ordinal++);
    }
    if (numbers.keySet().stream().noneMatch(ClassLabels::isWhole)) {
      for (int k = 0; k < names.size(); k++) {
        numbers.put(String.valueOf(k), k);
      }
    }
  }

  /** Those of these names, of which no two should be one in two spellings. */
  public static ClassLabels of(List<String> names) {
    return names.isEmpty() ? NONE : new ClassLabels(names);
  }

  /** Whether a name, in its one spelling, is a whole number. */
  public static boolean isWhole(String key) {
    return key.matches("-?(0|[1-9][0-9]*)");
  }

  /** The one spelling of a name, which a label of any type that means it has, too. */
  public static String key(Object value) {
    if (value instanceof Double number) {
      return CategoryText.of(number);
    }
    String plain = CategoryText.of("" + value);
    return plain.equals("true") ? "1" : plain.equals("false") ? "0" : plain;
  }

  /** In the order of their numbers; none if they are known by number alone. */
  public List<String> names() {
    return names;
  }

  public boolean isNamed() {
    return !names.isEmpty();
  }

  /** The number of the class that a decoded value means; -1 if it means none. */
  public int number(Object value) {
    Integer plain = value instanceof String ? numbers.get(value) : null; // as nearly all are
    return plain == null ? numbers.getOrDefault(key(value), -1) : plain;
  }

  /** The number that says a class where labels are numbers: its name if that is one. */
  public double spoken(int number) {
    String key = key(name(number));
    return isWhole(key) ? Double.parseDouble(key) : number;
  }

  /** The name of a class, or its number where it has no other name. */
  public String name(int number) {
    return isNamed() ? names.get(number) : String.valueOf(number);
  }

  /** The name of a class as text, or its number as a number. */
  public Object shown(int number) {
    return isNamed() ? names.get(number) : (Object) number;
  }

  /** The number of the class that a prediction says: of two, the second if above one half. */
  public static int predicted(Objective objective, double prediction) {
    return objective.binary() ? (prediction > 0.5 ? 1 : 0) : (int) prediction;
  }

  /** The name of the class that a prediction says; null if classes have none. */
  public @Nullable String label(Objective objective, double prediction) {
    return isNamed() ? names.get(predicted(objective, prediction)) : null;
  }

  /** Values of all classes: by name, or in order where classes have no names. */
  public Object byName(double[] values) {
    if (values.length != names.size()) {
      return DoubleStream.of(values).boxed().toList();
    }
    Map<String, Double> named = new LinkedHashMap<>();
    for (int k = 0; k < values.length; k++) {
      named.put(names.get(k), values[k]);
    }
    return named;
  }

  /** The names, to stand in a sentence: of many the first. */
  @Override
  public String toString() {
    return names.size() <= SHOWN
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, SHOWN)) + " and " + (names.size() - SHOWN) + " more";
  }
}
