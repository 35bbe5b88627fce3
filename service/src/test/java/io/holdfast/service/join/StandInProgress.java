package io.holdfast.service.join;

import org.jspecify.annotations.Nullable;

/** Progress as a test says it is: all marks are passed unless it holds some back. */
final class StandInProgress implements InputProgress {
  private long newest;
  private long heldFrom = Long.MAX_VALUE;

  /** From now on no mark is passed. */
  void hold() {
    heldFrom = newest + 1;
  }

  /** One mark more is passed. */
  void passOne() {
    heldFrom++;
  }

  /** All marks are passed. */
  void release() {
    heldFrom = Long.MAX_VALUE;
  }

  @Override
  public void open() {}

  @Override
  public void look(long now) {}

  @Override
  public long mark() {
    return ++newest;
  }

  @Override
  public boolean recordsPassed(long mark) {
    return mark < heldFrom;
  }

  @Override
  public boolean labelsPassed(long mark) {
    return mark < heldFrom;
  }

  @Override
  public @Nullable String behind() {
    return heldFrom == Long.MAX_VALUE ? null : "partition 0 of bikes.records is behind";
  }

  @Override
  public void close() {}
}
