package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees that learn what a linear base leaves. */
class LinearBoostingTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("trend"), new Feature.Numeric("step"));

  private static Rows rows(long seed, Objective objective) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(2);
    for (int row = 0; row < 500; row++) {
      double[] values = {10 * random.nextDouble(), random.nextDouble()};
      double signal =
          3 * values[0] + (values[1] > 0.6 ? 5 : 0) + 0.1 * random.nextGaussian() + row % 4;
      double label =
          switch (objective.name()) {
            case "logistic" -> signal > 19 ? 1 : 0;
            case "ordinal", "softmax" -> signal > 25 ? 2 : signal > 12 ? 1 : 0;
            default -> signal;
          };
      rows.add(values, label, "environment " + row % 4);
    }
    return rows.build();
  }

  private static BoosterSettings.Builder settings(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(30)
        .trees(new TreeLimits(8, 3, 5, 1e-3, 0))
        .linearBase(new LinearBase(1e-4, 0.5));
  }

  private static double loss(Fit fit, int round) {
    return fit.losses().get(round).total();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 7})
  void linearBase_extrapolates_andTreesLearnTheRest(double gamma) {
    Rows rows = rows(1, new Squared());
    Model model =
        new Booster(settings(new Squared()).gamma(gamma).build()).fit(FEATURES, rows).model();
    Scorer scorer = Scorer.of(model);
    double far = scorer.score(new double[] {14, 0.2}); // training saw 0 to 10
    assertThat(far - scorer.score(new double[] {11, 0.2})).isCloseTo(9, within(0.3));
    assertThat(scorer.score(new double[] {1e6, 0.2}))
        .isEqualTo(scorer.score(new double[] {16, 0.2}));
    assertThat(scorer.score(new double[] {5, 0.9}) - scorer.score(new double[] {5, 0.2}))
        .isCloseTo(5, within(0.7));
    assertThat(model.base().terms()).hasSize(2);
  }

  @Test
  void linearBase_startsLowerThanTheConstant_forEveryKindOfObjective() {
    for (Objective objective :
        List.of(
            new Squared(),
            Objective.named("logistic"),
            Objective.of("ordinal", Map.of("classes", 3.0)),
            Objective.of("softmax", Map.of("classes", 3.0)),
            Objective.named("absolute"))) {
      Rows rows = rows(2, objective);
      Fit linear = new Booster(settings(objective).build()).fit(FEATURES, rows);
      Fit constant = new Booster(settings(objective).linearBase(null).build()).fit(FEATURES, rows);
      assertThat(loss(linear, 0)).as(objective.name()).isLessThan(0.8 * loss(constant, 0));
      assertThat(loss(linear, 30)).as(objective.name()).isLessThan(loss(linear, 0));
      assertThat(linear.model().base().terms()).isNotEmpty();
    }
  }

  @Test
  void extension_keepsTheBase() {
    Rows rows = rows(3, new Squared());
    Booster booster = new Booster(settings(new Squared()).build());
    Model first = booster.fit(FEATURES, rows).model();
    Model second =
        booster.extend(first, FEATURES, rows(4, new Squared()), FitListener.NONE).model();
    assertThat(second.base()).isEqualTo(first.base());
    assertThat(second.segments()).hasSize(2);
  }

  @Test
  void monotoneFeature_holdsForTheBaseToo() {
    Rows rows = rows(5, new Squared());
    var falling = settings(new Squared()).monotone("trend", -1).build();
    Model model = new Booster(falling).fit(FEATURES, rows).model();
    assertThat(model.base().terms())
        .hasSize(1)
        .allSatisfy(term -> assertThat(term.feature()).isEqualTo(1));
    var rising = settings(new Squared()).monotone("trend", 1).build();
    Model other = new Booster(rising).fit(FEATURES, rows).model();
    assertThat(((LinearTerm.Numeric) other.base().terms().getFirst()).slope(0)).isPositive();
    Scorer scorer = Scorer.of(other);
    for (double trend = -5; trend < 20; trend += 0.25) {
      assertThat(scorer.score(new double[] {trend + 0.25, 0.5}))
          .isGreaterThanOrEqualTo(scorer.score(new double[] {trend, 0.5}));
    }
  }

  @Test
  void sameRows_giveTheSameBits() {
    Rows rows = rows(6, Objective.named("logistic"));
    var booster = new Booster(settings(Objective.named("logistic")).gamma(5).build());
    assertThat(booster.fit(FEATURES, rows).model()).isEqualTo(booster.fit(FEATURES, rows).model());
  }
}
