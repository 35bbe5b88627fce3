package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A world of environments that an anchor shifts, with a hidden confounder:
 *
 * <pre>
 * A   ~ N(0, strength² I)                           two of them, one draw an environment
 * H   ~ N(0, 1)                                     the confounder, never a feature
 * X_j = effect (A_1 + A_2) + 2 H + N(0, 1)          ten features
 * Y   = f(X_2, X_3) - 2 H + N(0, 1)
 * f   = X_2 + X_3, and, if not linear, + 1(X_2 &gt; 0) + 1(X_2 ≤ -0.5) 1(X_3 ≤ 1)
 * </pre>
 *
 * <p>Bühlmann, "Invariance, causality and robustness", Statistical Science 35, 2020. Immutable;
 * rows are a function of the arguments.
 *
 * @param linear whether f is
 * @param anchored whether the anchor has an effect: without one all environments are alike
 */
public record AnchorWorld(boolean linear, boolean anchored) {
  private static final int FEATURES = 10;

  /** The features of its rows. */
  public List<Feature> features() {
    return IntStream.rangeClosed(1, FEATURES)
        .<Feature>mapToObj(j -> new Feature.Numeric("x" + j))
        .toList();
  }

  /**
   * Rows of environments that no other call with another seed gives.
   *
   * @param each how many rows an environment has
   * @param strength of the shift
   */
  public Rows rows(int environments, int each, double strength, long seed) {
    Check.that(environments >= 1, "environments must be at least 1: %s", environments);
    SplittableRandom random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(FEATURES);
    double[] x = new double[FEATURES];
    for (int environment = 0; environment < environments; environment++) {
      double shift = strength * (random.nextGaussian() + random.nextGaussian());
      String name = "e" + environment;
      for (int row = 0; row < each; row++) {
        double hidden = random.nextGaussian();
        for (int j = 0; j < FEATURES; j++) {
          x[j] = (anchored ? shift : 0) + 2 * hidden + random.nextGaussian();
        }
        rows.add(x, response(x[1], x[2]) - 2 * hidden + random.nextGaussian(), 1, name);
      }
    }
    return rows.build();
  }

  private double response(double first, double second) {
    double sum = first + second;
    return linear ? sum : sum + (first > 0 ? 1 : 0) + (first <= -0.5 && second <= 1 ? 1 : 0);
  }
}
