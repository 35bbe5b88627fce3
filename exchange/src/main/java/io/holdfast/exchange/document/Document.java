package io.holdfast.exchange.document;

import io.holdfast.exchange.foreign.ExchangeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of JSON or UBJSON. Immutable. */
public sealed interface Document {
  record Fields(Map<String, Document> values) implements Document {}

  /** Values in order, not all of them numbers. */
  record Items(List<Document> values) implements Document {}

  /** Numbers in order. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Numbers(double[] values) implements Document {}

  record Text(String value) implements Document {}

  record Numeric(double value) implements Document {}

  record Truth(boolean value) implements Document {}

  record Nothing() implements Document {}

  /** The named value; null if there is none, or this has no names. */
  default @Nullable Document find(String name) {
    return this instanceof Fields(Map<String, Document> values) ? values.get(name) : null;
  }

  /** The named value, which must be there. */
  default Document field(String name) throws ExchangeException {
    Document found = find(name);
    if (found == null) {
      throw ExchangeException.of("the model has no %s where one must be", name);
    }
    return found;
  }

  /** The values in order of what must be a list. */
  default List<Document> items() throws ExchangeException {
    return switch (this) {
      case Items(List<Document> values) -> values;
      case Numbers(double[] values) -> {
        yield Arrays.stream(values).<Document>mapToObj(Numeric::new).toList();
      }
      default -> throw ExchangeException.of("the model has %s where a list must be", described());
    };
  }

  /** The numbers in order of what must be a list of them; truths count as 0 and 1. */
  default double[] numbers() throws ExchangeException {
    if (this instanceof Numbers(double[] values)) {
      return values;
    }
    double[] numbers = new double[items().size()];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = items().get(k).number();
    }
    return numbers;
  }

  /** The numbers in order, which must be whole and fit into 32 bits. */
  default int[] integers() throws ExchangeException {
    double[] numbers = numbers();
    int[] integers = new int[numbers.length];
    for (int k = 0; k < numbers.length; k++) {
      integers[k] = (int) numbers[k];
      ExchangeException.require(
          integers[k] == numbers[k], "the model has %s where a whole number must be", numbers[k]);
    }
    return integers;
  }

  /** What must be a number, perhaps as a truth or in a text. */
  default double number() throws ExchangeException {
    return switch (this) {
      case Numeric(double value) -> value;
      case Truth(boolean value) -> value ? 1 : 0;
      case Text(String value) -> {
        try {
          yield Double.parseDouble(value);
        } catch (NumberFormatException e) {
          throw ExchangeException.of("the model has %s where a number must be", described());
        }
      }
      default -> throw ExchangeException.of("the model has %s where a number must be", described());
    };
  }

  /** What must be a text, or a truth or number as it is written. */
  default String text() throws ExchangeException {
    return switch (this) {
      case Text(String value) -> value;
      case Truth(boolean value) -> Boolean.toString(value);
      case Numeric(double value) ->
          value == (long) value ? Long.toString((long) value) : Double.toString(value);
      default -> throw ExchangeException.of("the model has %s where a text must be", described());
    };
  }

  /** The value in a few words, for messages. */
  default String described() {
    return switch (this) {
      case Fields _ -> "an object";
      case Items _, Numbers _ -> "a list";
      case Text(String value) ->
          "'" + (value.length() <= 40 ? value : value.substring(0, 40) + "...") + "'";
      case Numeric(double value) -> Double.toString(value);
      case Truth(boolean value) -> Boolean.toString(value);
      case Nothing _ -> "null";
    };
  }

  /** Values in the making: numbers are packed as long as there are no others. Not thread-safe. */
  final class Builder {
    private double[] numbers = new double[8];
    private int count;
    private @Nullable List<Document> others;

    /** Adds a number. */
    public void add(double number) {
      if (others != null) {
        others.add(new Numeric(number));
        return;
      }
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = number;
    }

    /** Adds any value. */
    public void add(Document value) {
      if (value instanceof Numeric(double number)) {
        add(number);
        return;
      }
      if (others == null) {
        others = new ArrayList<>();
        for (int k = 0; k < count; k++) {
          others.add(new Numeric(numbers[k]));
        }
        numbers = new double[0];
      }
      others.add(value);
    }

    /** The list. */
    public Document build() {
      return others == null ? new Numbers(Arrays.copyOf(numbers, count)) : new Items(others);
    }
  }
}
