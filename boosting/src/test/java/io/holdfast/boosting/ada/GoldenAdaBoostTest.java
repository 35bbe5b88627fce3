package io.holdfast.boosting.ada;

import static io.holdfast.boosting.GoldenNumbers.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenErrata;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.ada.AdaBoostFit.Round;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rounds of AdaBoost.M1 and SAMME, their formulas, and Gini impurity, by reference vectors. */
class GoldenAdaBoostTest {
  private static final String FILE = "adaboost.json";
  private static final double ATOL = 1e-15;

  @TestFactory
  Stream<DynamicTest> examples() {
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("examples"))
                .map(
                    node ->
                        DynamicTest.dynamicTest(
                            node.get("name").asText(),
                            () -> new Example(node, rtol(vectors)).check())));
  }

  @TestFactory
  Stream<DynamicTest> singleRounds() {
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("single_round"))
                .map(
                    node ->
                        DynamicTest.dynamicTest(
                            "error " + node.get("err"), () -> checkRound(node, rtol(vectors)))));
  }

  @TestFactory
  Stream<DynamicTest> giniImpurities() {
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("gini"))
                .map(
                    node ->
                        DynamicTest.dynamicTest(
                            node.get("left_counts") + " against " + node.get("right_counts"),
                            () -> checkGini(node, rtol(vectors)))));
  }

  @TestFactory
  Stream<DynamicTest> errata() {
    return GoldenErrata.tests(
        Map.of(
            "002-01", // of the total weight, not of the number of rows
            witness -> {
              int size = witness.get("n").asInt();
              double wrong = witness.get("misclassified_weight").asDouble();
              Rows.Builder rows = Rows.builder(1).add(new double[1], 0, wrong, "all");
              for (int row = 1; row < size; row++) {
                rows.add(new double[1], 0, (1 - wrong) / (size - 1), "all");
              }
              boolean[] first = new boolean[size];
              first[0] = true;
              var weights = RowWeights.after(new Exponential(), rows.build(), new double[size]);
              close("right", weights.error(first), witness, 1e-12);
            },
            "002-03", // two conventions, a factor 2 apart
            witness -> {
              double vote = VotingTree.vote(witness.get("err").asDouble(), 2);
              close("alpha", vote, witness, 1e-12);
              close("amount_of_say", 0.5 * vote, witness, 1e-12);
            }));
  }

  private static double rtol(JsonNode vectors) {
    return vectors.get("defaults").get("rtol").asDouble();
  }

  private static void checkRound(JsonNode node, double rtol) {
    double error = node.get("err").asDouble();
    double vote = VotingTree.vote(error, 2);
    close("alpha_M1", vote, node, rtol);
    close("amount_of_say", 0.5 * vote, node, rtol);
    close("alpha_SAMME_K3", VotingTree.vote(error, 3), node, rtol);
    close("factor_misclassified", StrictMath.exp(vote), node, rtol);
    Rows rows =
        Rows.builder(1)
            .add(new double[1], 0, error, "all")
            .add(new double[1], 0, 1 - error, "all")
            .build();
    RowWeights weights = RowWeights.after(new Exponential(), rows, new double[2]);
    weights.raise(new boolean[] {true, false});
    close("normalised_misclassified_factor", weights.weight(0) / error, node, rtol);
    close("normalised_correct_factor", weights.weight(1) / (1 - error), node, rtol);
  }

  private static void checkGini(JsonNode node, double rtol) {
    int[] left = GoldenNumbers.ints(node.get("left_counts"));
    int[] right = GoldenNumbers.ints(node.get("right_counts"));
    ClassMasses masses = new ClassMasses(2, left.length);
    for (int k = 0; k < left.length; k++) {
      masses.add(0, k, left[k]);
      masses.add(1, k, right[k]);
    }
    close("gini_left", masses.gini(0), node, rtol);
    close("gini_right", masses.gini(1), node, rtol);
    close("index", masses.gini(), node, rtol);
  }

  private static void close(String name, double actual, JsonNode node, double rtol) {
    assertClose(name, actual, node.get(name).asDouble(), rtol, ATOL);
  }

  /** Stumps of least error, round by round. */
  private static final class Example {
    private final JsonNode node;
    private final double rtol;
    private final double[] classes;
    private final Rows rows;
    private final List<Feature> features;

    Example(JsonNode node, double rtol) {
      this.node = node;
      this.rtol = rtol;
      classes = GoldenNumbers.doubles(node.get("classes"));
      int width = node.get("X").get(0).size();
      features =
          IntStream.range(0, width)
              .<Feature>mapToObj(column -> new Feature.Numeric("x" + column))
              .toList();
      Rows.Builder builder = Rows.builder(width);
      for (int row = 0; row < node.get("X").size(); row++) {
        double[] values = GoldenNumbers.doubles(node.get("X").get(row));
        builder.add(values, code(node.get("y").get(row).asDouble()), "all");
      }
      rows = builder.build();
    }

    void check() {
      JsonNode rounds = node.get("rounds");
      var settings = new AdaBoostSettings(rounds.size(), 1, Criterion.ERROR, false, 0, 1, 65535);
      AdaBoostFit fit = new AdaBooster(settings).fit(classes.length, features, rows);
      assertThat(fit.rounds()).hasSameSizeAs(rounds);
      List<Tree> trees = fit.model().segments().getFirst().trees();
      for (int round = 0; round < rounds.size(); round++) {
        JsonNode reference = rounds.get(round);
        checkStump(trees.get(round), reference.get("stump"));
        close("err", fit.rounds().get(round).error(), reference, rtol);
        close("alpha", fit.rounds().get(round).vote(), reference, rtol);
        close("amount_of_say_half_log", amountOfSay(fit.rounds().get(round)), reference, rtol);
        checkPredictions(trees.get(round), reference);
        Model before = model(trees.subList(0, round));
        Model after = model(trees.subList(0, round + 1));
        checkWeights(before, reference.get("weights_before"));
        checkWeights(after, reference.get("weights_after"));
        checkUnnormalised(reference, fit.rounds().get(round).vote());
        if (node.has("mean_exponential_loss_of_half_alpha_sum_after_round")) {
          JsonNode losses = node.get("mean_exponential_loss_of_half_alpha_sum_after_round");
          assertClose("loss", meanLoss(after), losses.get(round).asDouble(), rtol, ATOL);
        }
      }
      checkVotes(fit.model());
    }

    private int code(double label) {
      return IntStream.range(0, classes.length)
          .filter(k -> classes[k] == label)
          .findFirst()
          .orElseThrow();
    }

    private double amountOfSay(Round round) {
      return 0.5 * VotingTree.vote(round.error(), 2);
    }

    private Model model(List<Tree> trees) {
      return AdaBooster.untrained(classes.length, features)
          .plus(new Segment(new ArrayList<>(trees)));
    }

    private void checkStump(Tree tree, JsonNode stump) {
      assertThat(tree.feature(0)).isEqualTo(stump.get("feature").asInt());
      close("threshold", tree.threshold(0), stump, rtol);
      assertThat(classOf(tree, -1 - tree.left(0))).isEqualTo(stump.get("left").asDouble());
      assertThat(classOf(tree, -1 - tree.right(0))).isEqualTo(stump.get("right").asDouble());
    }

    private double classOf(Tree tree, int leaf) {
      if (tree.outputs() == 1) {
        return classes[tree.leafValue(leaf) > 0 ? 1 : 0];
      }
      int best = 0;
      for (int k = 1; k < tree.outputs(); k++) {
        best = tree.leafValue(leaf, k) > tree.leafValue(leaf, best) ? k : best;
      }
      return classes[best];
    }

    private void checkPredictions(Tree tree, JsonNode reference) {
      double[] values = new double[rows.width()];
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, values);
        assertThat(classOf(tree, tree.leafOf(values)))
            .isEqualTo(reference.get("predictions").get(row).asDouble());
      }
    }

    private void checkWeights(Model model, JsonNode reference) {
      RowWeights weights = RowWeights.after(model.objective(), rows, Scorer.of(model).scores(rows));
      for (int row = 0; row < rows.size(); row++) {
        assertClose("weight", weights.weight(row), reference.get(row).asDouble(), rtol, ATOL);
      }
    }

    private void checkUnnormalised(JsonNode reference, double vote) {
      for (int row = 0; row < rows.size(); row++) {
        double before = reference.get("weights_before").get(row).asDouble();
        boolean wrong =
            reference.get("predictions").get(row).asDouble() != node.get("y").get(row).asDouble();
        double after = wrong ? before * StrictMath.exp(vote) : before;
        double expected = reference.get("weights_unnormalised").get(row).asDouble();
        assertClose("unnormalised weight", after, expected, rtol, ATOL);
      }
    }

    private double meanLoss(Model model) {
      double[] scores = Scorer.of(model).scores(rows);
      double sum = 0;
      for (int row = 0; row < rows.size(); row++) {
        sum += model.objective().loss(rows.label(row), new double[] {scores[row]});
      }
      return sum / rows.size();
    }

    /** With two classes F is the sum of ±α, twice the raw score; else it is the votes. */
    private void checkVotes(Model model) {
      double[] scores = Scorer.of(model).scores(rows);
      int errors = 0;
      for (int row = 0; row < rows.size(); row++) {
        JsonNode expected = node.get("F_train").get(row);
        double[] own = new double[model.objective().outputs()];
        for (int k = 0; k < own.length; k++) {
          own[k] = scores[k * rows.size() + row];
        }
        if (own.length == 1) {
          double difference =
              expected.isArray()
                  ? expected.get(1).asDouble() - expected.get(0).asDouble()
                  : expected.asDouble();
          assertClose("F", 2 * own[0], difference, rtol, ATOL);
        } else {
          for (int k = 0; k < own.length; k++) {
            assertClose("F", own[k], expected.get(k).asDouble(), rtol, ATOL);
          }
        }
        double[] shares = new double[classes.length];
        model.objective().probabilities(own, shares);
        int predicted = likeliest(shares);
        assertThat(classes[predicted]).isEqualTo(node.get("predict_train").get(row).asDouble());
        errors += predicted == rows.label(row) ? 0 : 1;
      }
      assertThat(errors).isEqualTo(node.get("train_errors").asInt());
    }

    private static int likeliest(double[] shares) {
      int best = 0;
      for (int k = 1; k < shares.length; k++) {
        best = shares[k] > shares[best] ? k : best;
      }
      return best;
    }
  }
}
