package io.holdfast.service.score;

/**
 * Whether the records that a stream thread has been given may be scored now. Asked by that thread.
 */
public interface Intake {

  /** Partitions were assigned, and none of their records has been processed yet. */
  void onAssigned();

  /** Records were polled, and none of them has been processed yet; false if they have to wait. */
  boolean onPolled();
}
