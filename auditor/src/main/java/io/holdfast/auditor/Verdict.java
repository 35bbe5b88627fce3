package io.holdfast.auditor;

import java.util.List;
import java.util.Map;

/**
 * How an audit ended.
 *
 * @param model the model's name
 * @param counts what was looked at, by name: {@code records}, {@code scores}, {@code recomputed}
 *     and the like
 * @param broken how many findings of each kind, of those alone that there are
 * @param findings the first 20 of each kind
 * @param unjudged what could not be judged, and why, a sentence each
 * @param proven what the next audit need not read again; what this one began with if something is
 *     wrong
 */
public record Verdict(
    String model,
    Map<String, Long> counts,
    Map<Finding.Kind, Long> broken,
    List<Finding> findings,
    List<String> unjudged,
    Proven proven) {
  public Verdict {
    counts = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(counts));
    broken = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(broken));
    findings = List.copyOf(findings);
    unjudged = List.copyOf(unjudged);
  }

  /** Whether nothing was found. */
  public boolean clean() {
    return broken.isEmpty();
  }
}
