package io.holdfast.bench.streams;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Logistic;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Streams in which one thing alone changes, to another state every {@link #STRETCH} rows: where
 * features are, or how labels depend on them. Labels are harder to tell where {@code x} is large.
 */
enum PlantedShift {
  COVARIATE_CLASSES,
  COVARIATE_NUMBERS,
  CONCEPT_CLASSES,
  CONCEPT_NUMBERS;

  private static final int STRETCH = 2_500;
  private static final double[] PLACES = {-2, 0.5, 2, -0.5, 1};

  LabelledStream stream(int rows) {
    boolean classes = this == COVARIATE_CLASSES || this == CONCEPT_CLASSES;
    boolean features = this == COVARIATE_CLASSES || this == COVARIATE_NUMBERS;
    var logistic = new Logistic();
    SplittableRandom random = new SplittableRandom(1);
    Rows.Builder builder = Rows.builder(3).expecting(rows);
    for (int row = 0; row < rows; row++) {
      int state = row / STRETCH;
      double x = (features ? PLACES[state % PLACES.length] : 0) + random.nextGaussian();
      double cause = random.nextGaussian();
      double turned = features ? 1 : 1 - 0.8 * (state % 3);
      double noise = StrictMath.exp(0.6 * x);
      double signal = turned * cause + 0.3 * x;
      double label =
          classes
              ? (random.nextDouble() < logistic.prediction(3 * signal / noise) ? 1 : 0)
              : signal + noise * random.nextGaussian();
      builder.add(new double[] {x, cause, random.nextGaussian()}, label, "");
    }
    return new LabelledStream(
        name().toLowerCase(Locale.ROOT).replace('_', '-'),
        List.of(new Feature.Numeric("x"), new Feature.Numeric("cause"), new Feature.Numeric("z")),
        classes ? 2 : 0,
        builder.build());
  }
}
