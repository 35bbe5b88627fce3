package io.holdfast.boosting.linear;

import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows for linear functions, made from a seed. Stateless. */
final class LinearSamples {
  /** Numeric {@code x0}, {@code x1}, {@code x2} on different scales, and a category. */
  static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("x0"),
          new Feature.Categorical("kind", List.of("a", "b", "c")),
          new Feature.Numeric("x1"),
          new Feature.Numeric("x2"));

  private LinearSamples() {}

  /** A fit that begins at the best constants. */
  static LinearFit fit(
      Objective objective,
      Rows rows,
      List<Feature> features,
      Projection anchor,
      double gamma,
      LinearBase settings,
      List<Integer> monotone) {
    Base start = Base.constant(new double[objective.outputs()]);
    var search = new LinearFit.Search(settings, monotone, start);
    return LinearFit.of(objective, rows, features, anchor, gamma, search);
  }

  /** All that have a curvature. */
  static Stream<Objective> objectives() {
    return Stream.of(
        new Squared(),
        Objective.of("huber", Map.of("delta", 0.5)),
        Objective.named("logistic"),
        Objective.named("probit"),
        Objective.named("exponential"),
        new Softmax(3),
        Objective.of("ordinal", Map.of("classes", 3.0)),
        Objective.of("ordinal", Map.of("classes", 3.0, "link", 1.0)),
        Objective.of("beta", Map.of("precision", 5.0)),
        Objective.named("beta"),
        Objective.named("gamma"),
        Objective.named("poisson"),
        Objective.of("tweedie", Map.of("power", 1.5)));
  }

  static List<Feature> numeric(int width) {
    return IntStream.range(0, width)
        .<Feature>mapToObj(column -> new Feature.Numeric("x" + column))
        .toList();
  }

  /** Rows of {@link #FEATURES} in four environments, now and then without a value. */
  static Rows mixed(Objective objective, long seed, int size) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(4);
    for (int row = 0; row < size; row++) {
      int environment = random.nextInt(4);
      double hidden = normal(random) + 0.5 * environment;
      double[] values = {
        normal(random) + 0.8 * hidden,
        random.nextInt(3),
        1000 + 50 * (normal(random) - 0.5 * environment),
        1e-3 * normal(random)
      };
      double signal =
          0.8 * values[0]
              + (values[1] == 2 ? 0.7 : 0)
              - 0.01 * (values[2] - 1000)
              + 0.5 * hidden
              + 0.5 * normal(random);
      if (random.nextInt(10) == 0) {
        values[random.nextInt(4)] = Double.NaN;
      }
      double weight = 0.5 + random.nextDouble();
      rows.add(values, label(objective, signal, random), weight, "environment " + environment);
    }
    return rows.build();
  }

  /** Complete numeric rows with a squared label and two continuous anchors that move it. */
  static Rows anchored(long seed, int size) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(2, 2);
    for (int row = 0; row < size; row++) {
      double[] anchors = {normal(random), normal(random)};
      double hidden = normal(random);
      double x0 = anchors[0] + 0.5 * anchors[1] + hidden + 0.3 * normal(random);
      double x1 = 10 * (anchors[0] - anchors[1] - hidden + 0.3 * normal(random));
      double label = 2 * x0 - 0.1 * x1 + 3 * hidden + 0.2 * normal(random);
      double weight = 0.5 + random.nextDouble();
      rows.add(new double[] {x0, x1}, label, weight, "environment " + row % 5, anchors);
    }
    return rows.build();
  }

  static double normal(SplittableRandom random) {
    return random.nextGaussian();
  }

  private static double label(Objective objective, double signal, SplittableRandom random) {
    return switch (objective.name()) {
      case "logistic", "probit", "exponential" -> signal > 0 ? 1 : 0;
      case "softmax", "ordinal" -> Math.clamp((int) Math.floor(signal + 1), 0, 2);
      case "poisson", "tweedie" -> Math.floor(StrictMath.exp(0.5 * signal) + random.nextDouble());
      case "gamma" -> StrictMath.exp(0.5 * signal) * (0.5 + random.nextDouble());
      case "beta" -> 0.01 + 0.98 / (1 + StrictMath.exp(-signal));
      default -> signal;
    };
  }

  /** All rows of {@code rows}, in another order. */
  static Rows permuted(Rows rows) {
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      order.add((row * 7 + 3) % rows.size());
    }
    Rows.Builder builder = Rows.builder(rows.width());
    for (int row : order) {
      double[] values = new double[rows.width()];
      rows.copyFeatures(row, values);
      builder.add(
          values,
          rows.label(row),
          rows.weight(row),
          rows.environments().get(rows.environment(row)));
    }
    return builder.build();
  }
}
