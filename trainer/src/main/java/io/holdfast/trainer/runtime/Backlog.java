package io.holdfast.trainer.runtime;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a decision waits for the next ones to be published with it, in one transaction. It does
 * while another window of examples is there already, and not for long. Owned by the training
 * thread.
 */
final class Backlog {
  /*
   * A transaction takes 10 to 20 ms on quiet cores, a window of a few rows less than one: with a
   * transaction each, a trainer that is behind does little else. Versions that are held for as long as three
   * transactions leave three quarters of the time for learning, and none is late by more than
   * that. A trainer that keeps up publishes each at once.
   */
  private static final int TRANSACTIONS = 3;

  private static final long LONGEST_NANOS = Duration.ofMillis(200).toNanos();

  /** Fewer than these come with the polls of a trainer that keeps up; markers count among them. */
  private static final int FEWEST = 50;

  private final LongSupplier nanos;
  private long begun;
  private long publishing;
  private long transaction;

  Backlog() {
    this(System::nanoTime);
  }

  /** By a clock of its own. */
  Backlog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A first decision is to be published. */
  void begin() {
    begun = nanos.getAsLong();
  }

  /** Whether what was decided is to be published, whatever is waiting. */
  boolean overdue() {
    long limit = Math.min(LONGEST_NANOS, TRANSACTIONS * transaction);
    return nanos.getAsLong() - begun >= limit;
  }

  /**
   * Whether what was decided waits for more.
   *
   * @param examples that are there already, read or not
   * @param window rows of the last one
   */
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
