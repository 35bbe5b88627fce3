package io.holdfast.schemas.version;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.version.LedgerException.Reason;

/** What a version may hold at most. Writers and readers check the same figures. */
public final class LedgerLimits {
  /** A segment's body. */
  public static final int SEGMENT_BYTES = 512 << 10;

  /** A manifest's body: with frame and key it fits a broker's default message of 1 MiB. */
  static final int MANIFEST_BYTES = 1_000_000;

  /** A record of bins. */
  public static final int BINS_BYTES = 1_000_000;

  /** A training reference. */
  public static final int REFERENCE_BYTES = TrainingReference.MOST_BYTES;

  static final int HEAD_BYTES = 64 << 10;
  static final int SEGMENTS = 10_000;
  static final int TREES = 100_000;
  static final int FEATURES = 4_096;
  static final int CATEGORIES = 100_000;

  /** Rungs of a version beside the one that it grew by. */
  static final int RUNGS = 8;

  /** Levels of coverage. */
  public static final int LEVELS = 10;

  /** Raw scores of a row, and classes. */
  static final int OUTPUTS = 1_000;

  /** Numbers of an objective, learned ones such as thresholds included. */
  static final int PARAMETERS = 1_100;

  /** Numbers of a linear base. */
  static final int COEFFICIENTS = 100_000;

  /**
   * Numbers of all trees of a version, counted where they are used: a few bytes of manifest may
   * name a large segment often, and a scorer lays out all that is named. 100,000 trees of 64 leaves
   * fit.
   */
  static final int TREE_NUMBERS = 1 << 25;

  private LedgerLimits() {}

  /** Refuses what a reader would not take, before it is published. */
  static void write(long value, long most, String what) {
    Check.that(value <= most, "%s must be at most %s: %s", what, most, value);
  }

  /** Refuses what no writer of ours writes. */
  public static void read(long value, long most, String what) throws LedgerException {
    if (value > most) {
      throw Reason.LIMIT_EXCEEDED.because("%s must be at most %d: %d", what, most, value);
    }
  }

  static void checkFormat(int format, int newest, String what) throws LedgerException {
    if (format < 1 || format > newest) {
      throw Reason.BAD_RECORD.because(
          "the %s has format %d and this program knows 1 to %d: upgrade Holdfast",
          what, format, newest);
    }
  }
}
