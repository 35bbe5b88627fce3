package io.holdfast.boosting.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.explain.Explanation.Contribution;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainerTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void contributions_anyModelAndRow_addUpToTheScore(long seed) {
    var random = new SplittableRandom(seed);
    Model model = withLinearBase(withStatistics(model(seed), seed));
    Explainer explainer = Explainer.of(model);
    Scorer scorer = Scorer.of(model);
    double[] contributions = new double[4];
    for (int row = 0; row < 200; row++) {
      double[] features = SampleRows.values(random);
      explainer.contributions(features, contributions);
      double sum = explainer.expected(0);
      double size = 1;
      for (double contribution : contributions) {
        sum += contribution;
        size += Math.abs(contribution);
      }
      assertThat(sum).isCloseTo(scorer.score(features), within(1e-13 * size));
    }
  }

  @Test
  void contributions_ofAModel_areTheSumOverItsParts() {
    Model model = withLinearBase(withStatistics(model(4), 4));
    double[] features = {0.5, 7, Double.NaN, 1};
    double[] sum = {0.25 * (0.5 - 2), 0, 0, 0.125}; // the linear base's
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        double[] covers = new double[tree.leaves()];
        for (int leaf = 0; leaf < covers.length; leaf++) {
          covers[leaf] = tree.leafCover(leaf);
        }
        double[] one = BruteForce.contributions(tree, covers, features, 0);
        for (int column = 0; column < 4; column++) {
          sum[column] += segment.decay() * one[column];
        }
      }
    }
    double[] contributions = new double[4];
    Explainer.of(model).contributions(features, contributions);
    assertThat(contributions).containsExactly(sum, within(1e-12));
  }

  static List<BoosterSettings> trained() {
    List<BoosterSettings> settings = new ArrayList<>();
    for (String name : List.of("squared", "absolute", "probit", "exponential", "poisson")) {
      settings.add(settings(Objective.named(name)).build());
    }
    for (MulticlassTrees trees : MulticlassTrees.values()) {
      settings.add(settings(new Softmax(3)).multiclass(trees).build());
    }
    return settings;
  }

  @ParameterizedTest
  @MethodSource("trained")
  void contributions_trainedModel_addUpToEveryRawScore(BoosterSettings settings) {
    Rows rows = SampleRows.of(settings.objective(), 7, 400, 3);
    Model model = new Booster(settings).fit(SampleRows.FEATURES, rows).model();
    Explainer explainer = Explainer.of(model);
    Explainer again = Explainer.of(model, rows);
    double[] mean = new double[explainer.outputs()];
    double[] features = new double[4];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      List<Explanation> explanations = explainer.explain(features);
      assertThat(again.explain(features)).as("by the rows trained on").isEqualTo(explanations);
      double[] scores = new double[mean.length];
      Scorer.of(model).score(features, scores);
      for (int k = 0; k < scores.length; k++) {
        Explanation explanation = explanations.get(k);
        assertThat(explanation.output()).isEqualTo(k);
        assertThat(explanation.rawScore()).isEqualTo(scores[k]);
        double sum = explanation.expected();
        for (Contribution contribution : explanation.contributions()) {
          sum += contribution.amount();
        }
        assertThat(sum).isCloseTo(scores[k], within(1e-12));
        mean[k] += scores[k] / rows.size();
      }
    }
    for (int k = 0; k < mean.length; k++) {
      assertThat(explainer.expected(k)).as("mean score").isCloseTo(mean[k], within(1e-12));
    }
  }

  private static BoosterSettings.Builder settings(Objective objective) {
    return BoosterSettings.builder(objective).rounds(12).learningRate(0.3);
  }

  @Test
  void explain_row_namesFeaturesValuesAndTheServedScore() {
    Model model = withStatistics(model(2), 2);
    Explainer explainer = Explainer.of(model);
    double[] features = {0.5, 7, Double.NaN, 1};
    double[] contributions = new double[4];
    explainer.contributions(features, contributions);
    List<Explanation> explanations = explainer.explain(features);
    assertThat(explanations).hasSize(1);
    Explanation explanation = explanations.getFirst();
    assertThat(explanation.output()).isZero();
    assertThat(explanation.expected()).isEqualTo(explainer.expected(0));
    assertThat(explanation.rawScore()).isEqualTo(Scorer.of(model).score(features));
    assertThat(explanation.contributions())
        .containsExactly(
            new Contribution("size", 0.5, contributions[0]),
            new Contribution("level", 7, contributions[1]),
            new Contribution("noise", Double.NaN, contributions[2]),
            new Contribution("kind", 1, contributions[3]));
  }

  @Test
  void contributions_featureThatNothingLooksAt_isZero() {
    Tree stump =
        new Tree(
                new int[] {1},
                new double[] {4},
                new boolean[1],
                new long[1][0],
                new int[] {-1},
                new int[] {-2},
                new double[] {-1, 1})
            .withStatistics(new float[] {2}, new float[] {30, 10});
    Model model = model(List.of(new Segment(List.of(stump), 0.5)));
    Explainer explainer = Explainer.of(model);
    double[] contributions = {9, 9, 9, 9}; // what was there does not count
    explainer.contributions(new double[] {1, 9, 1, 1}, contributions);
    assertThat(explainer.expected(0)).isEqualTo(-0.25);
    assertThat(contributions).containsExactly(0, 0.75, 0, 0);
    explainer.contributions(new double[] {1, 2, 1, 1}, contributions);
    assertThat(contributions).containsExactly(0, -0.25, 0, 0);
  }

  @Test
  void of_noTrees_onlyTheBaseContributes() {
    Model model = withLinearBase(model(List.of()));
    double[] contributions = new double[4];
    Explainer explainer = Explainer.of(model);
    explainer.contributions(new double[] {3, 3, 3, 9}, contributions);
    assertThat(explainer.expected(0)).isEqualTo(1.5);
    assertThat(contributions).containsExactly(0.25, 0, 0, 0);
  }

  @Test
  void of_modelWithoutStatistics_saysWhatToDo() {
    Model model = model(List.of(new Segment(List.of(leaf(), SampleModels.tree(random(), 3)))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Explainer.of(model))
        .withMessage(
            "a model must know how many training rows reached each leaf, and tree 1 of 2 does not:"
                + " train it again, or give rows to explain it by");
    Rows none = Rows.builder(4).build();
    Rows narrow = Rows.builder(1).add(new double[1], 0, "a").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Explainer.of(model, none))
        .withMessage("there must be at least 1 row to explain by: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Explainer.of(model, narrow))
        .withMessage("rows must have 4 features: 1");
  }

  @Test
  void of_givenRows_expectedIsTheirMeanScore() {
    Model model = model(5);
    Rows.Builder background = Rows.builder(4);
    var random = random();
    double mean = 0;
    double weights = 0;
    for (int row = 0; row < 500; row++) {
      double[] features = SampleRows.values(random);
      double weight = 0.5 + random.nextInt(3);
      background.add(features, 0, weight, "");
      mean += weight * Scorer.of(model).score(features);
      weights += weight;
    }
    Explainer explainer = Explainer.of(model, background.build());
    assertThat(explainer.expected(0)).isCloseTo(mean / weights, within(1e-12));
    double[] features = SampleRows.values(random);
    Explanation explanation = explainer.explain(features).getFirst();
    double sum = explanation.expected();
    for (Contribution contribution : explanation.contributions()) {
      sum += contribution.amount();
    }
    assertThat(sum).isCloseTo(Scorer.of(model).score(features), within(1e-12));
  }

  @Test
  void another_sameBits() {
    Model model = withStatistics(model(6), 6);
    Explainer explainer = Explainer.of(model);
    Explainer another = Explainer.of(model);
    var random = random();
    for (int row = 0; row < 50; row++) {
      double[] features = SampleRows.values(random);
      assertThat(another.explain(features)).isEqualTo(explainer.explain(features));
      assertThat(explainer.explain(features)).isEqualTo(explainer.explain(features));
    }
  }

  @Test
  void contributions_wrongLengths_sayWhichIsRight() {
    Explainer explainer = Explainer.of(withStatistics(model(1), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> explainer.contributions(new double[3], new double[4]))
        .withMessage("a row must have 4 features: 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> explainer.contributions(new double[4], new double[3]))
        .withMessage("there must be room for 4 contributions: 3");
  }

  private static SplittableRandom random() {
    return new SplittableRandom(1);
  }

  private static Model model(long seed) {
    return SampleModels.of(new Squared(), seed, 3, 12);
  }

  private static Model model(List<Segment> segments) {
    return new Model(new Logistic(), SampleRows.FEATURES, Base.constant(0), segments);
  }

  private static Tree leaf() {
    return SampleModels.tree(random(), 0);
  }

  private static Model withStatistics(Model model, long seed) {
    return SampleModels.withStatistics(model, seed);
  }

  private static Model withLinearBase(Model model) {
    Base base =
        Base.linear(
            new double[] {1.5},
            List.of(
                new LinearTerm.Numeric(0, 2, 0.25),
                new LinearTerm.Categorical(3, 1, 0, 0.125, -0.5)));
    return new Model(model.objective(), model.features(), base, model.segments());
  }
}
