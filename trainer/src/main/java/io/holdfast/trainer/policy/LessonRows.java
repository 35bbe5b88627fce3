package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.window.Served;

/**
 * The rows that the next model may learn from, decoded when they are asked for. Owned by the
 * training thread.
 */
public interface LessonRows {

  /** The window's rows, in the order of their time, without those that are kept out of training. */
  Rows window();

  /** What was served for each of {@link #window}. */
  Served[] served();

  /** How many rows there are to train on: the replay buffer's and the window's. */
  int size();

  /** All of them, in log order: the replay buffer's, then the window's. */
  Rows all();

  /**
   * How many of {@link #all} are newer than each, by the order of their time.
   *
   * @return one number a row of {@link #all}
   */
  int[] ages();

  /**
   * Some of the newest rows, oldest first: stretch after stretch of the log, and within one by
   * time.
   *
   * @param count how many at most
   * @param skip how many still newer ones are left out
   */
  Rows newest(int count, int skip);
}
