package io.holdfast.bench.report;

import static io.holdfast.bench.report.MarkdownTable.change;
import static io.holdfast.bench.report.MarkdownTable.figure;

import io.holdfast.boosting.EarlyStopping.Criterion;
import java.util.List;

/**
 * Risks over environments that count the same each.
 *
 * @param upper their 0.9 quantile, interpolated between the two nearest
 */
public record RiskSummary(double mean, double worst, double upper) {
  /** Of at least one risk. */
  public static RiskSummary of(double... risks) {
    return new RiskSummary(
        new Criterion.Mean().of(risks),
        new Criterion.Worst().of(risks),
        new Criterion.Quantile(0.9).of(risks));
  }

  /** The heads of {@link #cells}. */
  public static List<String> header(String reference) {
    String against = "against " + reference;
    return List.of("mean", against, "worst", against, "0.9 quantile", against, "better in");
  }

  /**
   * Risks summed up beside a reference's of the same environments, and how often they are lower.
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
