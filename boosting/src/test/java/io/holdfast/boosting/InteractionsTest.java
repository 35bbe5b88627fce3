package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Features of two groups do not interact: the raw score is a sum of one function a group. */
class InteractionsTest {
  private static final List<Integer> GROUPS = List.of(0, 1, 0, 1); // size and noise, level and kind

  static Stream<BoosterSettings.Builder> settings() {
    Sampling some = new Sampling(0.7, 0.75);
    return Stream.of(
            BoosterSettings.builder(new Squared()),
            BoosterSettings.builder(new Squared()).sampling(some),
            BoosterSettings.builder(new Squared()).monotone("level", 1).gamma(4),
            BoosterSettings.builder(new Squared())
                .anchoring(new Anchoring(4, new AnchorDesign.Environments(), true)),
            BoosterSettings.builder(new Logistic()).gamma(4),
            BoosterSettings.builder(new Poisson()).sampling(some),
            BoosterSettings.builder(new Softmax(3)),
            BoosterSettings.builder(new Softmax(3))
                .multiclass(BoosterSettings.MulticlassTrees.PER_CLASS))
        .map(
            one ->
                one.rounds(25)
                    .trees(new TreeLimits(24, 8, 3, 0, 0))
                    .interactions("size", "a")
                    .interactions("noise", "a"));
  }

  private static Model fit(BoosterSettings settings, long seed) {
    Rows rows = SampleRows.of(settings.objective(), seed, 600, 3);
    return new Booster(settings).fit(SampleRows.FEATURES, rows).model();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void score_isASumOfTheGroups(BoosterSettings.Builder builder) {
    Objective objective = builder.build().objective();
    int outputs = objective.outputs();
    for (long seed = 0; seed < 4; seed++) {
      Scorer scorer = Scorer.of(fit(builder.seed(seed).build(), seed));
      var random = new SplittableRandom(seed);
      for (int k = 0; k < 200; k++) {
        double[] one = SampleRows.values(random);
        double[] other = SampleRows.values(random);
        double[] oneAndOther = mixed(one, other);
        double[] otherAndOne = mixed(other, one);
        double[][] raw = new double[4][outputs];
        scorer.score(one, raw[0]);
        scorer.score(other, raw[1]);
        scorer.score(oneAndOther, raw[2]);
        scorer.score(otherAndOne, raw[3]);
        for (int output = 0; output < outputs; output++) {
          assertThat(raw[2][output] + raw[3][output])
              .isCloseTo(raw[0][output] + raw[1][output], within(1e-9));
        }
      }
    }
  }

  /** Values of one group from one row, and those of the other from another. */
  private static double[] mixed(double[] first, double[] second) {
    double[] mixed = new double[first.length];
    for (int column = 0; column < mixed.length; column++) {
      mixed[column] = GROUPS.get(column) == 0 ? first[column] : second[column];
    }
    return mixed;
  }

  @Test
  void trees_areOfOneGroupEach_andBothAreUsed() {
    Set<Integer> used = new HashSet<>();
    int several = 0;
    Model model = fit(settings().findFirst().orElseThrow().build(), 1);
    for (Tree tree : model.segments().getFirst().trees()) {
      Set<Integer> features = new HashSet<>();
      for (int node = 0; node < tree.innerNodes(); node++) {
        features.add(tree.feature(node));
      }
      Set<Integer> groups = new HashSet<>();
      features.forEach(feature -> groups.add(GROUPS.get(feature)));
      assertThat(groups).hasSize(1);
      several += features.size() > 1 ? 1 : 0;
      used.addAll(features);
    }
    assertThat(used).hasSize(4);
    assertThat(several).isPositive(); // within a group they do interact
  }

  @Test
  void oneGroupOfAll_isNoConstraint_andThreadsChangeNothing() {
    BoosterSettings.Builder free = BoosterSettings.builder(new Squared()).rounds(20);
    Model without = fit(free.build(), 3);
    BoosterSettings.Builder all = free.build().toBuilder();
    SampleRows.FEATURES.forEach(feature -> all.interactions(feature.name(), "all"));
    assertThat(fit(all.build(), 3)).isEqualTo(without);
    BoosterSettings apart = free.interactions("size", "a").build();
    assertThat(fit(apart, 3)).isNotEqualTo(without);
    assertThat(fit(apart.toBuilder().threads(3).build(), 3)).isEqualTo(fit(apart, 3));
  }

  @Test
  void featureThatIsNotThere_isAClearError() {
    BoosterSettings settings =
        BoosterSettings.builder(new Squared()).interactions("colour", "a").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fit(settings, 1))
        .withMessage("a feature of a group must be one of the features: colour");
  }
}
