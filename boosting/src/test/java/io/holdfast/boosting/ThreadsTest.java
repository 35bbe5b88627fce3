package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows so large that threads share out passes over rows as well as columns. */
class ThreadsTest {
  private static final int SIZE = 40_000;
  private static final int WIDTH = 9;
  private static final int ENVIRONMENTS = 5;
  private static final List<Feature> FEATURES =
      IntStream.range(0, WIDTH)
          .<Feature>mapToObj(column -> new Feature.Numeric("x" + column))
          .toList();

  @ParameterizedTest
  @CsvSource({
    "squared, 1, false, 1, false",
    "squared, 7, true, 1, false",
    "squared, 7, true, 0.6, true",
    "logistic, 1, false, 0.6, true",
    "logistic, 7, true, 1, false",
    "probit, 3, false, 1, true"
  })
  void extend_moreThreads_sameModelAndLossesToTheBit(
      String name, double gamma, boolean splits, double share, boolean weighted) {
    Objective objective = Objective.named(name);
    Rows rows = rows(objective, weighted, 1);
    Rows more = rows(objective, weighted, 2);
    BoosterSettings settings =
        BoosterSettings.builder(objective)
            .anchoring(Anchoring.environments(gamma).withSplits(splits))
            .rounds(3)
            .trees(new TreeLimits(15, 8, 20, 1e-3, 0))
            .sampling(new Sampling(share, 1))
            .build();
    Fit alone = train(settings, rows, more, 1);
    for (int threads = 2; threads <= 3; threads++) {
      Fit shared = train(settings, rows, more, threads);
      assertThat(shared.model()).isEqualTo(alone.model());
      assertThat(shared.losses()).isEqualTo(alone.losses());
    }
  }

  private static Fit train(BoosterSettings settings, Rows rows, Rows more, int threads) {
    Booster booster = new Booster(settings.toBuilder().threads(threads).build());
    Model model = booster.fit(FEATURES, rows).model();
    return booster.extend(model, FEATURES, more, FitListener.NONE);
  }

  private static Rows rows(Objective objective, boolean weighted, long seed) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(WIDTH).expecting(SIZE);
    double[] values = new double[WIDTH];
    for (int row = 0; row < SIZE; row++) {
      int environment = random.nextInt(ENVIRONMENTS);
      for (int column = 0; column < WIDTH; column++) {
        double drift = column % 3 == 0 ? 0.4 * environment : 0;
        values[column] = random.nextDouble() < 0.05 ? Double.NaN : random.nextGaussian() + drift;
      }
      double signal = random.nextGaussian() + 0.3 * environment;
      signal += Double.isNaN(values[0]) ? 1 : Math.abs(values[0]);
      double label = SampleRows.labelFor(objective, signal - 1);
      double weight = weighted ? 0.5 + random.nextDouble() : 1;
      rows.add(values.clone(), label, weight, "environment " + environment);
    }
    return rows.build();
  }
}
