package io.holdfast.schemas.reference;

import io.holdfast.boosting.numeric.Check;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A reference as a version keeps it: what has come since it was made. Immutable.
 *
 * @param sketches the reference
 * @param rowsSince how many rows windows have had since then
 * @param alarm how far the log had been learned from, by partition, with the first window that
 *     raised an alarm; empty if none has
 * @param rowsTested how many rows the windows after that one had that were compared
 * @param rowsOfAlarms how many of these belong to windows that raised an alarm
 */
public record KeptReference(
    TrainingReference sketches,
    long rowsSince,
    SortedMap<Integer, Long> alarm,
    long rowsTested,
    long rowsOfAlarms) {
  public KeptReference {
    alarm = Collections.unmodifiableSortedMap(new TreeMap<>(alarm));
    Check.that(rowsSince >= 0, "rowsSince must be 0 or more: %s", rowsSince);
    Check.that(
        rowsOfAlarms >= 0 && rowsOfAlarms <= rowsTested,
        "rowsOfAlarms must be 0 to the rows tested, %s: %s",
        rowsTested,
        rowsOfAlarms);
  }

  /** One that was just made. */
  public KeptReference(TrainingReference sketches) {
    this(sketches, 0, new TreeMap<>(), 0, 0);
  }

  /** The same for the log of another model: of that, nothing has been taken in. */
  public KeptReference elsewhere() {
    return new KeptReference(
        new TrainingReference(
            sketches.seen(), new TreeMap<>(), sketches.parts(), sketches.others()));
  }
}
