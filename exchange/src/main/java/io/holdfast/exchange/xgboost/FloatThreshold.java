package io.holdfast.exchange.xgboost;

/** Comparisons of floats as comparisons of doubles. Stateless. */
final class FloatThreshold {
  /** Up to here doubles are rounded to the largest float, beyond to infinity. */
  private static final double LARGEST = Math.nextDown(0x1.ffffffp127);

  private FloatThreshold() {}

  /**
   * The largest double that, rounded to a float, is below {@code condition}: {@code (float) v <
   * condition} where {@code v <=} it, for every v.
   *
   * <p>Rounding keeps order, so there is one. It is near the middle between the condition and the
   * float before it, which is a double; the middle itself is rounded to the even of the two.
   */
  static double atMost(float condition) {
    if (condition == Float.NEGATIVE_INFINITY) {
      return Double.NEGATIVE_INFINITY;
    }
    if (condition == Float.POSITIVE_INFINITY) {
      return LARGEST;
    }
    double middle = ((double) Math.nextDown(condition) + condition) / 2;
    if (Double.isInfinite(middle)) { // of -Float.MAX_VALUE, below which is but infinity
      return Math.nextDown(-LARGEST);
    }
    return (float) middle < condition ? middle : Math.nextDown(middle);
  }

  /**
   * The condition for what is at most {@code atMost} to be below, where values are floats: the
   * least float above it. Values nearer to 0 than a float of full precision count as 0.
   */
  static float below(double atMost) {
    float nearest = (float) atMost;
    float above = nearest <= atMost ? Math.nextUp(nearest) : nearest;
    return above > 0 ? Math.max(above, Float.MIN_NORMAL) : above;
  }
}
