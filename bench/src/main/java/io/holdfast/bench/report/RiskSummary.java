package io.holdfast.bench.report;

import java.util.Arrays;

/**
 * What docs/math.md measures robustness by, over environments that count the same each.
 *
 * @param mean of the environments' risks
 * @param worst the highest
 * @param upper their 0.9 quantile, interpolated between the two nearest
 */
public record RiskSummary(double mean, double worst, double upper) {

  /** Of at least one risk. */
  public static RiskSummary of(double... risks) {
    double[] sorted = risks.clone();
    Arrays.sort(sorted);
    double place = 0.9 * (sorted.length - 1);
    int low = (int) place;
    int high = Math.min(low + 1, sorted.length - 1);
    return new RiskSummary(
        Arrays.stream(sorted).average().orElseThrow(),
        sorted[sorted.length - 1],
        sorted[low] + (place - low) * (sorted[high] - sorted[low]));
  }
}
