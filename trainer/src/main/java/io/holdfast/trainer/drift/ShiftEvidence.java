package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.GammaFunctions;
import java.util.List;

/**
 * Evidence that a quantity is distributed otherwise than the reference: the wealth of gamblers who
 * bet on the groups that its rows fall into, added up over several places to begin at. An
 * e-detector: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential
 * change detection", New England Journal of Statistics in Data Science 2, 2024. Stateless.
 */
final class ShiftEvidence {
  /*
   * The groups end at rows of the reference. Where all rows are of one distribution, whichever it is if
   * it has no ties, the next row falls into group g with chance (r_g + c_g) / (r + c), r_g being the
   * reference's rows and c_g those since; so the counts of later rows are Dirichlet-multinomial with
   * weights r_g + c_g. A gambler who doubts that takes the same shares with less weight, and so learns
   * sooner from what comes. Others expect values to be larger or smaller: they multiply the shares by
   * e^(t s), s rising from -1 to 1 by rank; that is a narrower bet, and is won with fewer rows. What one
   * gains on the shares is his wealth, 1 on average where nothing moved. Means over DOUBTS and TILTS need
   * no tuning.
   *
   * He who begins at the drift wins most, so there is one for each of a few beginnings. Their sum E is
   * that of Shiryaev and Roberts but for terms left out: at least a looks go by, on average, before E is
   * a for the first time where nothing moves. So it is for the mean over all quantities, however they
   * depend on each other, and if it is below a, so is what the rule of false discoveries makes of 1 / E.
   *
   * MOST_WEIGHT: what is known of the shares is that of a sketch, and shifts that small do not matter.
   */
  private static final double[] DOUBTS = {15, 60, 240};
  private static final double[] TILTS = {-1.2, -0.5, 0.5, 1.2};
  private static final double MOST_WEIGHT = 2_000;
  private static final double LEAST_ROWS = 0.5;
  private static final double MOST = 600;

  private ShiftEvidence() {}

  /**
   * The evidence; it may begin with each of the stretches.
   *
   * @param reference rows by group
   * @param stretches counts of later rows by group, the newest first
   */
  static double of(double[] reference, List<int[]> stretches) {
    double[] before = new double[reference.length];
    for (int group = 0; group < before.length; group++) {
      before[group] = Math.max(reference[group], LEAST_ROWS);
      for (int[] counts : stretches) {
        before[group] += counts[group];
      }
    }
    double[] since = new double[before.length];
    double evidence = 0;
    for (int[] counts : stretches) {
      double rows = 0;
      for (int group = 0; group < since.length; group++) {
        since[group] += counts[group];
        before[group] -= counts[group];
        rows += before[group];
      }
      double expected = chance(since, before, Math.min(1, MOST_WEIGHT / rows));
      for (double doubt : DOUBTS) {
        double gain = chance(since, before, doubt / rows) - expected;
        evidence += StrictMath.exp(Math.min(MOST, gain)) / (2 * DOUBTS.length);
      }
      double[] places = places(before, rows);
      for (double tilt : TILTS) {
        double gain = tilted(since, before, rows, places, tilt) - expected;
        evidence += StrictMath.exp(Math.min(MOST, gain)) / (2 * TILTS.length);
      }
    }
    return evidence;
  }

  /** The log of the chance of rows with these counts, in any one order, by weights times scale. */
  private static double chance(double[] counts, double[] weights, double scale) {
    double all = 0;
    double weight = 0;
    double log = 0;
    for (int group = 0; group < counts.length; group++) {
      log += rising(scale * weights[group], counts[group]);
      all += counts[group];
      weight += scale * weights[group];
    }
    return log - rising(weight, all);
  }

  /** The middle of each group by rank, from -1 to 1; 0 of missing values. */
  private static double[] places(double[] weights, double all) {
    double[] places = new double[weights.length];
    double present = all - weights[weights.length - 1];
    double below = 0;
    for (int group = 0; group < weights.length - 1; group++) {
      places[group] = (2 * below + weights[group]) / present - 1;
      below += weights[group];
    }
    return places;
  }

  /** The log of that chance by shares of the weights, tilted. */
  private static double tilted(
      double[] counts, double[] weights, double rows, double[] places, double tilt) {
    double all = 0;
    double log = 0;
    double norm = 0;
    for (int group = 0; group < counts.length; group++) {
      double share = weights[group] / rows;
      norm += share * StrictMath.exp(tilt * places[group]);
      log +=
          counts[group] == 0 ? 0 : counts[group] * (StrictMath.log(share) + tilt * places[group]);
      all += counts[group];
    }
    return log - all * StrictMath.log(norm);
  }

  /** log Γ(from + by) − log Γ(from). */
  private static double rising(double from, double by) {
    return by == 0 ? 0 : logGamma(from + by) - logGamma(from);
  }

  /** But for a constant. */
  private static double logGamma(double x) {
    return (x - 0.5) * StrictMath.log(x) - x + GammaFunctions.stirlingError(x);
  }
}
