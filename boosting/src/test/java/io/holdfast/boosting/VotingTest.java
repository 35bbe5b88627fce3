package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.EarlyStopping.Criterion.Mean;
import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AdaBoost through the door of gradient boosting: the same settings, model and scorer. */
class VotingTest {
  private static final int ROUNDS = 15;

  private static BoosterSettings.Builder settings(Objective objective, AdaBoost votes) {
    return BoosterSettings.builder(objective)
        .rounds(ROUNDS)
        .trees(TreeLimits.DEFAULT.withMaxDepth(1).withMinRows(1))
        .seed(7)
        .adaBoost(votes);
  }

  private static Rows rows(int classes, long seed, int size) {
    return SampleRows.of(objective(classes), seed, size, 3);
  }

  private static Objective objective(int classes) {
    return classes == 2 ? new Exponential() : new Softmax(classes);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void fit_isTheModelOfAdaBooster_bitForBit(int classes) {
    Rows rows = rows(classes, 1, 400);
    for (boolean resample : new boolean[] {false, true}) {
      var booster =
          new Booster(settings(objective(classes), new AdaBoost(Criterion.GINI, resample)).build());
      Fit fit = booster.fit(SampleRows.FEATURES, rows);
      var alone = new AdaBoostSettings(ROUNDS, 1, Criterion.GINI, resample, 7, 1, 255);
      Model expected = new AdaBooster(alone).fit(classes, SampleRows.FEATURES, rows).model();
      assertThat(Scorer.of(fit.model()).scores(rows))
          .containsExactly(Scorer.of(expected).scores(rows));
      assertThat(fit.model().trees()).isEqualTo(expected.trees()).isPositive();
    }
  }

  @Test
  void losses_areThoseOfTheModelByRound() {
    Rows rows = rows(2, 2, 300);
    Fit fit =
        new Booster(settings(new Exponential(), AdaBoost.DEFAULT).build())
            .fit(SampleRows.FEATURES, rows);
    double last =
        Evaluation.of(fit.model().objective(), rows, Scorer.of(fit.model()).scores(rows)).loss();
    double weight = 0;
    for (int row = 0; row < rows.size(); row++) {
      weight += rows.weight(row);
    }
    assertThat(fit.losses().getLast().total()).isCloseTo(last * weight, within(1e-9 * weight));
    assertThat(fit.losses()).hasSize(fit.model().trees() + 1);
  }

  @Test
  void rowsHeldOut_cutTheModelBackToItsBestRound() {
    Rows rows = rows(3, 3, 60);
    var stopping = new EarlyStopping(rows(3, 4, 200), new Mean(), 3);
    var deep =
        settings(new Softmax(3), AdaBoost.DEFAULT)
            .trees(TreeLimits.DEFAULT.withMaxDepth(6).withMinRows(1))
            .rounds(60)
            .build();
    Fit fit = new Booster(deep).fit(SampleRows.FEATURES, rows, stopping, FitListener.NONE);
    double best = fit.validationLosses().get(fit.bestRound());
    assertThat(fit.validationLosses())
        .allSatisfy(loss -> assertThat(loss).isGreaterThanOrEqualTo(best));
    assertThat(fit.model().trees()).isEqualTo(fit.bestRound());
    assertThat(fit.validationLosses().size() - 1 - fit.bestRound()).isBetween(0, 3);
  }

  @Test
  void whatHasNoMeaningWithVotes_isRefusedInASentence() {
    assertThatThrownBy(() -> settings(new Squared(), AdaBoost.DEFAULT).build())
        .hasMessage(
            "AdaBoost needs the objective exponential for two classes, softmax for more: squared");
    assertThatThrownBy(() -> settings(new Exponential(), AdaBoost.DEFAULT).gamma(2).build())
        .hasMessageContaining("AdaBoost needs gamma 1");
    assertThatThrownBy(
            () ->
                settings(new Exponential(), AdaBoost.DEFAULT)
                    .linearBase(new LinearBase(1, 0))
                    .build())
        .hasMessageContaining("need gradient boosting");
    assertThatThrownBy(
            () ->
                settings(new Exponential(), new AdaBoost(Criterion.ERROR, false))
                    .trees(TreeLimits.DEFAULT.withMaxDepth(2))
                    .build())
        .hasMessageContaining("maxDepth must be at most 16 with AdaBoost");
    var booster = new Booster(settings(new Exponential(), AdaBoost.DEFAULT).build());
    Rows rows = rows(2, 1, 50);
    Model model = booster.fit(SampleRows.FEATURES, rows).model();
    assertThatThrownBy(() -> booster.refit(model, rows, 0.5))
        .hasMessageContaining("a refit needs gradient boosting");
  }
}
