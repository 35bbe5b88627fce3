package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.anchor.ColumnSpan;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whole training runs against those of the reference package, with a bin for every value. */
class GoldenRunsTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("x1"), new Feature.Numeric("x2"), new Feature.Numeric("x3"));
  private static final int ROUNDS = 50;

  /** The full Newton step, safe or not, as the reference takes it. */
  @TestFactory
  Stream<DynamicTest> rawSteps() {
    return runs(Safeguard.OFF);
  }

  /** As shipped: the same wherever the reference's steps are safe. */
  @TestFactory
  Stream<DynamicTest> safeguardedSteps() {
    return runs(Safeguard.ON);
  }

  private static Stream<DynamicTest> runs(Safeguard safeguard) {
    return GoldenFiles.tests(
        "anchorboosting/runs.json",
        vectors ->
            GoldenFiles.entries(vectors.get("runs"))
                .filter(run -> safeguard == Safeguard.OFF || run.get("stable").asBoolean())
                .flatMap(
                    run ->
                        Stream.of("exact", "exact_hessian")
                            .map(variant -> test(run, variant, safeguard))));
  }

  private static DynamicTest test(JsonNode run, String variant, Safeguard safeguard) {
    String name =
        String.join(
            " ",
            run.get("objective").asText(),
            run.get("anchor").asText(),
            "gamma",
            run.get("gamma").asText(),
            variant);
    return DynamicTest.dynamicTest(name, () -> check(run, variant, safeguard));
  }

  private static void check(JsonNode run, String variant, Safeguard safeguard) throws IOException {
    boolean binary = run.get("objective").asText().equals("binary");
    Objective objective = Objective.named(binary ? "probit" : "squared");
    boolean byHessian = variant.equals("exact_hessian");
    var limits = new TreeLimits(5, 3, byHessian ? 1 : 20, byHessian ? 10 : 1e-3, 0.05);
    double gamma = run.get("gamma").asDouble();
    var settings = new BoosterSettings(objective, gamma, ROUNDS, 0.1, limits, 0, 4096, 0);
    List<CSVRecord> table = read("train.csv.gz");
    Rows rows = rows(table, binary);
    Fit fit =
        new Booster(settings, safeguard)
            .extend(
                Booster.untrained(settings, FEATURES),
                FEATURES,
                rows,
                anchor(table, run.get("anchor").asText()),
                FitListener.NONE);
    JsonNode expected = run.get("variants").get(variant);
    int agreeing = independentCheck(expected).get("rounds_agreeing_to_1e9").asInt();
    double apart = independentCheck(expected).get("max_rel_difference_test_50").asDouble();
    boolean stable = run.get("stable").asBoolean();
    if (stable) {
      assertThat(fit.safeguards()).isZero();
    }
    GoldenNumbers.assertClose(
        "initial score", fit.model().base(), run.get("init_score").asDouble(), 1e-8, 0);
    for (int round = 0; round <= ROUNDS; round++) {
      if (round <= agreeing || stable) {
        double rtol = round <= agreeing ? 1e-8 : 0.02;
        compareLosses(fit.losses().get(round), expected, round, rtol);
      }
    }
    compareFirstTrees(fit.model(), expected.get("first_trees"));
    for (int shift = 0; shift <= 3; shift++) {
      Rows test = rows(read("test_shift" + shift + ".csv.gz"), binary);
      for (int round : new int[] {10, 25, 50}) {
        if (round <= agreeing || stable) {
          double reference = expected.get("test").get("" + shift).get("" + round).asDouble();
          double loss = testLoss(fit.model(), round, test);
          GoldenNumbers.assertClose(
              "test loss, shift " + shift + " round " + round,
              binary ? loss : 2 * loss, // the reference's squared error has no ½
              reference,
              round <= agreeing ? 1e-6 : Math.max(0.02, 1.01 * apart),
              0);
        }
      }
    }
  }

  /** How far an independent implementation in doubles, with true row counts, agreed. */
  private static JsonNode independentCheck(JsonNode expected) {
    return expected.has("independent_check")
        ? expected.get("independent_check")
        : expected.get("independent_check_true_counts");
  }

  private static void compareLosses(AnchorLoss loss, JsonNode expected, int round, double rtol) {
    double total = expected.get("anchor_loss").get(round).asDouble();
    GoldenNumbers.assertClose("anchor loss of round " + round, loss.total(), total, rtol, 0);
    GoldenNumbers.assertClose(
        "base of round " + round, loss.base(), expected.get("base").get(round).asDouble(), rtol, 0);
    GoldenNumbers.assertClose(
        "penalty of round " + round,
        loss.penalty(),
        expected.get("penalty").get(round).asDouble(),
        rtol,
        rtol * total);
  }

  private static void compareFirstTrees(Model model, JsonNode trees) {
    for (int k = 0; k < trees.size(); k++) {
      compareNode(model.segments().getFirst().trees().get(k), 0, trees.get(k));
    }
  }

  private static void compareNode(Tree tree, int node, JsonNode expected) {
    if (expected.has("leaf")) {
      assertThat(node).as("a leaf").isNegative();
      GoldenNumbers.assertClose(
          "leaf value", tree.leafValue(-1 - node), expected.get("value").asDouble(), 1e-8, 1e-12);
      return;
    }
    assertThat(tree.feature(node)).isEqualTo(expected.get("feature").asInt());
    GoldenNumbers.assertClose(
        "threshold", tree.threshold(node), expected.get("threshold").asDouble(), 1e-12, 1e-12);
    compareNode(tree, tree.left(node), expected.get("left"));
    compareNode(tree, tree.right(node), expected.get("right"));
  }

  private static double testLoss(Model model, int trees, Rows test) {
    List<Tree> first = model.segments().getFirst().trees().subList(0, trees);
    Model prefix =
        new Model(model.objective(), FEATURES, model.base(), List.of(new Segment(first)));
    return Evaluation.of(model.objective(), test, Scorer.of(prefix).scores(test)).loss();
  }

  private static Projection anchor(List<CSVRecord> table, String kind) {
    double[] weights = new double[table.size()];
    Arrays.fill(weights, 1);
    if (kind.equals("cat")) {
      int[] codes = table.stream().mapToInt(row -> Integer.parseInt(row.get("acat"))).toArray();
      return new GroupMeans(codes, Arrays.stream(codes).max().orElseThrow() + 1, weights);
    }
    return new ColumnSpan(new double[][] {column(table, "a1"), column(table, "a2")}, weights);
  }

  private static double[] column(List<CSVRecord> table, String name) {
    return table.stream().mapToDouble(row -> Double.parseDouble(row.get(name))).toArray();
  }

  private static Rows rows(List<CSVRecord> table, boolean binary) {
    Rows.Builder rows = Rows.builder(3);
    for (CSVRecord row : table) {
      double[] features = new double[3];
      for (int k = 0; k < 3; k++) {
        features[k] = Double.parseDouble(row.get(FEATURES.get(k).name()));
      }
      String environment = row.isMapped("acat") ? row.get("acat") : "test";
      rows.add(features, Double.parseDouble(row.get(binary ? "yb" : "y")), environment);
    }
    return rows.build();
  }

  private static List<CSVRecord> read(String name) throws IOException {
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    try (var in = new GZIPInputStream(GoldenFiles.open("anchorboosting/" + name));
        Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      return new ArrayList<>(format.parse(reader).getRecords());
    }
  }
}
