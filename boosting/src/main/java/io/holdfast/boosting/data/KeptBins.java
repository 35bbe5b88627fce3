package io.holdfast.boosting.data;

import org.jspecify.annotations.Nullable;

/**
 * Bins to keep, feature by feature, for as long as they are good. Immutable.
 *
 * @param bins of earlier rows; null if there are none yet
 * @param check which of them stay
 */
public record KeptBins(@Nullable Bins bins, Check check) {

  /** Says whether a feature's bins are still good. A function of its arguments. */
  @FunctionalInterface
  public interface Check {
    /** Whether they stay, given the rows at hand by these bins, those without a value last. */
    boolean stay(FeatureBins bins, int[] counts);
  }

  /** Those of a feature that {@code maxBins} allows; null if there are none. */
  @Nullable FeatureBins of(int feature, int maxBins) {
    return bins == null || bins.maxBins() != maxBins ? null : bins.of(feature);
  }
}
