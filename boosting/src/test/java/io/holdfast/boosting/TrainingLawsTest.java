package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of training with many options on at once, on rows with weights, anchors and gaps. */
class TrainingLawsTest {
  private static final List<Feature> FEATURES = SampleRows.FEATURES;

  /** Each option there is, in company. */
  static Stream<Arguments> settings() {
    Softmax softmax = new Softmax(3);
    LinearBase elastic = new LinearBase(0.01, 0.5);
    return Stream.of(
        arguments(
            "anchor-aware splits",
            base(new Squared())
                .anchoring(Anchoring.environments(5).withSplits(true))
                .penalties(new Penalties(0.5, 1, 0.01))
                .monotone("size", 1)
                .linearBase(elastic)
                .build()),
        arguments(
            "two classes, mixed anchor",
            base(new Logistic())
                .anchoring(Anchoring.mixed(3))
                .monotone("size", 1)
                .monotone("noise", -1)
                .linearBase(LinearBase.ridge(0.1))
                .build()),
        arguments(
            "counts, continuous anchor, gamma below 1",
            base(new Poisson()).anchoring(Anchoring.continuous(0.5)).maxBins(8).build()),
        arguments(
            "vector leaves, mixed anchor",
            base(softmax)
                .multiclass(MulticlassTrees.VECTOR)
                .anchoring(Anchoring.mixed(4))
                .linearBase(elastic)
                .build()),
        arguments(
            "a tree a class, continuous anchor as it is",
            base(softmax)
                .multiclass(MulticlassTrees.PER_CLASS)
                .anchoring(new Anchoring(4, new AnchorDesign.Continuous(false), false))
                .penalties(new Penalties(0.2, 1, 0))
                .build()),
        arguments(
            "ordered classes",
            base(Objective.of("ordinal", Map.of("classes", 4.0, "link", 1.0)))
                .gamma(7)
                .linearBase(elastic)
                .build()),
        arguments(
            "fractions, estimated precision",
            base(Objective.of("beta", Map.of("precision", 5.0, "estimated", 1.0)))
                .gamma(2)
                .build()),
        arguments(
            "medians", base(Objective.named("absolute")).monotone("size", 1).gamma(1).build()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void threads_anyNumber_changeNoBit(String name, BoosterSettings settings) {
    Rows rows = rows(settings.objective(), 1, 30_000, 5); // enough to be worth sharing
    BoosterSettings one = settings.toBuilder().rounds(2).sampling(new Sampling(0.9, 0.75)).build();
    Fit alone = new Booster(one).fit(FEATURES, rows);
    for (int threads : new int[] {2, 5}) {
      Fit shared = new Booster(one.toBuilder().threads(threads).build()).fit(FEATURES, rows);
      assertThat(shared).as("%s on %s threads", name, threads).isEqualTo(alone);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void environments_renamed_changeNoBit(String name, BoosterSettings settings) {
    BoosterSettings sampled = settings.toBuilder().sampling(new Sampling(0.6, 0.75)).build();
    Rows rows = rows(settings.objective(), 2, 400, 4);
    Rows renamed = mapped(rows, row -> row, row -> 1, environment -> "z" + (9 - environment));
    assertThat(new Booster(sampled).fit(FEATURES, renamed))
        .as(name)
        .isEqualTo(new Booster(sampled).fit(FEATURES, rows));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void rows_inAnotherOrder_changeNothingButRounding(String name, BoosterSettings settings) {
    BoosterSettings few = settings.toBuilder().rounds(3).sampling(new Sampling(1, 0.75)).build();
    Rows rows = rows(settings.objective(), 3, 300, 4);
    assertClose(
        new Booster(few).fit(FEATURES, shuffled(rows)), new Booster(few).fit(FEATURES, rows), name);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void rows_inAnotherOrderWithASample_areAnotherDraw(String name, BoosterSettings settings) {
    BoosterSettings sampled = settings.toBuilder().sampling(new Sampling(0.5, 1)).build();
    Rows rows = rows(settings.objective(), 3, 300, 4);
    Model plain = new Booster(sampled).fit(FEATURES, rows).model();
    Model other = new Booster(sampled).fit(FEATURES, shuffled(rows)).model();
    assertThat(other.segments()).as(name).isNotEqualTo(plain.segments());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void weight_ofTwo_isTheRowTwice(String name, BoosterSettings settings) {
    BoosterSettings few =
        settings.toBuilder().rounds(3).trees(new TreeLimits(6, 3, 1, 2, 0.01)).build();
    Rows rows = rows(settings.objective(), 4, 200, 4);
    Rows heavy = mapped(rows, row -> row, row -> row % 3 == 0 ? 2 : 1, name(rows));
    int[] twice =
        IntStream.range(0, rows.size())
            .flatMap(row -> IntStream.range(0, row % 3 == 0 ? 2 : 1).map(k -> row))
            .toArray();
    Rows repeated = mapped(rows, twice.length, k -> twice[k], row -> 1, name(rows));
    assertClose(
        new Booster(few).fit(FEATURES, heavy), new Booster(few).fit(FEATURES, repeated), name);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void columns_thatSayNothing_changeNoBit(String name, BoosterSettings settings) {
    Rows rows = rows(settings.objective(), 5, 300, 3);
    List<Feature> more = new ArrayList<>(FEATURES);
    more.addFirst(new Feature.Numeric("missing"));
    more.add(2, new Feature.Numeric("constant"));
    more.add(3, new Feature.Categorical("no code", List.of("a", "b")));
    more.add(new Feature.Numeric("infinite"));
    more.add(new Feature.Categorical("one", List.of("a", "b", "c")));
    more.add(new Feature.Categorical("missing too", List.of()));
    Rows.Builder wide = Rows.builder(more.size(), rows.anchors());
    for (int row = 0; row < rows.size(); row++) {
      double[] values = values(rows, row);
      double[] said = with(values, Double.NaN, 3.5, 7, Double.NEGATIVE_INFINITY, 1, Double.NaN);
      wide.add(
          said,
          rows.label(row),
          rows.weight(row),
          name(rows).apply(rows.environment(row)),
          anchors(rows, row));
    }
    BoosterSettings.Builder constrained = settings.toBuilder();
    if (settings.objective().outputs() == 1) {
      constrained.monotone("constant", 1).monotone("missing", -1);
    }
    Fit plain = new Booster(settings).fit(FEATURES, rows);
    Fit fit = new Booster(constrained.build()).fit(more, wide.build());
    assertThat(fit.losses()).as(name).isEqualTo(plain.losses());

    var random = new SplittableRandom(6);
    double[] scores = new double[settings.objective().outputs()];
    double[] expected = new double[scores.length];
    for (int row = 0; row < 200; row++) {
      double[] values = SampleRows.values(random);
      double any = 10 * random.nextDouble() - 5; // what is there now matters no more
      Scorer.of(fit.model()).score(with(values, any, any, 0, any, 2, any), scores);
      Scorer.of(plain.model()).score(values, expected);
      assertThat(scores).as(name).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void gammaOfOne_anyAnchor_isNoAnchorBitForBit(String name, BoosterSettings settings) {
    Rows rows = rows(settings.objective(), 7, 300, 4);
    Rows.Builder bare = Rows.builder(4);
    for (int row = 0; row < rows.size(); row++) {
      bare.add(values(rows, row), rows.label(row), rows.weight(row), "all");
    }
    Booster booster = new Booster(settings.toBuilder().gamma(1).build());
    Booster plain = new Booster(settings.toBuilder().anchoring(Anchoring.NONE).build());
    assertThat(booster.fit(FEATURES, rows)).as(name).isEqualTo(plain.fit(FEATURES, bare.build()));
  }

  static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void squared_anyRowsAndSettings_anchorLossNeverRises(int seed) {
    var random = new SplittableRandom(seed);
    double gamma = new double[] {0, 0.3, 1, 2, 7, 100}[random.nextInt(6)];
    Anchoring anchoring =
        switch (random.nextInt(4)) {
          case 0 -> Anchoring.environments(gamma);
          case 1 -> Anchoring.environments(gamma).withSplits(true);
          case 2 -> Anchoring.continuous(gamma);
          default -> Anchoring.mixed(gamma);
        };
    BoosterSettings.Builder settings =
        BoosterSettings.builder(new Squared())
            .anchoring(anchoring)
            .rounds(12)
            .learningRate(random.nextInt(3) == 0 ? 1 : 0.05 + 0.95 * random.nextDouble())
            .trees(
                new TreeLimits(
                    2 + random.nextInt(30), 1 + random.nextInt(8), 1 + random.nextInt(9), 0, 0))
            .penalties(
                new Penalties(
                    random.nextInt(2) * random.nextDouble(),
                    random.nextInt(2) * random.nextDouble(),
                    0))
            .sampling(new Sampling(0.3 + 0.7 * random.nextDouble(), 0.5))
            .seed(seed);
    if (random.nextBoolean()) {
      settings.monotone("size", random.nextBoolean() ? 1 : -1);
    }
    if (random.nextBoolean()) {
      settings.linearBase(new LinearBase(0.1 * random.nextDouble(), random.nextDouble()));
    }
    Rows rows = rows(new Squared(), seed, 20 + random.nextInt(300), 1 + random.nextInt(40));
    Fit fit = new Booster(settings.build()).fit(FEATURES, rows);
    double scale = fit.losses().getFirst().base();
    for (int round = 1; round < fit.losses().size(); round++) {
      assertThat(fit.losses().get(round).total())
          .as("round %s with %s", round, anchoring)
          .isLessThanOrEqualTo(fit.losses().get(round - 1).total() + 1e-11 * scale);
    }
  }

  private static BoosterSettings.Builder base(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(8)
        .learningRate(0.3)
        .maxBins(64)
        .seed(3)
        .trees(new TreeLimits(8, 4, 5, 1e-3, 0));
  }

  /** The sample's rows with weights that binary arithmetic adds exactly, and two anchors. */
  private static Rows rows(Objective objective, long seed, int size, int environments) {
    Rows sample = SampleRows.of(objective, seed, size, environments);
    var random = new SplittableRandom(seed + 100);
    Rows.Builder rows = Rows.builder(4, 2);
    for (int row = 0; row < size; row++) {
      String environment = sample.environments().get(sample.environment(row));
      double[] anchors = {random.nextDouble() + sample.environment(row), random.nextInt(3)};
      rows.add(
          values(sample, row), sample.label(row), 0.5 + random.nextInt(4), environment, anchors);
    }
    return rows.build();
  }

  private static Rows shuffled(Rows rows) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, rows.size()).boxed().toList());
    Collections.shuffle(order, new Random(5));
    return mapped(rows, order::get, row -> 1, name(rows));
  }

  private static IntFunction<String> name(Rows rows) {
    return environment -> rows.environments().get(environment);
  }

  private static Rows mapped(
      Rows rows, IntUnaryOperator rowOf, IntUnaryOperator times, IntFunction<String> name) {
    return mapped(rows, rows.size(), rowOf, times, name);
  }

  /** Other rows made of these: which row is next, how often it counts, and its environment. */
  private static Rows mapped(
      Rows rows,
      int size,
      IntUnaryOperator rowOf,
      IntUnaryOperator times,
      IntFunction<String> name) {
    Rows.Builder mapped = Rows.builder(rows.width(), rows.anchors());
    for (int k = 0; k < size; k++) {
      int row = rowOf.applyAsInt(k);
      mapped.add(
          values(rows, row),
          rows.label(row),
          times.applyAsInt(row) * rows.weight(row),
          name.apply(rows.environment(row)),
          anchors(rows, row));
    }
    return mapped.build();
  }

  private static double[] values(Rows rows, int row) {
    double[] values = new double[rows.width()];
    rows.copyFeatures(row, values);
    return values;
  }

  private static double[] anchors(Rows rows, int row) {
    double[] anchors = new double[rows.anchors()];
    for (int column = 0; column < anchors.length; column++) {
      anchors[column] = rows.anchor(row, column);
    }
    return anchors;
  }

  /** The four values, among six more. */
  private static double[] with(double[] four, double... six) {
    return new double[] {
      six[0], four[0], six[1], six[2], four[1], four[2], four[3], six[3], six[4], six[5]
    };
  }

  private static void assertClose(Fit fit, Fit expected, String name) {
    assertThat(fit.losses()).hasSameSizeAs(expected.losses());
    for (int round = 0; round < fit.losses().size(); round++) {
      AnchorLoss loss = expected.losses().get(round);
      double size = Math.abs(loss.base()) + Math.abs(loss.penalty());
      assertThat(fit.losses().get(round).total())
          .as("%s, round %s", name, round)
          .isCloseTo(loss.total(), within(1e-8 * size));
    }
  }
}
