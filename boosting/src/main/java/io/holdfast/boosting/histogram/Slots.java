package io.holdfast.boosting.histogram;

import java.util.concurrent.atomic.AtomicInteger;

/** Slots of an array that is shared, each of which one user at a time may lease. Thread-safe. */
final class Slots {
  static final int COUNT = 32;
  static final int NONE = -1;

  private final AtomicInteger leased = new AtomicInteger(); // a bit a slot

  /** A slot that nobody else has until it is released, or {@link #NONE} if none is free. */
  int lease() {
    while (true) {
      int present = leased.get();
      int slot = Integer.numberOfTrailingZeros(~present);
      if (slot == COUNT) {
        return NONE;
      }
      if (leased.compareAndSet(present, present | 1 << slot)) {
        return slot;
      }
    }
  }

  void release(int slot) {
    leased.getAndUpdate(present -> present & ~(1 << slot));
  }
}
