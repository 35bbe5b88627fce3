package io.holdfast.auditor;

import java.util.Map;

/**
 * What an audit that found nothing leaves for the next, which need not read it again.
 *
 * @param model the model's name
 * @param records by partition, the first record that is to be judged again: all before have their
 *     one outcome, and no example of them is awaited
 * @param seen by topic and partition, where the audit ended
 * @param starts by topic and partition, where the next one begins: all that is of a record that it
 *     judges is from there on
 * @param before how many offsets were proven in all
 */
public record Proven(
    String model,
    Map<Integer, Long> records,
    Map<String, Long> seen,
    Map<String, Long> starts,
    long before) {
  public Proven {
    records = Map.copyOf(records);
    seen = Map.copyOf(seen);
    starts = Map.copyOf(starts);
  }

  /** What is known before the first audit. */
  public static Proven nothing(String model) {
    return new Proven(model, Map.of(), Map.of(), Map.of(), 0);
  }
}
