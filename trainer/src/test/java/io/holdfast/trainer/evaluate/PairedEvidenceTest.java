package io.holdfast.trainer.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EProcess;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairedEvidenceTest {
  private static final PairedEvidence NONE = PairedEvidence.none(7, 3);

  @Test
  void smallWindows_areBetOnTogether_andLargeOnesAlone() {
    PairedEvidence begun = window(NONE, 49, 0.5);
    assertThat(begun.units()).isZero();
    assertThat(begun.open().rows()).isEqualTo(49);

    PairedEvidence first = window(begun, 1, 0.5);
    assertThat(first.units()).isEqualTo(1);
    assertThat(first.open().rows()).isZero();
    assertThat(first.bets()).as("the first unit says how large gains are").isEqualTo(EProcess.NONE);

    PairedEvidence second = window(first, 1_000, 0.5);
    assertThat(second.units()).isEqualTo(2);
    assertThat(second.bets()).as("half of what counts").isEqualTo(EProcess.NONE.next(0.5));
    assertThat(second.all().rows()).isEqualTo(1_050);
    assertThat(second.gain()).isEqualTo(0.5);
  }

  @Test
  void gainsInAnotherUnit_areTheSameEvidence() {
    PairedEvidence small = NONE;
    PairedEvidence large = NONE;
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200; i++) {
      double gain = random.nextGaussian() + 0.1;
      small = window(small, 60, gain);
      large = window(large, 60, gain * 1024);
    }
    assertThat(large.bets()).isEqualTo(small.bets());
  }

  @Test
  void weights_countAsSoManyRows() {
    Rows.Builder rows = Rows.builder(1);
    rows.add(new double[] {0}, 0, 3, "e");
    rows.add(new double[] {0}, 0, 1, "e");

    PairedEvidence weighed = NONE.plus(rows.build(), new double[] {1, 2}, new double[] {2, 6});

    assertThat(weighed.gain()).isEqualTo((3 * 1 + 4) / 4.0);
  }

  /** Rows of a window are all alike, as in a storm, and windows have nothing to do with another. */
  @Test
  void windowsOfDependentRows_keepTheRateOfErrors() {
    int wrong = 0;
    int runs = 1_000;
    Rows fifty = rows(50);
    double[] none = new double[50];
    double[] gains = new double[50];
    for (int run = 0; run < runs; run++) {
      SplittableRandom random = new SplittableRandom(run);
      PairedEvidence evidence = NONE;
      for (int look = 0; look < 500 && !evidence.shows(0.05); look++) {
        Arrays.fill(gains, random.nextGaussian() * (1 + look % 3));
        evidence = evidence.plus(fifty, none, gains);
      }
      wrong += evidence.shows(0.05) ? 1 : 0;
    }
    assertThat(wrong / (double) runs).isLessThan(0.05 + 3 * Math.sqrt(0.05 * 0.95 / runs));
  }

  @Test
  void manySmallGains_donotShowAMeanThatIsALoss() {
    PairedEvidence evidence = window(NONE, 50, -1_000);
    for (int i = 0; i < 1_500; i++) {
      evidence = window(evidence, 50, 0.5);
    }
    assertThat(evidence.gain()).isNegative();
    assertThat(evidence.shows(0.99)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1e300})
  void gainThatIsNoNumber_isNeverBelieved(double gain) {
    PairedEvidence evidence = window(window(NONE, 50, 0.5), 50, gain);
    for (int i = 0; i < 5; i++) {
      evidence = window(evidence, 50, 0.5);
    }
    assertThat(evidence.bets().value()).isBetween(0.0, 1e300);
    assertThat(evidence.shows(0.01)).isFalse();
    assertThat(PairedEvidence.parse(evidence.toString())).contains(evidence);
  }

  @Test
  void text_isReadAsItIsWritten_toTheLastBit() {
    SplittableRandom random = new SplittableRandom(2);
    PairedEvidence evidence = NONE;
    for (int i = 0; i < 500; i++) {
      evidence = window(evidence, 1 + random.nextInt(70), random.nextGaussian() / 3);
      assertThat(PairedEvidence.parse(evidence.toString())).contains(evidence);
      assertThat(evidence.toString()).doesNotContainAnyWhitespaces().hasSizeLessThan(400);
    }
    assertThat(PairedEvidence.parse(evidence.served(9).toString())).contains(evidence.served(9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1:2:3",
        "1:2:3:4.0:5:6.0:7.0:8:9.0:10.0:1:1:1",
        "1:2:3:4.0:5:6.0:7.0:8:9.0:10.0:1:1:1:x",
        "1:2:3:4.0:5:6.0:7.0:8:9.0:10.0:1:1:1:-1"
      })
  void text_ofAnotherWriter_isNone(String text) {
    assertThat(PairedEvidence.parse(text)).isEmpty();
  }

  private static PairedEvidence window(PairedEvidence before, int rows, double gain) {
    double[] present = new double[rows];
    Arrays.fill(present, gain);
    return before.plus(rows(rows), new double[rows], present);
  }

  private static Rows rows(int count) {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < count; row++) {
      rows.add(new double[] {0}, 0, 1, "e");
    }
    return rows.build();
  }
}
