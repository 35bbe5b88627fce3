package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.FeatureBins;

/**
 * Whether a feature's bins, found for earlier rows, are still good for those at hand: whether these
 * lie in them as the earlier ones did. Stateless.
 */
public final class BinStability {
  /*
   * Bins are merged to at most GROUPS of about the same number of earlier rows, since the index
   * grows with the number of bins by chance alone: where nothing moved, by (bins − 1) (1 / n + 1 / m)
   * on average for n and m rows, and over 1 / n + 1 / m it is about chi-squared with bins − 1 degrees
   * of freedom. So a feature has moved if the index is beyond what chance explains: its mean and BEYOND of
   * its deviations. MOVED is below the 0.1 that calls for a report: of rows of which ten elevenths are
   * memory, a window that lies beyond the last threshold altogether makes 0.09.
   *
   * Bins of few rows are coarse. They are found anew once there are more than twice as many rows, up
   * to as many as thresholds are found by.
   */
  private static final int GROUPS = 20;
  private static final double BEYOND = 4;
  private static final double MOVED = 0.02;
  private static final long ENOUGH_ROWS = 200_000;

  private BinStability() {}

  /**
   * Whether they are.
   *
   * @param counts the rows at hand by these bins, those without a value last
   */
  public static boolean stay(FeatureBins bins, int[] counts) {
    long rows = 0;
    for (int count : counts) {
      rows += count;
    }
    if (2 * bins.rows() < Math.min(rows, ENOUGH_ROWS)) {
      return false;
    }
    return rows == 0 || !moved(bins, counts, rows);
  }

  private static boolean moved(FeatureBins bins, int[] counts, long rows) {
    int missing = bins.bins();
    long left = bins.rows() - bins.count(missing);
    double index = 0;
    int groups = 0;
    long before = 0;
    long now = 0;
    for (int bin = 0; bin < missing; bin++) {
      before += bins.count(bin);
      now += counts[bin];
      boolean full = before * Math.max(GROUPS - groups, 1) >= left && groups < GROUPS - 1;
      if (full || bin == missing - 1) {
        index += StabilityIndex.ofBin(before, bins.rows(), now, rows);
        groups++;
        left -= before;
        before = 0;
        now = 0;
      }
    }
    if (bins.count(missing) > 0 || counts[missing] > 0) {
      index += StabilityIndex.ofBin(bins.count(missing), bins.rows(), counts[missing], rows);
      groups++;
    }
    double freedom = groups - 1;
    double chance = (1.0 / bins.rows() + 1.0 / rows) * (freedom + BEYOND * Math.sqrt(2 * freedom));
    return index >= MOVED && index > chance;
  }
}
