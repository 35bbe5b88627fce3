package io.holdfast.trainer.runtime;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a decision waits to be published with the next ones in one transaction: while another
 * window of examples is there already, and not for long. Owned by the training thread.
 */
final class Backlog {
  /*
   * A transaction takes 10 to 20 ms, a window of a few rows less than one: with a transaction each, a
   * trainer that is behind would do little else. Holding versions for three transactions leaves three
   * quarters of the time for learning. A trainer that keeps up publishes each at once.
   */
  private static final int TRANSACTIONS = 3;

  private static final long LONGEST_NANOS = Duration.ofMillis(200).toNanos();

  /** Fewer, transaction markers included, may come with a poll of a trainer that keeps up. */
  private static final int FEWEST = 50;

  private final LongSupplier nanos;
  private long begun;
  private long publishing;
  private long transaction;

  Backlog() {
    this(System::nanoTime);
  }

  Backlog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Tells that a first decision is to be published. */
  void begin() {
    begun = nanos.getAsLong();
  }

  /** Whether decisions are to be published whatever is waiting. */
  boolean overdue() {
    long limit = Math.min(LONGEST_NANOS, TRANSACTIONS * transaction);
    return nanos.getAsLong() - begun >= limit;
  }

  /** Whether decisions wait, with that many examples in the log and rows in the last window. */
  boolean waits(long examples, int window) {
    return examples >= Math.max(FEWEST, window) && !overdue();
  }

  void publishing() {
    publishing = nanos.getAsLong();
  }

  void published() {
    transaction = nanos.getAsLong() - publishing;
  }
}
