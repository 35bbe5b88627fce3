package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.FeatureBins;
import java.util.Arrays;

/** Whether a feature's bins, found for earlier rows, still fit those at hand. Stateless. */
public final class BinStability {
  /*
   * Compares by the population stability index, with bins merged to at most GROUPS of about as many
   * earlier rows each: the index grows with the number of bins by chance alone. Where nothing moved, the
   * index over 1 / n + 1 / m, for n and m rows, is about chi-squared with bins − 1 degrees of freedom. So
   * a feature has moved if the index exceeds that mean by BEYOND deviations, and MOVED. This is below the
   * usual 0.1, since most rows are memory: a window wholly beyond the last threshold makes 0.09.
   *
   * Bins of few rows are coarse: they are found anew once there are twice as many rows, up to
   * ENOUGH_ROWS.
   */
  private static final int GROUPS = 20;
  private static final double BEYOND = 4;
  private static final double MOVED = 0.02;
  private static final long ENOUGH_ROWS = 200_000;

  private BinStability() {}

  /** Whether the bins stay; {@code counts} are the rows at hand by bin, missing values last. */
  public static boolean stay(FeatureBins bins, int[] counts) {
    long rows = Arrays.stream(counts).asLongStream().sum();
    return 2 * bins.rows() >= Math.min(rows, ENOUGH_ROWS)
        && (rows == 0 || !moved(bins, counts, (double) rows));
  }

  private static boolean moved(FeatureBins bins, int[] counts, double rows) {
    int missing = bins.bins();
    double earlier = (double) bins.rows();
    double missingBefore = (double) bins.count(missing);
    double left = earlier - missingBefore;
    double index = 0;
    int groups = 0;
    double before = 0;
    double now = 0;
    for (int bin = 0; bin < missing; bin++) {
      before += (double) bins.count(bin);
      now += counts[bin];
      boolean full = before * Math.max(GROUPS - groups, 1) >= left && groups < GROUPS - 1;
      if (full || bin == missing - 1) {
        index += ShiftStatistics.ofBin(before, earlier, now, rows);
        groups++;
        left -= before;
        before = 0;
        now = 0;
      }
    }
    if (missingBefore > 0 || counts[missing] > 0) {
      index += ShiftStatistics.ofBin(missingBefore, earlier, counts[missing], rows);
      groups++;
    }
    double freedom = groups - 1;
    double chance = (1 / earlier + 1 / rows) * (freedom + BEYOND * Math.sqrt(2 * freedom));
    return index >= MOVED && index > chance;
  }
}
