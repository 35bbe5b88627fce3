package io.holdfast.boosting.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.explain.Explainer.Covers;
import io.holdfast.boosting.leaf.LeafRefit;
import io.holdfast.boosting.leaf.LeafSettings;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of model that the engine makes is explained by the Shapley values of its scores. */
class ExplainedModelsTest {
  private static final List<Feature> FEATURES = SampleRows.FEATURES;
  private static final LinearBase RIDGE = new LinearBase(0.01, 0);

  static Stream<Arguments> models() {
    Softmax softmax = new Softmax(3);
    return Stream.of(
        arguments("one score", fit(settings(new Poisson()))),
        arguments("a tree a class", fit(settings(softmax).multiclass(MulticlassTrees.PER_CLASS))),
        arguments("vector leaves", fit(settings(softmax).multiclass(MulticlassTrees.VECTOR))),
        arguments("linear base", fit(settings(new Logistic()).linearBase(RIDGE))),
        arguments("linear base of classes", fit(settings(softmax).linearBase(RIDGE))),
        arguments("learned thresholds", fit(settings(ordinal()).linearBase(RIDGE))),
        arguments("samples", fit(settings(new Squared()).sampling(new Sampling(0.6, 0.5)))),
        arguments("anchor-aware splits", fit(settings(new Squared()).anchoring(splits()))),
        arguments("monotone", fit(settings(new Squared()).monotone("size", 1))),
        arguments("several versions", severalVersions(new Squared(), MulticlassTrees.PER_CLASS)),
        arguments("several versions of classes", severalVersions(softmax, MulticlassTrees.VECTOR)),
        arguments("refitted", refitted()),
        arguments("AdaBoost.M1", votes(2)),
        arguments("SAMME", votes(4)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void contributions_anyRow_areShapleyValuesThatAddUpToEveryScore(String kind, Model model) {
    Explainer explainer = Explainer.of(model);
    double[] nothing = new double[model.base().terms().size() * model.base().outputs()];
    checkAll(model, explainer, Covers.ofTraining(model), nothing);
    assertThat(splitsByCategory(model)).as("%s splits by category", kind).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void contributions_againstGivenRows_areShapleyValuesThatAddUpToEveryScore(
      String kind, Model model) {
    Rows background = weighted(SampleRows.of(new Squared(), 41, 60, 2));
    Explainer explainer = Explainer.of(model, background);
    double[] means = Covers.ofTerms(model, background);
    checkAll(model, explainer, Covers.ofRows(model, background), means);

    double[] mean = new double[explainer.outputs()];
    double weights = 0;
    double[] features = new double[4];
    double[] scores = new double[mean.length];
    for (int row = 0; row < background.size(); row++) {
      background.copyFeatures(row, features);
      Scorer.of(model).score(features, scores);
      weights += background.weight(row);
      for (int k = 0; k < mean.length; k++) {
        mean[k] += background.weight(row) * scores[k];
      }
    }
    for (int k = 0; k < mean.length; k++) {
      assertThat(explainer.expected(k))
          .as("%s: the expected score is the mean over the given rows", kind)
          .isCloseTo(mean[k] / weights, within(1e-9));
    }
  }

  private static void checkAll(
      Model model, Explainer explainer, List<double[]> covers, double[] unknown) {
    var random = new SplittableRandom(5);
    int outputs = explainer.outputs();
    double[] contributions = new double[outputs * 4];
    double[] scores = new double[outputs];
    for (int row = 0; row < 25; row++) {
      double[] features = row == 0 ? missing() : SampleRows.values(random);
      explainer.contributions(features, contributions);
      Scorer.of(model).score(features, scores);
      for (int k = 0; k < outputs; k++) {
        double[] game = game(model, covers, unknown, features, k);
        double[] brute = BruteForce.shapley(game, 4);
        assertThat(explainer.expected(k)).isCloseTo(game[0], within(1e-9));
        assertThat(scores[k]).isCloseTo(game[15], within(1e-9));
        double sum = explainer.expected(k);
        for (int column = 0; column < 4; column++) {
          double contribution = contributions[k * 4 + column];
          assertThat(contribution).isCloseTo(brute[column], within(1e-9));
          sum += contribution;
        }
        assertThat(sum).isCloseTo(scores[k], within(1e-9));
      }
    }
  }

  /** The raw score by which features are known, as a set of bits: by definition, tree by tree. */
  private static double[] game(
      Model model, List<double[]> covers, double[] unknown, double[] features, int output) {
    double[] game = new double[16];
    Arrays.fill(game, model.base().intercept(output));
    int outputs = model.base().outputs();
    for (int known = 0; known < game.length; known++) {
      for (int t = 0; t < model.base().terms().size(); t++) {
        LinearTerm term = model.base().terms().get(t);
        game[known] +=
            (known >> term.feature() & 1) != 0
                ? term.contribution(features, output)
                : unknown[t * outputs + output];
      }
      int number = 0;
      for (Segment segment : model.segments()) {
        for (Tree tree : segment.trees()) {
          int value = output - tree.output();
          double[] cover = covers.get(number++);
          if (value >= 0 && value < tree.outputs()) {
            game[known] += segment.decay() * BruteForce.value(tree, cover, features, known, value);
          }
        }
      }
    }
    return game;
  }

  private static boolean splitsByCategory(Model model) {
    return model.segments().stream()
        .flatMap(segment -> segment.trees().stream())
        .anyMatch(
            tree -> {
              for (int node = 0; node < tree.innerNodes(); node++) {
                if (tree.categorical(node)) {
                  return true;
                }
              }
              return false;
            });
  }

  private static double[] missing() {
    return new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
  }

  private static Objective ordinal() {
    return Objective.of("ordinal", Map.of("classes", 4.0, "link", 0.0));
  }

  private static Anchoring splits() {
    return new Anchoring(5, new AnchorDesign.Environments(), true);
  }

  private static BoosterSettings.Builder settings(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(8)
        .learningRate(0.3)
        .trees(new TreeLimits(12, 5, 5, 1e-3, 0));
  }

  private static Model fit(BoosterSettings.Builder builder) {
    BoosterSettings settings = builder.build();
    Rows rows = weighted(SampleRows.of(settings.objective(), 7, 400, 3));
    return new Booster(settings).fit(FEATURES, rows).model();
  }

  /** Three segments: the first of fewer categories and since faded, the second turned round. */
  private static Model severalVersions(Objective objective, MulticlassTrees multiclass) {
    List<Feature> fewer = new ArrayList<>(FEATURES);
    fewer.set(3, new Feature.Categorical("kind", List.of("red", "green", "blue")));
    BoosterSettings settings = settings(objective).linearBase(RIDGE).multiclass(multiclass).build();
    Booster booster = new Booster(settings);
    Model model = booster.fit(fewer, SampleRows.of(objective, 1, 300, 2)).model();
    for (int version = 2; version <= 3; version++) {
      Rows rows = SampleRows.of(objective, version, 300, 2);
      model = booster.extend(model, FEATURES, rows, FitListener.NONE).model();
    }
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : model.segments()) {
      segments.add(new Segment(segment.trees(), 1 - 0.75 * segments.size()));
    }
    return new Model(model.objective(), FEATURES, model.base(), segments);
  }

  private static Model refitted() {
    BoosterSettings settings = settings(new Squared()).build();
    Model model =
        new Booster(settings).fit(FEATURES, SampleRows.of(new Squared(), 1, 300, 2)).model();
    var refit = new LeafRefit(new LeafSettings(0.3, 0, 1), List.of(), 0.5);
    return refit.plain(model, SampleRows.of(new Squared(), 2, 100, 2)).model();
  }

  private static Model votes(int classes) {
    Objective objective = classes == 2 ? new Logistic() : new Softmax(classes);
    return new AdaBooster(AdaBoostSettings.stumps(20).withMaxDepth(3))
        .fit(classes, FEATURES, SampleRows.of(objective, 3, 300, 2))
        .model();
  }

  private static Rows weighted(Rows rows) {
    Rows.Builder weighted = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      String environment = rows.environments().get(rows.environment(row));
      weighted.add(values, rows.label(row), 0.3 + row % 4, environment);
    }
    return weighted.build();
  }
}
