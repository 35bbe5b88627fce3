package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EarlyStoppingTest {
  private static final EarlyStopping.Criterion WORST = new EarlyStopping.Criterion.Worst();

  static Stream<Arguments> criteria() {
    return Stream.of(
        Arguments.of(new EarlyStopping.Criterion.Mean(), 4.0),
        Arguments.of(WORST, 9.0),
        Arguments.of(new EarlyStopping.Criterion.Quantile(0), 1.0),
        Arguments.of(new EarlyStopping.Criterion.Quantile(0.5), 2.0),
        Arguments.of(new EarlyStopping.Criterion.Quantile(0.75), 5.5),
        Arguments.of(new EarlyStopping.Criterion.Quantile(1), 9.0));
  }

  @ParameterizedTest
  @MethodSource("criteria")
  void criterion_isOneFigureOfTheEnvironmentsLosses(
      EarlyStopping.Criterion criterion, double expected) {
    assertThat(criterion.of(9, 1, 2)).isCloseTo(expected, within(1e-12)).isNotNaN();
  }

  @Test
  void environmentWhoseLossIsNone_isTheWorst() {
    assertThat(WORST.of(1, Double.NaN)).isNaN();
    assertThat(new EarlyStopping.Criterion.Quantile(0.5).of(2)).isEqualTo(2);
  }

  static Stream<Objective> objectives() {
    return Stream.of(new Squared(), new Logistic());
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void training_stopsAfterPatience_andTheModelIsCutBackToItsBestRound(Objective objective) {
    Rows train = SampleRows.of(objective, 1, 120, 3);
    Rows held = SampleRows.of(objective, 2, 80, 3);
    BoosterSettings settings = overfitting(objective);
    List<Double> heard = new ArrayList<>();
    FitListener listener =
        new FitListener() {
          @Override
          public void afterRound(int round, AnchorLoss anchorLoss) {}

          @Override
          public void afterValidation(
              int round, double validationLoss, double[] environmentLosses) {
            assertThat(round).isEqualTo(heard.size());
            heard.add(validationLoss);
          }
        };
    Fit fit =
        new Booster(settings)
            .fit(SampleRows.FEATURES, train, new EarlyStopping(held, WORST, 5), listener);

    int best = fit.bestRound();
    assertThat(fit.validationLosses()).isEqualTo(heard).hasSize(best + 5 + 1);
    assertThat(best).isLessThan(settings.rounds() - 5);
    double least = fit.validationLosses().stream().mapToDouble(loss -> loss).min().orElseThrow();
    assertThat(fit.validationLosses().indexOf(least)).isEqualTo(best);
    assertThat(fit.model().trees()).isEqualTo(best);
    double[] scores = Scorer.of(fit.model()).scores(held);
    double worst =
        Evaluation.byEnvironment(fit.model().objective(), held, scores).stream()
            .mapToDouble(Evaluation::loss)
            .max()
            .orElseThrow();
    assertThat(worst).isEqualTo(least);
  }

  @Test
  void rowsHeldOut_changeNoTree() {
    Rows train = SampleRows.of(new Squared(), 1, 120, 3);
    Fit stopped =
        new Booster(overfitting(new Squared()))
            .fit(
                SampleRows.FEATURES,
                train,
                new EarlyStopping(SampleRows.of(new Squared(), 2, 80, 3), WORST, 5),
                FitListener.NONE);
    Fit plain = new Booster(overfitting(new Squared())).fit(SampleRows.FEATURES, train);
    assertThat(plain.bestRound()).isEqualTo(200);
    assertThat(plain.validationLosses()).isEmpty();
    assertThat(plain.model().segments().getFirst().trees().subList(0, stopped.bestRound()))
        .isEqualTo(
            stopped.bestRound() == 0 ? List.of() : stopped.model().segments().getFirst().trees());
  }

  @Test
  void badValidationLabel_isNamed() {
    Rows train = SampleRows.of(new Logistic(), 1, 50, 3);
    Rows held = Rows.builder(4).add(new double[4], 1, "a").add(new double[4], 2, "a").build();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Booster(overfitting(new Logistic()))
                    .fit(
                        SampleRows.FEATURES,
                        train,
                        new EarlyStopping(held, WORST, 1),
                        FitListener.NONE))
        .withMessage("labels must be 0 or 1 for logistic: validation row 1 has 2.0");
  }

  @Test
  void interruptedThread_stopsAfterTheRoundAtHand() {
    Rows train = SampleRows.of(new Squared(), 1, 120, 3);
    List<Integer> rounds = new ArrayList<>();
    FitListener interrupter =
        (round, loss) -> {
          rounds.add(round);
          if (round == 3) {
            Thread.currentThread().interrupt();
          }
        };
    Booster booster = new Booster(overfitting(new Squared()));
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(
            () ->
                booster.extend(
                    Booster.untrained(overfitting(new Squared()), SampleRows.FEATURES),
                    SampleRows.FEATURES,
                    train,
                    interrupter))
        .withMessage("training was interrupted after round 3");
    assertThat(Thread.interrupted()).as("the interrupt is still there").isTrue();
    assertThat(rounds).containsExactly(0, 1, 2, 3);
  }

  private static BoosterSettings overfitting(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(200)
        .learningRate(0.5)
        .trees(new TreeLimits(16, 8, 1, 0, 0))
        .build();
  }
}
