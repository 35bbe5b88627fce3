package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.version.Figures;
import org.junit.jupiter.api.Test;

class RetrainIntervalTest {
  private static final int EVERY = 50;

  private final RetrainInterval interval = new RetrainInterval("auto.0.");

  /** Trains {@code times} times; old rows lose {@code ageing} more than young ones. */
  private void train(int times, double ageing, double weight) {
    for (int time = 0; time < times; time++) {
      int rows = interval.turns() * EVERY;
      for (int age = 0; age < rows; age++) {
        interval.lost(2 * age < rows ? 0.5 : 0.5 + ageing, age, EVERY);
      }
      interval.trained(weight);
    }
  }

  @Test
  void turns_whileAgeCostsNothing_doubleUpToTheSlowest() {
    train(1, 0, 1);
    assertThat(interval.turns()).isEqualTo(2);
    train(5, 0, 1);
    assertThat(interval.turns()).isEqualTo(4);
  }

  @Test
  void turns_whileAgeCosts_stayAtOne() {
    train(5, 0.1, 0.5);
    assertThat(interval.turns()).isEqualTo(1);
  }

  @Test
  void turns_ofAnEnsembleThatCountsForNothing_double() {
    train(5, 0.1, 0.001);
    assertThat(interval.turns()).isEqualTo(4);
  }

  @Test
  void turns_afterARise_areOne() {
    train(5, 0, 1);
    interval.hurry();
    assertThat(interval.turns()).isEqualTo(1);
    interval.trained(1); // nothing is known yet
    assertThat(interval.turns()).isEqualTo(1);
  }

  @Test
  void pace_readFromWhatItWrote_goesOnAlike() {
    train(3, 0.01, 0.4);
    Figures.Builder written = new Figures.Builder();
    interval.exchange(StateFields.writing(written));
    Figures metrics = written.build();
    RetrainInterval read = new RetrainInterval("auto.0.");
    read.exchange(StateFields.reading(metrics));
    read.exchange(StateFields.writing(written));
    assertThat(written.build()).isEqualTo(metrics);
  }

  @Test
  void ensembles_atTheirSlowest_areTrainedBeforeTheirMemoryHasPassed() {
    assertThat(Expert.ALL)
        .allSatisfy(
            expert ->
                assertThat(RetrainInterval.SLOWEST * expert.every())
                    .isLessThanOrEqualTo(expert.memory()));
  }
}
