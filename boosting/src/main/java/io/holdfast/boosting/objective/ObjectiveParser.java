package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Makes objectives of names and parameters. Not thread-safe. */
final class ObjectiveParser {
  static final List<String> NAMES =
      List.of(
          "squared",
          "absolute",
          "huber",
          "quantile",
          "logistic",
          "probit",
          "exponential",
          "softmax",
          "ordinal",
          "beta",
          "gamma",
          "poisson",
          "tweedie");

  private final String name;
  private final Map<String, Double> parameters;
  private final TreeSet<String> known = new TreeSet<>();

  private ObjectiveParser(String name, Map<String, Double> parameters) {
    this.name = name;
    this.parameters = parameters;
  }

  static Objective parse(String name, Map<String, Double> parameters) {
    ObjectiveParser parser = new ObjectiveParser(name, parameters);
    Objective objective = parser.objective();
    parser.checkKnown();
    return objective;
  }

  private Objective objective() {
    return switch (name) {
      case "squared" -> new Squared();
      case "absolute" -> new Absolute();
      case "huber" -> new Huber(required("delta", "above 0, in the unit of the labels"));
      case "quantile" -> new Quantile(required("alpha", "above 0 and below 1"));
      case "logistic" -> new Logistic();
      case "probit" -> new Probit();
      case "exponential" -> new Exponential();
      case "softmax" -> new Softmax(classes());
      case "ordinal" -> ordinal();
      case "beta" -> beta();
      case "gamma" -> new Gamma();
      case "poisson" -> new Poisson();
      case "tweedie" -> new Tweedie(required("power", "above 1 and below 2"));
      default ->
          throw new IllegalArgumentException(
              "objective must be one of " + String.join(", ", NAMES) + ": " + name);
    };
  }

  private Objective beta() {
    boolean estimated = flag("estimated", !parameters.containsKey("precision"));
    return estimated
        ? new Beta(optional("precision", Beta.ofEstimatedPrecision().precision()), true)
        : Beta.ofPrecision(required("precision", "above 0, unless estimated is 1"));
  }

  private Objective ordinal() {
    int classes = classes();
    OrdinalLink link = flag("link", false) ? OrdinalLink.PROBIT : OrdinalLink.LOGIT;
    double[] thresholds = new double[classes - 1];
    int given = 0;
    for (int k = 0; k < thresholds.length; k++) {
      String key = "theta" + (k + 1);
      given += parameters.containsKey(key) ? 1 : 0;
      thresholds[k] = optional(key, Double.NaN);
    }
    Check.that(
        given == 0 || given == thresholds.length,
        "the objective ordinal must have all of theta1 to theta%s or none: it has %s",
        thresholds.length,
        given);
    return given == 0
        ? new Ordinal(classes, link)
        : new Ordinal(classes, link, Thresholds.of(thresholds));
  }

  private int classes() {
    double classes = required("classes", "a whole number of 2 or more");
    Check.that(
        classes == StrictMath.rint(classes),
        "classes must be a whole number of 2 or more: %s",
        classes);
    return Softmax.checkClasses((int) classes);
  }

  private double required(String key, String rule) {
    known.add(key);
    Double value = parameters.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "the objective " + name + " must have the parameter " + key + ", " + rule);
    }
    return value;
  }

  private double optional(String key, double otherwise) {
    known.add(key);
    return parameters.getOrDefault(key, otherwise);
  }

  private boolean flag(String key, boolean otherwise) {
    double value = optional(key, otherwise ? 1 : 0);
    Check.that(
        value == 0 || value == 1, "%s of the objective %s must be 0 or 1: %s", key, name, value);
    return value == 1;
  }

  private void checkKnown() {
    for (String key : new TreeSet<>(parameters.keySet())) {
      Check.that(
          known.contains(key),
          "the objective %s has %s: %s",
          name,
          known.isEmpty() ? "no parameters" : "the parameters " + String.join(", ", known),
          key);
    }
  }
}
