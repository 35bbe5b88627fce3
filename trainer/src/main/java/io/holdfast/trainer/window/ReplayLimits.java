package io.holdfast.trainer.window;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.settings.ModelSettings;

/**
 * Bounds of the replay buffer.
 *
 * @param bytes of the rows at most, all counted at the size of the largest
 */
public record ReplayLimits(int rows, int windows, long bytes) {
  private static final long LEAST_BYTES = 256L << 20;
  private static final long BYTES_A_ROW = 1_024;

  public ReplayLimits {
    Check.that(rows >= 0, "rows must be 0 or more: %s", rows);
    Check.that(windows >= 1, "windows must be at least 1: %s", windows);
    Check.that(bytes >= 1, "bytes must be at least 1: %s", bytes);
  }

  /** By the settings, with 256 MiB, or 1 KiB a row where that is more. */
  public static ReplayLimits of(ModelSettings.Window window) {
    return new ReplayLimits(
        window.memoryRows(),
        window.memoryWindows(),
        Math.max(LEAST_BYTES, BYTES_A_ROW * window.memoryRows()));
  }

  /** Windows that follow each other are joined until they have so many rows. */
  int block() {
    return rows / windows;
  }

  /** Rows at most, if the largest has that many bytes. */
  int rowsOf(int largest) {
    return (int) Math.min(rows, bytes / Math.max(1, largest));
  }
}
