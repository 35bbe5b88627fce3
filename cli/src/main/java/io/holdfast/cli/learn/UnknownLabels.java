package io.holdfast.cli.learn;

import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.Sentence;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts labels that are none of a model's classes, by name. Not thread-safe. */
final class UnknownLabels {
  private static final int MOST_NAMES = 100;

  private final Map<String, Long> counts = new LinkedHashMap<>();

  void add(String label) {
    boolean named = counts.size() < MOST_NAMES || counts.containsKey(label);
    counts.merge(named ? label : "others", 1L, Long::sum);
  }

  /** In the order in which they came. */
  Map<String, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** A sentence for the user; none if all labels are known. */
  List<String> notes(String file, ClassLabels classes) {
    return counts.isEmpty()
        ? List.of()
        : List.of(
            Sentence.of(
                "%s: %,d rows are not evaluated, whose label is none of the classes %s: %s",
                file,
                counts.values().stream().mapToLong(Long::longValue).sum(),
                classes,
                counts.entrySet().stream()
                    .map(one -> one.getKey() + " (" + one.getValue() + ")")
                    .collect(Collectors.joining(", "))));
  }
}
