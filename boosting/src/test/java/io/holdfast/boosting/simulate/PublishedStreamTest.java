package io.holdfast.boosting.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PublishedStreamTest {
  @ParameterizedTest
  @EnumSource
  void stream_ofOneSeed_givesTheSameRowsAgain(PublishedStream published) {
    SimulatedStream once = published.stream(7);
    SimulatedStream again = published.stream(7);
    SimulatedStream other = published.stream(8);
    boolean differs = false;
    for (int row = 0; row < 200; row++) {
      SimulatedRow first = once.next();
      SimulatedRow second = again.next();
      assertThat(second.features()).isEqualTo(first.features());
      assertThat(second.label()).isEqualTo(first.label());
      differs |= !Arrays.equals(other.next().features(), first.features());
    }
    assertThat(differs).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void rows_haveKnownClassesAndCategories(PublishedStream published) {
    SimulatedStream stream = published.stream(3, 4_000);
    int[] rowsOfClass = new int[stream.classes()];
    for (int row = 0; row < 4_000; row++) {
      SimulatedRow drawn = stream.next();
      rowsOfClass[(int) drawn.label()]++;
      for (int k = 0; k < stream.features().size(); k++) {
        if (stream.features().get(k) instanceof Feature.Categorical categorical) {
          assertThat((int) drawn.feature(k)).isBetween(0, categorical.categories().size() - 1);
        }
        assertThat(drawn.feature(k)).isFinite();
      }
    }
    assertThat(Arrays.stream(rowsOfClass).min().orElseThrow()).isGreaterThan(20);
  }

  @Test
  void sea_labels_agreeWithItsThresholdButForATenth() {
    SimulatedStream stream = DriftingStream.of(new Sea(3), 5);
    assertThat(agreement(stream, row -> row.feature(0) + row.feature(1) <= 7 ? 0 : 1))
        .isEqualTo(0.9, within(0.02));
  }

  @Test
  void sea_afterAbruptDrift_followsTheNextThreshold() {
    SimulatedStream stream = PublishedStream.SEA_A.stream(5, 40_000);
    double before = agreement(stream, row -> row.feature(0) + row.feature(1) <= 8 ? 0 : 1);
    skip(stream, 10_000);
    double after = agreement(stream, row -> row.feature(0) + row.feature(1) <= 9 ? 0 : 1);
    assertThat(before).isEqualTo(0.9, within(0.02));
    assertThat(after).isEqualTo(0.9, within(0.02));
  }

  @Test
  void led_nearestDigitOfItsSevenSegments_isRightThreeTimesInFour() {
    // Breiman et al. give 26% as the error of the best rule.
    int[] digits = {119, 36, 93, 109, 46, 107, 123, 37, 127, 111};
    double right =
        agreement(
            DriftingStream.of(new Led(0), 5),
            row -> {
              int best = 0;
              int bestAgreement = -1;
              for (int digit = 0; digit < digits.length; digit++) {
                int agreement = 0;
                for (int k = 0; k < 7; k++) {
                  agreement += (digits[digit] >> k & 1) == (int) row.feature(k) ? 1 : 0;
                }
                if (agreement > bestAgreement) {
                  bestAgreement = agreement;
                  best = digit;
                }
              }
              return best;
            });
    assertThat(right).isEqualTo(0.74, within(0.02));
  }

  @Test
  void led_swappedSegments_meanNothingAnyMore() {
    SimulatedStream stream = DriftingStream.of(new Led(7), 5);
    double lit = 0;
    for (int row = 0; row < 10_000; row++) {
      lit += stream.next().feature(0);
    }
    assertThat(lit / 10_000).isEqualTo(0.5, within(0.02)); // the top segment of a digit: 0.74
  }

  @Test
  void agrawal_ruleOne_isAboutAgeAlone() {
    SimulatedStream stream = DriftingStream.of(new Agrawal(1), 5);
    double right = agreement(stream, row -> row.feature(2) < 40 || row.feature(2) >= 60 ? 0 : 1);
    assertThat(right).isBetween(0.93, 0.99); // the blur moves ages over the rule's bounds
  }

  @ParameterizedTest
  @EnumSource(
      value = PublishedStream.class,
      names = {"RBF_F", "HYPER"})
  void movingStreams_afterAWhile_areElsewhere(PublishedStream published) {
    double[] early = meanByFeatureAndClass(published.stream(5), 0);
    double[] late = meanByFeatureAndClass(published.stream(5), 20_000);
    double way = 0;
    for (int k = 0; k < early.length; k++) {
      way = Math.max(way, Math.abs(early[k] - late[k]));
    }
    assertThat(way).isGreaterThan(0.05);
  }

  @Test
  void recurrentDrift_bringsTheFirstRuleBack() {
    SimulatedStream stream = PublishedStream.AGR_R.stream(5, 40_000);
    skip(stream, 21_000); // the third quarter
    assertThat(agreement(stream, row -> row.feature(2) < 40 || row.feature(2) >= 60 ? 0 : 1))
        .isGreaterThan(0.93);
  }

  private interface Rule {
    int label(SimulatedRow row);
  }

  private static double agreement(SimulatedStream stream, Rule rule) {
    int right = 0;
    int rows = 5_000;
    for (int k = 0; k < rows; k++) {
      SimulatedRow row = stream.next();
      right += rule.label(row) == (int) row.label() ? 1 : 0;
    }
    return (double) right / rows;
  }

  private static void skip(SimulatedStream stream, int rows) {
    for (int k = 0; k < rows; k++) {
      var _ = stream.next();
    }
  }

  private static double[] meanByFeatureAndClass(SimulatedStream stream, int after) {
    skip(stream, after);
    int columns = stream.features().size();
    double[] sums = new double[columns * stream.classes()];
    int[] rows = new int[stream.classes()];
    for (int row = 0; row < 10_000; row++) {
      SimulatedRow drawn = stream.next();
      int label = (int) drawn.label();
      rows[label]++;
      for (int k = 0; k < columns; k++) {
        sums[label * columns + k] += drawn.feature(k);
      }
    }
    for (int k = 0; k < sums.length; k++) {
      sums[k] /= Math.max(1, rows[k / columns]);
    }
    return sums;
  }
}
