package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.version.Figures;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int EVERY = 50;

  private final Pace pace = new Pace("auto.0.");

  /** Trains {@code times} times; old rows lose {@code ageing} more than young ones. */
  private void train(int times, double ageing, double weight) {
    for (int time = 0; time < times; time++) {
      int rows = pace.turns() * EVERY;
      for (int age = 0; age < rows; age++) {
        pace.lost(2 * age < rows ? 0.5 : 0.5 + ageing, age, EVERY);
      }
      pace.trained(weight);
    }
  }

  @Test
  void turns_whileAgeCostsNothing_doubleUpToTheSlowest() {
    train(1, 0, 1);
    assertThat(pace.turns()).isEqualTo(2);
    train(5, 0, 1);
    assertThat(pace.turns()).isEqualTo(4);
  }

  @Test
  void turns_whileAgeCosts_stayAtOne() {
    train(5, 0.1, 0.5);
    assertThat(pace.turns()).isEqualTo(1);
  }

  @Test
  void turns_ofAnEnsembleThatCountsForNothing_double() {
    train(5, 0.1, 0.001);
    assertThat(pace.turns()).isEqualTo(4);
  }

  @Test
  void turns_afterARise_areOne() {
    train(5, 0, 1);
    pace.hurry();
    assertThat(pace.turns()).isEqualTo(1);
    pace.trained(1); // nothing is known yet
    assertThat(pace.turns()).isEqualTo(1);
  }

  @Test
  void pace_readFromWhatItWrote_goesOnAlike() {
    train(3, 0.01, 0.4);
    Figures.Builder written = new Figures.Builder();
    pace.write(written);
    Figures metrics = written.build();
    Pace read = new Pace("auto.0.");
    read.read(metrics);
    read.write(written);
    assertThat(written.build()).isEqualTo(metrics);
  }

  @Test
  void ensembles_atTheirSlowest_areTrainedBeforeTheirMemoryHasPassed() {
    assertThat(Expert.ALL)
        .allSatisfy(
            expert ->
                assertThat(Pace.SLOWEST * expert.every()).isLessThanOrEqualTo(expert.memory()));
  }
}
