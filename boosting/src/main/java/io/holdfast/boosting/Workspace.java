package io.holdfast.boosting;

import io.holdfast.boosting.numeric.Buffers;

/**
 * The large arrays of training, kept from one window to the next: who trains again and again gives
 * each {@link Booster} the same one. Owned by one thread at a time; it changes no result.
 */
public final class Workspace {
  private final Buffers buffers = new Buffers();

  /** The arrays of the last run, for the next one. */
  Buffers begin() {
    buffers.recycle();
    return buffers;
  }
}
