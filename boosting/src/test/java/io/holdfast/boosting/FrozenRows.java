package io.holdfast.boosting;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.RealObjective;
import io.holdfast.boosting.objective.Softmax;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Rows of {@link FrozenModelsTest}, the same bits on any machine. Stateless. */
final class FrozenRows {
  /** Three numbers, of which one has few values, and a category; all may be missing. */
  static final List<Feature> PLAIN = categories(6);

  private FrozenRows() {}

  /** The same features, with that many categories. */
  static List<Feature> categories(int categories) {
    return List.of(
        new Feature.Numeric("size"),
        new Feature.Numeric("level"),
        new Feature.Numeric("noise"),
        new Feature.Categorical(
            "kind", IntStream.range(0, categories).mapToObj(code -> "k" + code).toList()));
  }

  /** Weighted rows with environments that shift labels, and two continuous anchors. */
  static Rows of(Objective objective, int size, List<Feature> features, int environments) {
    int categories = ((Feature.Categorical) features.getLast()).categories().size();
    var random = new SplittableRandom(31L * size + categories);
    Rows.Builder rows = Rows.builder(features.size(), 2);
    double[] values = new double[features.size()];
    for (int row = 0; row < size; row++) {
      int environment = random.nextInt(environments);
      double tail = random.nextDouble();
      int code = (int) (categories * tail * tail); // low codes are frequent
      values[0] = random.nextInt(20) == 0 ? Double.NaN : 4 * random.nextDouble() - 2;
      values[1] = random.nextInt(10);
      values[2] = random.nextInt(9) == 0 ? Double.NaN : random.nextDouble();
      values[3] = random.nextInt(15) == 0 ? Double.NaN : code;
      double signal = Double.isNaN(values[0]) ? 0.5 : values[0];
      signal += values[1] > 6 ? 1 : -0.5;
      signal += (code * 7919L) % 5 - 2;
      signal += 0.4 * (environment - 0.5 * (environments - 1));
      signal += 2 * random.nextDouble() - 1;
      double[] anchors = {environment + random.nextDouble(), random.nextDouble()};
      double weight = 0.5 + random.nextInt(4) / 4.0;
      rows.add(values, labelFor(objective, signal), weight, "e" + environment, anchors);
    }
    return rows.build();
  }

  private static double labelFor(Objective objective, double value) {
    return switch (objective) {
      case RealObjective _ -> value;
      case BinaryObjective _ -> value > 0 ? 1 : 0;
      case LogLinkObjective positive ->
          positive.accepts(0) && value < -1 ? 0 : StrictMath.exp(0.5 * value);
      case Beta _ -> 1 / (1 + StrictMath.exp(-0.5 * value));
      case Calibrated corrected -> labelFor(corrected.of(), value);
      case Ordinal _, Softmax _ ->
          Math.clamp(
              (long) Math.floor(0.5 * value + 0.5 * objective.classes()),
              0,
              objective.classes() - 1);
    };
  }
}
