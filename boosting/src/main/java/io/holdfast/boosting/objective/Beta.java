package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.GammaFunctions;
import io.holdfast.boosting.numeric.Sigmoid;
import java.util.Arrays;
import java.util.Map;

/**
 * −log of the density of the beta distribution with mean μ = σ(f) and precision φ, for labels
 * between 0 and 1; the prediction is μ. Not convex: its second derivative may be below 0.
 * Immutable.
 *
 * @param precision φ, finite and above 0: labels have the variance μ(1 − μ)/(1 + φ)
 * @param estimated whether φ is learned, by maximum likelihood, rather than given
 */
public record Beta(double precision, boolean estimated) implements ScalarObjective {
  /*
   * With m = μ, v = m(1 − m), w = 1 − 2m, p = m φ, q = (1 − m) φ, and ψ, ψ', ψ'' at 1 + p and 1 + q
   * (the shift by 1 removes ψ(p) ~ −1/p, which cancels far out):
   *   A = ψ(1 + p) − ψ(1 + q) − logit y,  B = ψ'(1 + p) + ψ'(1 + q),  C = ψ''(1 + p) − ψ''(1 + q)
   *   L'   = φ v A − w
   *   L''  = φ v w A + φ² v² B + 2v
   *   L''' = φ v (w² − 2v) A + 3 φ² v² w B + φ³ v³ C + 2 v w
   * Over labels of this distribution A has the mean 1/p − 1/q, and L'' one that is above 0:
   *   φ² v² B + m² + (1 − m)²
   * The loss itself is BetaLikelihood's.
   */
  public Beta {
    Check.that(
        precision > 0 && precision < Double.POSITIVE_INFINITY,
        "precision must be finite and above 0: %s",
        precision);
  }

  /** With a precision to learn, 1 until then. */
  public static Beta ofEstimatedPrecision() {
    return new Beta(1, true);
  }

  /** With a given precision. */
  public static Beta ofPrecision(double precision) {
    return new Beta(precision, false);
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("precision", precision, "estimated", estimated ? 1.0 : 0.0);
  }

  @Override
  public double loss(double label, double score) {
    return BetaLikelihood.minusLog(label, score, precision);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double m = Sigmoid.of(score);
    double n = Sigmoid.of(-score);
    double p = 1 + precision * m;
    double q = 1 + precision * n;
    double logit = StrictMath.log(label) - StrictMath.log1p(-label);
    double a = GammaFunctions.digamma(p) - GammaFunctions.digamma(q) - logit;
    double b = GammaFunctions.trigamma(p) + GammaFunctions.trigamma(q);
    double c = GammaFunctions.tetragamma(p) - GammaFunctions.tetragamma(q);
    double v = Sigmoid.slope(score);
    double w = -StrictMath.tanh(0.5 * score);
    double scaled = precision * v;
    target.set(
        loss(label, score),
        scaled * a - w,
        scaled * (w * a + scaled * b) + 2 * v,
        scaled * ((w * w - 2 * v) * a + scaled * (3 * w * b + scaled * c)) + 2 * v * w);
    // The Fisher information: what the second derivative is on average.
    target.growth = precision * precision * v * v * b + m * m + n * n;
  }

  @Override
  public double prediction(double score) {
    return Sigmoid.of(score);
  }

  /** The logit of the mean label. */
  @Override
  public double initialScore(Rows rows) {
    double ones = 0;
    double zeros = 0;
    for (int row = 0; row < rows.size(); row++) {
      ones += rows.weight(row) * rows.label(row);
      zeros += rows.weight(row) * (1 - rows.label(row));
    }
    return StrictMath.log(ones / zeros);
  }

  /** With the likeliest precision at the mean label, if the precision is to be learned. */
  @Override
  public Beta fittedTo(Rows rows) {
    double[] scores = new double[rows.size()];
    Arrays.fill(scores, initialScore(rows));
    return refitted(rows, scores);
  }

  /** With the likeliest precision at these scores, if the precision is to be learned. */
  @Override
  public Beta refitted(Rows rows, double[] scores) {
    return estimated
        ? new Beta(BetaLikelihood.likeliestPrecision(rows, scores, precision), true)
        : this;
  }

  @Override
  public Beta unfitted() {
    return estimated ? ofEstimatedPrecision() : this;
  }

  @Override
  public boolean accepts(double label) {
    return label > 0 && label < 1;
  }

  @Override
  public String labelRule() {
    return "above 0 and below 1";
  }
}
