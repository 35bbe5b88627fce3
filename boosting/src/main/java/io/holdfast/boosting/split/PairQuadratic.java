package io.holdfast.boosting.split;

/** The minimum of ½ βᵀMβ + gᵀβ + λ₁‖β‖₁ over two values. Scratch is reused: not thread-safe. */
final class PairQuadratic {
  /*
   * M is a diagonal plus a coupling. A coupling of negative strength can cancel the diagonal to
   * rounding, as it does at the root when gamma is 0, or outweigh it. A direction that does not curve
   * upwards gains nothing here, as a leaf without curvature gains nothing in the plain score: where
   * M is not positive definite its positive part takes its place.
   */

  /** What of a curvature may be left before it counts as rounding. */
  static final double FLAT = 1e-10;

  private final double lambda1;
  private double firstGradient;
  private double secondGradient;
  private double firstCurvature;
  private double mixedCurvature;
  private double secondCurvature;
  private double first;
  private double second;

  PairQuadratic(double lambda1) {
    this.lambda1 = lambda1;
  }

  /** Sets both minimising values. M = [plainA + own, between; between, plainB + others]. */
  void minimise(
      double gradientA,
      double gradientB,
      double plainA,
      double plainB,
      double own,
      double between,
      double others) {
    firstGradient = gradientA;
    secondGradient = gradientB;
    firstCurvature = plainA + own;
    secondCurvature = plainB + others;
    mixedCurvature = between;
    double product = firstCurvature * secondCurvature;
    double determinant = product - between * between;
    if (firstCurvature > FLAT * plainA
        && secondCurvature > FLAT * plainB
        && firstCurvature > 0
        && secondCurvature > 0
        && determinant > FLAT * product) {
      if (lambda1 == 0) {
        take(determinant, gradientA, gradientB);
      } else {
        sparse(determinant);
      }
    } else {
      takePositivePart(Math.abs(plainA) + Math.abs(plainB) + Math.abs(own) + Math.abs(others));
    }
  }

  double first() {
    return first;
  }

  double second() {
    return second;
  }

  /** Twice what the quadratic falls by from 0 to these values. */
  double score(double a, double b) {
    double quadratic =
        firstCurvature * a * a + 2 * mixedCurvature * a * b + secondCurvature * b * b;
    return -(2 * (firstGradient * a + secondGradient * b)
        + quadratic
        + 2 * lambda1 * (Math.abs(a) + Math.abs(b)));
  }

  private void take(double determinant, double gradientA, double gradientB) {
    first = (mixedCurvature * gradientB - secondCurvature * gradientA) / determinant;
    second = (mixedCurvature * gradientA - firstCurvature * gradientB) / determinant;
  }

  /**
   * With λ₁ the minimum is where both are 0, one is, or none is and their signs are one of four
   * pairs: the lowest of all these points.
   */
  private void sparse(double determinant) {
    double bestA = 0;
    double bestB = 0;
    double best = 0;
    for (int signs = 0; signs < 6; signs++) {
      if (signs == 4) {
        first = -soft(firstGradient) / firstCurvature;
        second = 0;
      } else if (signs == 5) {
        first = 0;
        second = -soft(secondGradient) / secondCurvature;
      } else {
        take(
            determinant,
            firstGradient + ((signs & 1) == 0 ? lambda1 : -lambda1),
            secondGradient + ((signs & 2) == 0 ? lambda1 : -lambda1));
      }
      double score = score(first, second);
      if (score > best) {
        best = score;
        bestA = first;
        bestB = second;
      }
    }
    first = bestA;
    second = bestB;
  }

  /** The eigenvalue that is above 0, if there is one, with its direction. */
  private void takePositivePart(double scale) {
    double mean = 0.5 * (firstCurvature + secondCurvature);
    double difference = 0.5 * (firstCurvature - secondCurvature);
    double radius = Math.sqrt(difference * difference + mixedCurvature * mixedCurvature);
    double highest = mean + radius;
    // Two forms of the eigenvector; the longer one does not cancel.
    double a = difference >= 0 ? difference + radius : mixedCurvature;
    double b = difference >= 0 ? mixedCurvature : radius - difference;
    double square = a * a + b * b;
    if (!(highest > FLAT * scale) || !(square > 0)) {
      highest = 0;
      square = 1;
      a = 0;
      b = 0;
    }
    double slope = (a * soft(firstGradient) + b * soft(secondGradient)) / square;
    first = highest > 0 ? -slope * a / highest : 0;
    second = highest > 0 ? -slope * b / highest : 0;
    firstCurvature = highest * a * a / square;
    mixedCurvature = highest * a * b / square;
    secondCurvature = highest * b * b / square;
  }

  private double soft(double gradient) {
    return Math.copySign(Math.max(Math.abs(gradient) - lambda1, 0), gradient);
  }
}
