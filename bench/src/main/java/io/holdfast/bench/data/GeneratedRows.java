package io.holdfast.bench.data;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Seeded rows of a smooth regression or of its sign, in a few environments that shift the mean. */
public final class GeneratedRows {
  private GeneratedRows() {}

  public static List<Feature> features(int width) {
    List<Feature> features = new ArrayList<>();
    for (int column = 0; column < width; column++) {
      features.add(new Feature.Numeric("x" + column));
    }
    return features;
  }

  /** Rows with the label y, or 1{y > 0} if {@code binary}. */
  public static Rows of(int size, int width, int environments, boolean binary, long seed) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(width);
    double[] x = new double[width];
    for (int row = 0; row < size; row++) {
      int environment = random.nextInt(environments);
      for (int column = 0; column < width; column++) {
        x[column] = random.nextGaussian() + (column % 3 == 0 ? 0.2 * environment : 0);
      }
      double y =
          2 * Math.sin(x[0])
              + x[1 % width] * x[2 % width]
              + 0.5 * x[3 % width]
              + 0.3 * environment
              + random.nextGaussian();
      rows.add(x, binary ? (y > 0.5 ? 1 : 0) : y, "environment " + environment);
    }
    return rows.build();
  }
}
