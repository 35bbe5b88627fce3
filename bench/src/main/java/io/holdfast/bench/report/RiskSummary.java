package io.holdfast.bench.report;

import static io.holdfast.bench.report.MarkdownTable.change;
import static io.holdfast.bench.report.MarkdownTable.figure;

import java.util.Arrays;
import java.util.List;

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

  /** What heads {@link #cells}, the reference being named so. */
  public static List<String> header(String reference) {
    String against = "against " + reference;
    return List.of("mean", against, "worst", against, "0.9 quantile", against, "better in");
  }

  /**
   * A summary as cells of a table, against that of other risks of the same environments, in the
   * same order; and in how many environments it is the lower.
   */
  public static List<String> cells(double[] risks, double[] reference) {
    RiskSummary summary = of(risks);
    RiskSummary against = of(reference);
    int better = 0;
    for (int k = 0; k < risks.length; k++) {
      better += risks[k] < reference[k] ? 1 : 0;
    }
    return List.of(
        figure(summary.mean),
        change(summary.mean, against.mean),
        figure(summary.worst),
        change(summary.worst, against.worst),
        figure(summary.upper),
        change(summary.upper, against.upper),
        better + " of " + risks.length);
  }
}
