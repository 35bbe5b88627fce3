package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.anchor.ColumnSpan;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whole training runs against those of the reference package. */
class GoldenRunsTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("x1"), new Feature.Numeric("x2"), new Feature.Numeric("x3"));

  /**
   * With a bin for every value and the full Newton step, safe or not, as the reference takes it.
   */
  @TestFactory
  Stream<DynamicTest> rawSteps() {
    return runs(Safeguard.OFF);
  }

  /** As shipped: the same wherever the reference's steps are safe. */
  @TestFactory
  Stream<DynamicTest> safeguardedSteps() {
    return runs(Safeguard.ON);
  }

  /**
   * With 255 bins, drawn otherwise than the reference's: as far apart as its own bin counts are.
   */
  @TestFactory
  Stream<DynamicTest> fewerBins() {
    return tests(
        run -> run.get("stable").asBoolean(),
        List.of("default"),
        (run, variant) -> checkFewerBins(run));
  }

  private static Stream<DynamicTest> runs(Safeguard safeguard) {
    return tests(
        run -> safeguard == Safeguard.OFF || run.get("stable").asBoolean(),
        List.of("exact", "exact_hessian"),
        (run, variant) -> check(run, variant, safeguard));
  }

  private static Stream<DynamicTest> tests(
      Predicate<JsonNode> chosen, List<String> variants, BiConsumer<JsonNode, String> check) {
    return GoldenFiles.tests(
        "anchorboosting/runs.json",
        vectors ->
            GoldenFiles.entries(vectors.get("runs"))
                .filter(chosen)
                .flatMap(
                    run ->
                        variants.stream()
                            .map(
                                variant ->
                                    DynamicTest.dynamicTest(
                                        name(run, variant), () -> check.accept(run, variant)))));
  }

  private static String name(JsonNode run, String variant) {
    return String.join(
        " ",
        run.get("objective").asText(),
        run.get("anchor").asText(),
        "gamma",
        run.get("gamma").asText(),
        variant);
  }

  private static Fit train(JsonNode run, String variant, Safeguard safeguard, int maxBins) {
    boolean binary = isBinary(run);
    boolean byHessian = variant.equals("exact_hessian");
    var limits = new TreeLimits(5, 3, byHessian ? 1 : 20, byHessian ? 10 : 1e-3, 0.05);
    var settings =
        BoosterSettings.builder(Objective.named(binary ? "probit" : "squared"))
            .gamma(run.get("gamma").asDouble())
            .rounds(rounds(run.get("variants").get(variant)))
            .learningRate(0.1)
            .trees(limits)
            .penalties(Penalties.ridge(0))
            .maxBins(maxBins)
            .seed(0)
            .build();
    List<CSVRecord> table = read("train.csv.gz");
    return new Booster(settings, safeguard, null)
        .extend(
            Booster.untrained(settings, FEATURES),
            new Booster.Input(
                FEATURES,
                rows(table, binary),
                anchor(table, run.get("anchor").asText()),
                null,
                null,
                FitListener.NONE),
            new Workspace());
  }

  private static void check(JsonNode run, String variant, Safeguard safeguard) {
    Fit fit = train(run, variant, safeguard, 4096);
    JsonNode expected = run.get("variants").get(variant);
    JsonNode check = independentCheck(expected);
    int agreeing = check.path("rounds_agreeing_to_1e9").asInt(isBinary(run) ? 0 : rounds(expected));
    double apart = check.path("max_rel_difference_test_50").asDouble(0);
    boolean stable = run.get("stable").asBoolean();
    if (stable) {
      assertThat(fit.safeguards()).isZero();
    }
    GoldenNumbers.assertClose(
        "initial score",
        fit.model().base().intercept(0),
        run.get("init_score").asDouble(),
        1e-8,
        0);
    assertThat(fit.model().trees()).isEqualTo(expected.get("num_trees").asInt());
    for (int round = 0; round <= rounds(expected); round++) {
      if (round <= agreeing || stable) {
        compareLosses(fit.losses().get(round), expected, round, round <= agreeing ? 1e-8 : 0.02);
      }
    }
    if (agreeing >= rounds(expected)) {
      assertThat(increases(fit)).isEqualTo(expected.get("loss_increases").asInt());
    }
    compareFirstTrees(fit.model(), expected.get("first_trees"));
    for (int round : testedRounds(expected)) {
      if (round <= agreeing || stable) {
        double rtol = round <= agreeing ? 1e-6 : Math.max(0.02, 1.01 * apart);
        compareTests(run, fit.model(), expected, round, rtol);
      }
    }
  }

  private static void checkFewerBins(JsonNode run) {
    Fit fit = train(run, "default", Safeguard.ON, 255);
    JsonNode expected = run.get("variants").get("default");
    boolean strong = run.get("gamma").asDouble() > 7;
    for (int round = 0; round <= rounds(expected); round++) {
      double total = expected.get("anchor_loss").get(round).asDouble();
      GoldenNumbers.assertClose(
          "anchor loss of round " + round,
          fit.losses().get(round).total(),
          total,
          strong ? 0.15 : 0.05,
          0);
    }
    for (int round : testedRounds(expected)) {
      if (!strong) {
        compareTests(run, fit.model(), expected, round, 0.3);
      }
    }
  }

  private static void compareTests(
      JsonNode run, Model model, JsonNode expected, int round, double rtol) {
    for (String shift : names(expected.get("test"))) {
      Rows test = rows(read("test_shift" + shift + ".csv.gz"), isBinary(run));
      double loss = testLoss(model, round, test);
      GoldenNumbers.assertClose(
          "test loss, shift " + shift + " round " + round,
          isBinary(run) ? loss : 2 * loss, // the reference's squared error has no ½
          expected.get("test").get(shift).get("" + round).asDouble(),
          rtol,
          0);
    }
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  /** How many rounds a run has: there is a loss before the first. */
  private static int rounds(JsonNode expected) {
    return expected.get("anchor_loss").size() - 1;
  }

  /** After how many rounds there are losses on other data. */
  private static int[] testedRounds(JsonNode expected) {
    JsonNode first = expected.get("test").iterator().next();
    return names(first).stream().mapToInt(Integer::parseInt).toArray();
  }

  private static int increases(Fit fit) {
    int increases = 0;
    for (int round = 1; round < fit.losses().size(); round++) {
      increases += fit.losses().get(round).total() > fit.losses().get(round - 1).total() ? 1 : 0;
    }
    return increases;
  }

  private static boolean isBinary(JsonNode run) {
    return run.get("objective").asText().equals("binary");
  }

  /** How far an independent implementation in doubles, with true row counts, agreed. */
  private static JsonNode independentCheck(JsonNode expected) {
    return expected.has("independent_check")
        ? expected.get("independent_check")
        : expected.path("independent_check_true_counts");
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
    // Twice ours, and kept as floats.
    GoldenNumbers.assertClose(
        "gain", 2 * tree.gain(node), expected.get("gain").asDouble(), 1e-5, 1e-5);
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

  private static List<CSVRecord> read(String name) {
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    try (var in = new GZIPInputStream(GoldenFiles.open("anchorboosting/" + name));
        Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      return new ArrayList<>(format.parse(reader).getRecords());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
