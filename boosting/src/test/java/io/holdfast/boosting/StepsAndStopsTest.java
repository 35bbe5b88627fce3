package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.StepSize;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How far a round goes, and when rounds end by rows that are kept out. */
class StepsAndStopsTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("x"), new Feature.Numeric("z"));

  private static Rows rows(Objective objective, int size, double signal) {
    var random = new SplittableRandom(11);
    Rows.Builder rows = Rows.builder(2);
    for (int row = 0; row < size; row++) {
      double[] values = {random.nextDouble(), random.nextDouble()};
      double score = signal * (values[0] > 0.5 ? 3 : -3) * values[1] + random.nextGaussian();
      double label =
          switch (objective) {
            case Squared _ -> score;
            case Poisson _ -> Math.floor(Math.exp(Math.min(3, score)));
            case Softmax _ -> score > 1 ? 2 : score > 0 ? 1 : 0;
            default -> score > 0 ? 1 : 0;
          };
      rows.add(values, label, "e" + row % 3);
    }
    return rows.build();
  }

  private static Fit fit(BoosterSettings.Builder settings, Rows rows) {
    return new Booster(settings.build()).fit(FEATURES, rows);
  }

  static Stream<Objective> curved() {
    return Stream.of(new Logistic(), new Poisson(), new Softmax(3));
  }

  @ParameterizedTest
  @MethodSource("curved")
  void lineSearch_losesNoMoreInARoundThanTheNewtonStep(Objective objective) {
    Rows rows = rows(objective, 600, 1);
    for (double gamma : new double[] {1, 4}) {
      var settings = BoosterSettings.builder(objective).rounds(1).learningRate(1).gamma(gamma);
      double newton = fit(settings, rows).losses().getLast().total();
      double searched = fit(settings.step(StepSize.LINE_SEARCH), rows).losses().getLast().total();
      assertThat(searched).isLessThanOrEqualTo(newton * (1 + 1e-9));
    }
  }

  @Test
  void lineSearch_ofSquaredErrorWithoutPenalty_isTheNewtonStep() {
    Rows rows = rows(new Squared(), 400, 1);
    var settings = BoosterSettings.builder(new Squared()).rounds(5).penalties(Penalties.ridge(0));
    double newton = fit(settings, rows).losses().getLast().total();
    double searched = fit(settings.step(StepSize.LINE_SEARCH), rows).losses().getLast().total();
    assertThat(searched).isCloseTo(newton, within(1e-3 * newton));
  }

  @Test
  void noise_endsRoundsEarly_andSignalGoesOn() {
    var settings = BoosterSettings.builder(new Squared()).rounds(60).holdOut(new HoldOut(0.25, 5));
    Fit noise = fit(settings, rows(new Squared(), 400, 0));
    Fit signal = fit(settings, rows(new Squared(), 400, 1));
    assertThat(noise.bestRound()).isLessThan(10);
    assertThat(noise.losses()).hasSizeLessThan(20);
    assertThat(noise.model().trees()).isEqualTo(noise.bestRound());
    assertThat(signal.bestRound()).isGreaterThan(noise.bestRound());
  }

  @Test
  void heldOutRows_areNotLearnedFrom_andTheSeedDrawsThem() {
    Rows rows = rows(new Squared(), 400, 1);
    HoldOut holdOut = new HoldOut(0.25, 60);
    HoldOut.Divided divided = holdOut.divide(rows, 3);
    var settings = BoosterSettings.builder(new Squared()).rounds(20).seed(3);
    Fit apart =
        new Booster(settings.build())
            .fit(FEATURES, divided.rows(), divided.stopping(), FitListener.NONE);
    assertThat(fit(settings.holdOut(holdOut), rows).model()).isEqualTo(apart.model());
    assertThat(divided.rows().size()).isEqualTo(300);
    assertThat(fit(settings.seed(4), rows).model()).isNotEqualTo(apart.model());
  }

  /** The model learns what most environments share; in one the label goes the other way. */
  @Test
  void worstEnvironment_endsRoundsWhereItSuffers() {
    var random = new SplittableRandom(1);
    Rows.Builder rows = Rows.builder(FEATURES.size());
    for (int row = 0; row < 1_200; row++) {
      double[] values = {random.nextDouble(-1, 1), 0};
      boolean odd = row % 6 == 0;
      double label = (odd ? -1 : 1) * values[0] + 0.1 * random.nextGaussian();
      rows.add(values, label, odd ? "odd" : "e" + row % 3);
    }
    var settings = BoosterSettings.builder(new Squared()).rounds(60);
    HoldOut byWorst = new HoldOut(0.3, 5, new EarlyStopping.Criterion.Worst());
    Fit mean = fit(settings.holdOut(new HoldOut(0.3, 5)), rows.build());
    Fit worst = fit(settings.holdOut(byWorst), rows.build());
    assertThat(mean.bestRound()).isGreaterThan(5);
    assertThat(worst.bestRound()).isLessThan(2);
  }

  @Test
  void fewRows_areAllLearnedFrom() {
    Fit few =
        fit(
            BoosterSettings.builder(new Squared()).rounds(3).holdOut(new HoldOut(0.2, 1)),
            rows(new Squared(), 30, 1));
    assertThat(few.validationLosses()).isEmpty();
    assertThat(few.bestRound()).isEqualTo(3);
  }
}
