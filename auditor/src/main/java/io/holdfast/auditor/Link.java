package io.holdfast.auditor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From raw scores to what a user reads, by the table of scores in {@code docs/formats.md}.
 * Immutable.
 */
final class Link {
  private final String objective;
  private final Map<String, Double> parameters;

  Link(String objective, Map<String, Double> parameters) {
    this.objective = objective;
    this.parameters = parameters;
  }

  Version.Scored scored(double[] raw, List<String> classes) {
    double f = raw[0];
    return switch (objective) {
      case "logistic" -> binary(sigmoid(f), sigmoid(-f), classes, true);
      case "exponential" -> binary(sigmoid(2 * f), sigmoid(-2 * f), classes, true);
      case "probit" -> binary(normal(f), normal(-f), classes, false);
      case "softmax" -> among(raw, softmax(raw), classes, true);
      case "ordinal" -> among(raw, ordinal(f), classes, false);
      case "beta" -> new Version.Scored(sigmoid(f), new double[0], null, true);
      case "poisson", "gamma", "tweedie" ->
          new Version.Scored(StrictMath.exp(f), new double[0], null, true);
      default -> new Version.Scored(f, new double[0], null, true);
    };
  }

  /** Whether an objective predicts the probability of 1. */
  static boolean isBinary(String objective) {
    return objective.equals("logistic")
        || objective.equals("exponential")
        || objective.equals("probit");
  }

  private static Version.Scored binary(
      double one, double zero, List<String> classes, boolean exact) {
    String label = classes.size() == 2 ? classes.get(one > 0.5 ? 1 : 0) : null;
    return new Version.Scored(one, new double[] {zero, one}, label, exact);
  }

  private static Version.Scored among(
      double[] raw, double[] probabilities, List<String> classes, boolean exact) {
    int likeliest = 0;
    double[] by = exact ? raw : probabilities;
    for (int k = 1; k < by.length; k++) {
      likeliest = by[k] > by[likeliest] ? k : likeliest;
    }
    @Nullable String label = classes.size() == by.length ? classes.get(likeliest) : null;
    return new Version.Scored(likeliest, probabilities, label, exact);
  }

  private static double sigmoid(double x) {
    double odds = StrictMath.exp(-Math.abs(x));
    return (x >= 0 ? 1 : odds) / (1 + odds);
  }

  private static double[] softmax(double[] raw) {
    double highest = raw[0];
    for (double score : raw) {
      highest = Math.max(highest, score);
    }
    double[] all = new double[raw.length];
    double sum = 0;
    for (int k = 0; k < all.length; k++) {
      all[k] = StrictMath.exp(raw[k] - highest);
      sum += all[k];
    }
    for (int k = 0; k < all.length; k++) {
      all[k] /= sum;
    }
    return all;
  }

  private double[] ordinal(double f) {
    int classes = (int) (double) parameters.getOrDefault("classes", 2.0);
    boolean probit = parameters.getOrDefault("link", 0.0) == 1;
    double[] all = new double[classes];
    for (int k = 0; k < classes; k++) {
      double upper = k == classes - 1 ? Double.POSITIVE_INFINITY : theta(k + 1) - f;
      double lower = k == 0 ? Double.NEGATIVE_INFINITY : theta(k) - f;
      if (!probit) { // exact to the last digits where it is small, too
        double within = k == 0 || k == classes - 1 ? 1 : -StrictMath.expm1(lower - upper);
        all[k] = sigmoid(upper) * sigmoid(-lower) * within;
        continue;
      }
      boolean far = lower > 0; // of what is near 1 the complements differ more exactly
      all[k] = far ? normal(-lower) - normal(-upper) : normal(upper) - normal(lower);
    }
    return all;
  }

  private double theta(int number) {
    return parameters.getOrDefault("theta" + number, Double.NaN);
  }

  /** Φ(x): its series, and far out its continued fraction. */
  private static double normal(double x) {
    double density = StrictMath.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
    if (Math.abs(x) < 4) {
      double term = x;
      double sum = x;
      for (int n = 3; Math.abs(term) > 1e-18 * Math.abs(sum); n += 2) {
        term *= x * x / n;
        sum += term;
      }
      return 0.5 + density * sum;
    }
    double tail = Math.abs(x);
    for (int n = 60; n >= 1; n--) {
      tail = Math.abs(x) + n / tail;
    }
    double beyond = density / tail;
    return x > 0 ? 1 - beyond : beyond;
  }
}
