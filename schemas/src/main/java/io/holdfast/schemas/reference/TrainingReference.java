package io.holdfast.schemas.reference;

import io.holdfast.boosting.numeric.Check;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the rows were distributed that later windows are compared with. Immutable.
 *
 * @param seen how many rows windows have had since it was begun; its own may be fewer
 * @param through how far the log of examples has been taken in: the offset after the last, by
 *     partition
 * @param parts by environment, in the order of names; all without a part of their own come last
 * @param others the names of those, in order
 */
public record TrainingReference(
    long seen,
    SortedMap<Integer, Long> through,
    List<EnvironmentReference> parts,
    List<String> others) {
  /** Names of environments without a part that are remembered. */
  public static final int MOST_OTHERS = 1_000;

  /** What a record may take. */
  public static final int MOST_BYTES = 900_000;

  private static final int BYTES_A_VALUE = 8 + 5; // a weight of up to 2^34 rows
  private static final int BYTES_A_SKETCH = 1 + 2 * (3 + 1);
  private static final int BYTES_A_PLACE = 5 + 10;
  private static final int BYTES_A_CHAR = 3;
  private static final int OVERHEAD_BYTES = 32;

  public TrainingReference {
    through = Collections.unmodifiableSortedMap(new TreeMap<>(through));
    parts = List.copyOf(parts);
    others = List.copyOf(others);
    Check.that(seen >= 1, "seen must be 1 or more: %s", seen);
    Check.that(!parts.isEmpty(), "a reference must have a part: %s", parts.size());
    Check.that(
        others.size() <= MOST_OTHERS, "others must be at most %s: %s", MOST_OTHERS, others.size());
    for (int part = 0; part < parts.size(); part++) {
      Check.that(
          parts.get(part).quantities().size() == parts.getFirst().quantities().size(),
          "all parts must have sketches of the same quantities: %s",
          parts.get(part).quantities().size());
      String name = parts.get(part).environment();
      Check.that(
          name != null || part == parts.size() - 1,
          "the part of all other environments must come last: %s",
          part);
      if (part > 0 && name != null) {
        String before = "" + parts.get(part - 1).environment();
        Check.that(name.compareTo(before) > 0, "parts must come in the order of names: %s", name);
      }
    }
    through.forEach(
        (partition, offset) ->
            Check.that(
                partition >= 0 && offset >= 0,
                "places must be 0 or more: partition %s, offset %s",
                partition,
                offset));
  }

  /** How many features there are, and the label. */
  public int quantities() {
    return parts.getFirst().quantities().size();
  }

  /** How many rows there are. */
  public long rows() {
    return parts.stream().mapToLong(EnvironmentReference::rows).sum();
  }

  /** Whether any of its rows, as far as is remembered, were of an environment. */
  public boolean knows(String environment) {
    return parts.stream().anyMatch(part -> environment.equals(part.environment()))
        || Collections.binarySearch(others, environment) >= 0;
  }

  /** What it takes encoded, at most. */
  public long bytes() {
    long bytes = OVERHEAD_BYTES + (long) BYTES_A_PLACE * through.size();
    for (String name : others) {
      bytes += 5 + (long) BYTES_A_CHAR * name.length();
    }
    for (EnvironmentReference part : parts) {
      String name = part.environment();
      bytes += OVERHEAD_BYTES + (name == null ? 0 : (long) BYTES_A_CHAR * name.length());
      for (DistributionSketch quantity : part.quantities()) {
        bytes += BYTES_A_SKETCH + (long) BYTES_A_VALUE * quantity.size();
      }
    }
    return bytes;
  }
}
