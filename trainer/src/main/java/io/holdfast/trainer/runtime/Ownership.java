package io.holdfast.trainer.runtime;

/** The right to train a model, which one trainer of the group has at a time. Thread-safe. */
@FunctionalInterface
interface Ownership {

  /**
   * Asks the broker whether this trainer has the right still.
   *
   * @return true if it had at some moment after the call; false if it has not, or if that could not
   *     be found out in a few seconds
   */
  boolean proved();
}
