package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.GammaFunctions;
import io.holdfast.boosting.numeric.Sigmoid;

/** The likelihood of the beta distribution and its likeliest precision. Stateless. */
final class BetaLikelihood {
  /*
   * With Stirling's formula and its error δ (GammaFunctions.stirlingError), p = mφ, q = (1 − m)φ,
   *   −log density = δ(p) + δ(q) − δ(φ) + ½ log(2πφ / (p q)) + φ KL(m ‖ y) + log y + log(1 − y),
   * where KL is the divergence m log(m/y) + (1 − m) log((1 − m)/(1 − y)): log Γ of large arguments,
   * which would cancel, does not appear. m and 1 − m may underflow; their logs do not.
   *
   * In φ the loss is convex. Its slope is the mean of
   *   KL(m ‖ y) + m e(p) + (1 − m) e(q) − e(φ),  e(x) = ψ(x) − log x.
   */
  static final double LOWEST_PRECISION = 1e-3;
  static final double HIGHEST_PRECISION = 1e6;

  private static final double HALF_LOG_TWO_PI = 0.9189385332046727;
  private static final int MOST_STEPS = 100;

  private BetaLikelihood() {}

  static double minusLog(double label, double score, double precision) {
    double logPrecision = StrictMath.log(precision);
    double logMean = -Sigmoid.logOnePlusExp(-score);
    double logRest = -Sigmoid.logOnePlusExp(score);
    return gammaPart(precision * Sigmoid.of(score), logPrecision + logMean)
        + gammaPart(precision * Sigmoid.of(-score), logPrecision + logRest)
        - GammaFunctions.stirlingError(precision)
        + HALF_LOG_TWO_PI
        + 0.5 * logPrecision
        + precision * divergence(label, score, logMean, logRest)
        + StrictMath.log(label)
        + StrictMath.log1p(-label);
  }

  /** δ(x) − ½ log x, where x may have underflowed and its log not. */
  private static double gammaPart(double x, double logX) {
    if (x >= 1) {
      return GammaFunctions.stirlingError(x) - 0.5 * logX;
    }
    return GammaFunctions.stirlingError(1 + x)
        + (x + 0.5) * StrictMath.log1p(x)
        - 1
        - (x + 1) * logX;
  }

  /** KL(m ‖ y), at least 0. */
  private static double divergence(double label, double score, double logMean, double logRest) {
    return part(Sigmoid.of(score), logMean, label, StrictMath.log(label))
        + part(Sigmoid.of(-score), logRest, 1 - label, StrictMath.log1p(-label));
  }

  /** x log(x/y) + y − x, at least 0, by its series where x is near y (Loader 2000). */
  private static double part(double x, double logX, double y, double logY) {
    double difference = x - y;
    double sum = x + y;
    if (Math.abs(difference) > 0.1 * sum) {
      return x * (logX - logY) - difference;
    }
    double ratio = difference / sum;
    double square = ratio * ratio;
    double power = 2 * x * ratio;
    double value = difference * ratio;
    for (int odd = 3; odd < 40; odd += 2) {
      power *= square;
      double next = value + power / odd;
      if (next == value) {
        break;
      }
      value = next;
    }
    return value;
  }

  /**
   * The precision of least weighted loss within the bounds, by Newton's method in log φ within a
   * bracket; {@code start} if that is no worse.
   */
  static double likeliestPrecision(Rows rows, double[] scores, double start) {
    double low = StrictMath.log(LOWEST_PRECISION);
    double high = StrictMath.log(HIGHEST_PRECISION);
    double log = Math.clamp(StrictMath.log(start), low, high);
    for (int step = 0; step < MOST_STEPS && high - low > 1e-12; step++) {
      double precision = StrictMath.exp(log);
      double[] slopes = slopes(rows, scores, precision);
      if (slopes[0] > 0) {
        high = log;
      } else {
        low = log;
      }
      double newton = log - slopes[0] / (precision * slopes[1]);
      double next = newton > low && newton < high ? newton : 0.5 * (low + high);
      double change = Math.abs(next - log);
      log = next;
      if (change <= 1e-12) {
        break;
      }
    }
    double found = StrictMath.exp(log);
    double least = new Beta(found, true).totalLoss(rows, scores);
    return least < new Beta(start, true).totalLoss(rows, scores) ? found : start;
  }

  /** The first two derivatives of the loss in φ. */
  private static double[] slopes(Rows rows, double[] scores, double precision) {
    double first = 0;
    double second = 0;
    double weights = 0;
    for (int row = 0; row < rows.size(); row++) {
      double score = scores[row];
      double m = Sigmoid.of(score);
      double n = Sigmoid.of(-score);
      double logMean = -Sigmoid.logOnePlusExp(-score);
      double logRest = -Sigmoid.logOnePlusExp(score);
      double p = precision * m;
      double q = precision * n;
      double weight = rows.weight(row);
      weights += weight;
      double bends = weighedDigamma(p) + weighedDigamma(q);
      first += weight * (divergence(rows.label(row), score, logMean, logRest) + bends / precision);
      // m² ψ'(p) = m² ψ'(1 + p) + 1/φ², where p may have underflowed
      double trigammas =
          m * m * GammaFunctions.trigamma(1 + p) + n * n * GammaFunctions.trigamma(1 + q);
      second += weight * (trigammas + 2 / (precision * precision));
    }
    first -= weights * GammaFunctions.digammaMinusLog(precision);
    second -= weights * GammaFunctions.trigamma(precision);
    return new double[] {first, second};
  }

  /** x (ψ(x) − log x), −1 at 0. */
  private static double weighedDigamma(double x) {
    if (x >= 1) {
      return x * GammaFunctions.digammaMinusLog(x);
    }
    return x == 0 ? -1 : x * (GammaFunctions.digamma(1 + x) - StrictMath.log(x)) - 1;
  }
}
