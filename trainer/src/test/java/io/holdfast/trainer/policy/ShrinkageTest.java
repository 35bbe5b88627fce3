package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Figures;
import io.holdfast.trainer.window.Served;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ShrinkageTest {
  private static final Digest HASH = Digest.of("version".getBytes(StandardCharsets.UTF_8));
  private static final double CONSTANT = -0.85; // three of ten labels are 1

  private final Objective objective = Objective.named("logistic");
  private final SplittableRandom random = new SplittableRandom(7);
  private final Shrinkage shrinkage = new Shrinkage(1, "auto.shrink.");
  private long version;

  /** Rows served by the version before, whose experts are right so often and say {@code sure}. */
  private void feed(int rows, double right, double sure) {
    for (int row = 0; row < rows; row++) {
      double label = random.nextDouble() < 0.3 ? 1 : 0;
      double said = (random.nextDouble() < right) == (label == 1) ? sure : -sure;
      double served = shrinkage.constant(0) + shrinkage.share() * said;
      Served[] answers = {new Served(new double[] {served}, version, HASH)};
      shrinkage.judge(objective, new double[] {label}, answers, 1, 0);
      shrinkage.constant(new double[] {CONSTANT});
      shrinkage.choose(++version);
    }
  }

  @Test
  void experts_thatAreRight_serve() {
    feed(2_000, 0.8, 1.4);
    assertThat(shrinkage.share()).isEqualTo(1);
    assertThat(shrinkage.constant(0)).isZero();
  }

  @Test
  void experts_thatAreRightAndTooSure_serve() {
    feed(2_000, 0.9, 8);
    assertThat(shrinkage.share()).isEqualTo(1);
  }

  @Test
  void experts_thatKnowNothing_leaveItToTheConstant() {
    feed(2_000, 0.5, 2);
    assertThat(shrinkage.share()).isLessThan(0.2);
    assertThat(shrinkage.constant(0)).isCloseTo((1 - shrinkage.share()) * CONSTANT, within(1e-12));
  }

  @Test
  void experts_thatLearnAgain_serveAgain() {
    feed(2_000, 0.5, 2);
    feed(3_000, 0.9, 2);
    assertThat(shrinkage.share()).isEqualTo(1);
  }

  @Test
  void rows_servedBeforeAnythingWasLearned_areNotJudged() {
    Served[] answers = {new Served(new double[] {0}, 0, HASH)};
    shrinkage.choose(5);
    shrinkage.constant(new double[] {CONSTANT});
    for (int row = 0; row < 1_000; row++) {
      shrinkage.judge(objective, new double[] {0}, answers, 1, 0);
    }
    shrinkage.choose(6);
    assertThat(shrinkage.share()).isEqualTo(1);
  }

  @Test
  void shrinkage_readFromWhatItWrote_goesOnAlike() {
    feed(2_000, 0.5, 2);
    Figures.Builder written = new Figures.Builder();
    shrinkage.write(written);
    Figures metrics = written.build();
    Shrinkage read = new Shrinkage(1, "auto.shrink.");
    read.read(metrics);
    read.write(written);
    assertThat(written.build()).isEqualTo(metrics);
    assertThat(read.share()).isEqualTo(shrinkage.share());
  }
}
