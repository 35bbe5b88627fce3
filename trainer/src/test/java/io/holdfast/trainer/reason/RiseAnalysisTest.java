package io.holdfast.trainer.reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.reason.PlantedShift.Kind;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RiseAnalysisTest {
  @Test
  void intervals_holdTheTruth() {
    int rises = 0;
    int labels = 0;
    for (int seed = 0; seed < 40; seed++) {
      PlantedShift shift = PlantedShift.of(Kind.CONCEPT, 1_000, 500, 700L + seed);
      LossReason reason =
          RiseAnalysis.of(
              PlantedShift.FEATURES,
              shift.before(),
              shift.lossesBefore(),
              shift.now(),
              shift.lossesNow(),
              "",
              seed);
      rises += holds(reason.rise(), 1) ? 1 : 0; // labels moved by 1, so squares rose by 1
      labels += reason.parts() != null && holds(reason.parts().labels(), 1) ? 1 : 0;
    }
    assertThat(rises).isBetween(34, 40); // 38 expected; fewer than 34 in 1 of 100
    assertThat(labels).isBetween(33, 40);
  }

  private static boolean holds(Estimate estimate, double truth) {
    return estimate.low() <= truth && truth <= estimate.high();
  }

  @Test
  void samplesThatDoNotOverlap_areNotTakenApart() {
    SplittableRandom random = new SplittableRandom(5);
    Rows before = rows(random, 400, 0);
    Rows now = rows(random, 400, 10);
    LossReason reason =
        RiseAnalysis.of(
            List.of(PlantedShift.FEATURES.getFirst()),
            before,
            losses(before),
            now,
            losses(now),
            "",
            1);
    assertThat(reason.parts()).isNull();
    assertThat(reason.change()).isEqualTo(LossReason.Change.UNKNOWN);
    assertThat(reason.rise().value()).isCloseTo(10, within(0.2));
  }

  private static Rows rows(SplittableRandom random, int count, double from) {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < count; row++) {
      double x = from + random.nextDouble();
      rows.add(new double[] {x}, x);
    }
    return rows.build();
  }

  /** Of scores of 0, by absolute error. */
  private static ServedLosses losses(Rows rows) {
    double[] losses = new double[rows.size()];
    double[] weights = new double[rows.size()];
    for (int row = 0; row < losses.length; row++) {
      losses[row] = rows.label(row);
      weights[row] = 1;
    }
    return new ServedLosses(losses, weights, Collections.nCopies(losses.length, ""));
  }
}
