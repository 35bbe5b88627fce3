package io.holdfast.trainer.reason;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Served rows before and after a shift that was planted: temperature, city, three features that say
 * nothing and four environments. Scores know the truth of before, and errors grow with temperature.
 */
record PlantedShift(Rows before, ServedLosses lossesBefore, Rows now, ServedLosses lossesNow) {
  static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("temperature"),
          new Feature.Categorical("city", List.of("rome", "berlin", "oslo", "paris"), false),
          new Feature.Numeric("a"),
          new Feature.Numeric("b"),
          new Feature.Numeric("c"));

  enum Kind {
    QUIET,
    COVARIATE,
    CONCEPT,
    SUBGROUP,
    ENVIRONMENT
  }

  static PlantedShift of(Kind kind, int before, int now, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Drawn older = Drawn.of(Kind.QUIET, before, random.split());
    Drawn newer = Drawn.of(kind, now, random.split());
    return new PlantedShift(older.rows, older.losses, newer.rows, newer.losses);
  }

  /**
   * Losses of one stream in which nothing changes, but each error goes on from the one before.
   *
   * @param persistence how much of an error is of the one before, from 0 to 1
   */
  static List<ServedLosses> persistent(double persistence, int before, int now, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double error = random.nextGaussian();
    List<ServedLosses> parts = new ArrayList<>();
    for (int count : List.of(before, now)) {
      double[] losses = new double[count];
      double[] weights = new double[count];
      List<String> environments = new ArrayList<>();
      for (int row = 0; row < count; row++) {
        double fresh = Math.sqrt(1 - persistence * persistence) * random.nextGaussian();
        error = persistence * error + fresh;
        losses[row] = error * error;
        weights[row] = 1;
        environments.add("e" + random.nextInt(4));
      }
      parts.add(new ServedLosses(losses, weights, environments));
    }
    return parts;
  }

  private record Drawn(Rows rows, ServedLosses losses) {
    static Drawn of(Kind kind, int count, SplittableRandom random) {
      Rows.Builder rows = Rows.builder(FEATURES.size());
      double[] losses = new double[count];
      double[] weights = new double[count];
      List<String> environments = new ArrayList<>();
      for (int row = 0; row < count; row++) {
        double warmer = kind == Kind.COVARIATE ? 6 : 0;
        double temperature = 15 + warmer + 6 * random.nextGaussian();
        int city = random.nextInt(4);
        int environment = random.nextInt(4);
        double off =
            switch (kind) {
              case QUIET, COVARIATE -> 0;
              case CONCEPT -> 1;
              case SUBGROUP -> temperature >= 18 && city == 1 ? 2.5 : 0;
              case ENVIRONMENT -> environment == 2 ? 1.5 : 0;
            };
        double spread = 0.4 + 0.05 * Math.max(0, temperature - 10);
        double error = off + spread * random.nextGaussian();
        losses[row] = error * error;
        weights[row] = 1;
        environments.add("e" + environment);
        double[] values = {
          random.nextInt(50) == 0 ? Double.NaN : temperature,
          city,
          random.nextGaussian(),
          random.nextDouble(),
          random.nextInt(10)
        };
        rows.add(values, temperature + error, 1, environments.getLast());
      }
      return new Drawn(rows.build(), new ServedLosses(losses, weights, environments));
    }
  }

  /** What the trainer would say; null where it says nothing. */
  @org.jspecify.annotations.Nullable
  LossReason reason(double error, long seed) {
    String risen = RiseTest.risen(lossesBefore, lossesNow, error, seed);
    return risen == null
        ? null
        : RiseAnalysis.of(FEATURES, before, lossesBefore, now, lossesNow, risen, seed);
  }
}
