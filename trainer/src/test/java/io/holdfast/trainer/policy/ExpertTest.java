package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpertTest {
  private static ModelSettings settings(String objective, int maxTrees) {
    return ModelSettings.of(
        "m",
        Map.of(
            "objective",
            objective,
            "label",
            "y",
            "update.policy",
            "auto",
            "update.maxTrees",
            Integer.toString(maxTrees)),
        key -> key);
  }

  private static int trees(String objective, int maxTrees) {
    return Expert.ALL.stream()
        .mapToInt(expert -> expert.settings(settings(objective, maxTrees), 1).rounds())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "poisson", "logistic"})
  void ensembles_ofAllMemories_fitTheBudgetOfTrees(String objective) {
    assertThat(trees(objective, 40)).isBetween(36, 40);
    assertThat(trees(objective, 500)).isLessThanOrEqualTo(500).isEqualTo(trees(objective, 300));
  }

  @Test
  void numbers_areLearnedInMoreAndSmallerStepsThanClasses() {
    for (Expert expert : Expert.ALL) {
      if (!expert.linear()) {
        BoosterSettings numbers = expert.settings(settings("squared", 500), 1);
        BoosterSettings classes = expert.settings(settings("logistic", 500), 1);
        assertThat(numbers.rounds()).isGreaterThan(classes.rounds());
        assertThat(numbers.learningRate()).isLessThan(classes.learningRate());
      }
    }
  }

  @Test
  void ensemble_ofTheShortestMemory_isTrainedAThirdAsOftenOnLateLabels() {
    Expert shortest = Expert.ALL.getFirst();
    assertThat(shortest.time(1, false, 0)).isEqualTo(50);
    assertThat(shortest.time(1, false, 200)).isEqualTo(50);
    assertThat(shortest.time(1, false, 800)).isEqualTo(120);
    assertThat(shortest.time(1, false, 50_000)).isEqualTo(150);
    assertThat(shortest.time(4, false, 50_000)).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 1_000, 100_000})
  void noEnsemble_howeverLateLabelsAre_waitsForLongerThanItsMemory(int lag) {
    for (Expert expert : Expert.ALL) {
      assertThat(expert.time(Pace.SLOWEST, true, lag)).isLessThanOrEqualTo(expert.memory());
    }
  }
}
