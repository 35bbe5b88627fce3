package io.holdfast.auditor;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was found: the first of each kind, and how many there are. Owned by one thread. */
final class Findings {
  private static final int KEPT = 20;

  private final Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
  private final List<Finding> kept = new ArrayList<>();

  void add(Finding.Kind kind, String place, String detail) {
    if (counts.merge(kind, 1L, Long::sum) <= KEPT) {
      kept.add(new Finding(kind, place, detail));
    }
  }

  Map<Finding.Kind, Long> counts() {
    return counts;
  }

  List<Finding> kept() {
    return kept;
  }
}
