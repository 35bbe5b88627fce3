package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource({
    "base, linear, base",
    "linear.strength, auto, base",
    "trees.rounds, 50, trees.rounds",
    "trees.learningRate, 0.05, trees.learningRate",
  })
  void settingsThatAutoHasItsOwnOf_areSaidToBeWithoutEffect(String key, String value, String said) {
    Map<String, String> keys = new HashMap<>(Map.of("objective", "squared", "label", "y"));
    keys.put("base", "linear");
    keys.put(key, value);
    assertThat(AutoPolicy.withoutEffect(ModelSettings.of("m", keys, name -> name)))
        .hasValueSatisfying(sentence -> assertThat(sentence).contains(said));
    keys.put("update.policy", "replace");
    assertThat(AutoPolicy.withoutEffect(ModelSettings.of("m", keys, name -> name))).isEmpty();
    assertThat(AutoPolicy.withoutEffect(settings("squared", 500))).isEmpty();
  }

  @Test
  void numbers_areLearnedInMoreAndSmallerStepsThanClasses() {
    for (Expert expert : Expert.ALL) {
      if (!expert.linear() && !expert.grows()) {
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
      assertThat(expert.time(RetrainInterval.SLOWEST, true, lag))
          .isLessThanOrEqualTo(expert.memory());
    }
  }

  @Test
  void lateLabels_takeWeightOffShortMemories() {
    double[] atOnce = {0.4, 0.2, 0.2, 0.1, 0.1};
    Expert.byMemory(atOnce, 0);
    assertThat(atOnce).containsExactly(new double[] {0.4, 0.2, 0.2, 0.1, 0.1}, within(1e-12));

    double[] late = {0.2, 0.2, 0.2, 0.2, 0.2}; // memories of 512, 2,000, 8,000 and 2,000 rows
    Expert.byMemory(late, 1_000);
    assertThat(late[1]).isEqualTo(late[3]).isGreaterThan(2 * late[0]);
    assertThat(late[2]).isGreaterThan(1.5 * late[1]);
    assertThat(late[4]).as("the one that grows").isGreaterThan(late[2]);
    assertThat(late[0] + late[1] + late[2] + late[3] + late[4]).isCloseTo(1, within(1e-12));

    double[] none = new double[5];
    Expert.byMemory(none, 1_000);
    assertThat(none).containsOnly(0);
  }

  @Test
  void longMemory_forgetsWhatCameBeforeAChange_andIsTrainedAsRowsOfTheNewWorldGrow() {
    Expert longest = Expert.ALL.get(Expert.LONGEST);
    long trained = 9_600;
    List<Long> turns = new ArrayList<>();
    for (long rows = 10_001; rows <= 12_000; rows++) {
      if (longest.due(rows, rows - 1, trained, 1_600, 10_000)) {
        assertThat(longest.begins(rows, trained, 10_000)).isEqualTo(turns.isEmpty());
        assertThat(longest.memory(rows, 10_000)).isEqualTo((int) (rows - 10_000));
        trained = rows;
        turns.add(rows);
      }
    }
    assertThat(turns).containsExactly(10_256L, 10_384L, 10_576L, 10_864L, 11_200L, 11_800L);
    assertThat(longest.memory(50_000, 10_000)).isEqualTo(longest.memory());
  }
}
