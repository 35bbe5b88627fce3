package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.ada.AdaBoostFit;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The examples that boosting is taught with, by hand and by this engine. */
class WorkedExamplesTest {
  private static final Offset<Double> EXACT = within(1e-14);

  /** Two of three love it, and the one who does not shares a leaf with one who does. */
  @Test
  void logistic_ofThreeRows_hasLogOddsOfTwoAndLeavesOfThreeHalvesAndMinusThreeQuarters() {
    Fit fit = fit("logistic", Penalties.ridge(0), new double[] {1, 2, 2}, 1, 1, 0);
    double logOdds = fit.model().base().intercept(0);
    assertThat(logOdds).isCloseTo(StrictMath.log(2), EXACT).isCloseTo(0.69, within(0.005));
    Tree tree = onlyTree(fit);
    assertThat(tree.leafValue(0)).isCloseTo(0.1 * 3 / 2, EXACT);
    assertThat(tree.leafValue(1)).isCloseTo(0.1 * -3 / 4, EXACT); // −0.77 if p is first rounded
    double score = Scorer.of(fit.model()).score(new double[] {1});
    assertThat(fit.model().objective().prediction(score)).isCloseTo(0.6991, within(5e-5));
  }

  /** Weights of people: they start from the mean, and leaves are means of what is left. */
  @Test
  void squared_ofThreeRows_startsFromTheMeanAndLeavesAreMeansOfResiduals() {
    Fit fit = fit("squared", Penalties.ridge(0), new double[] {2, 2, 1}, 88, 76, 56);
    assertThat(fit.model().base().intercept(0)).isCloseTo(220 / 3.0, EXACT);
    assertThat(onlyTree(fit).leafValue(0)).isCloseTo(0.1 * -52 / 3, EXACT);
    assertThat(onlyTree(fit).leafValue(1)).isCloseTo(0.1 * 26 / 3, EXACT);
    Scorer scorer = Scorer.of(fit.model());
    assertThat(scorer.score(new double[] {2})).isCloseTo(74.2, EXACT);
    assertThat(scorer.score(new double[] {1})).isCloseTo(71.6, EXACT);
  }

  /**
   * With residuals S = −6 and 6 of two rows each the leaf value is T(S)/(H + λ₂), and the split is
   * worth ½ (T(S)²/(H + λ₂) + T(S)²/(H + λ₂)) − α, the parent's sum being 0.
   */
  @Test
  void leaf_withRegularisers_isTheSoftThresholdOverTheStiffenedCurvature() {
    double[] x = {1, 1, 2, 2};
    double[] y = {1, 3, 7, 9}; // the mean is 5
    checkLeaf(new Penalties(0, 0, 0), x, y, 3, 18);
    checkLeaf(new Penalties(0, 1, 0), x, y, 2, 12);
    checkLeaf(new Penalties(2, 0, 0), x, y, 2, 8);
    checkLeaf(new Penalties(2, 2, 0.5), x, y, 1, 3.5);
    Fit priced = fit("squared", new Penalties(2, 2, 4), x, y);
    assertThat(onlyTree(priced).leaves()).isEqualTo(1);
    Fit shrunk = fit("squared", new Penalties(6, 0, 0), x, y);
    assertThat(onlyTree(shrunk).leaves()).isEqualTo(1);
  }

  private static void checkLeaf(
      Penalties penalties, double[] x, double[] y, double value, double gain) {
    Tree tree = onlyTree(fit("squared", penalties, x, y));
    assertThat(tree.leafValue(0)).isCloseTo(0.1 * -value, EXACT);
    assertThat(tree.leafValue(1)).isCloseTo(0.1 * value, EXACT);
    assertThat(tree.gain(0)).isEqualTo((float) gain);
  }

  /** Ten points on a line, which no stump parts: three stumps together do. */
  @Test
  void adaBoost_ofTenPoints_hasErrorsOfThreeTenthsThreeFourteenthsAndTwoElevenths() {
    int[] labels = {1, 1, 1, 0, 0, 0, 1, 1, 1, 0};
    Rows.Builder builder = Rows.builder(1);
    for (int x = 0; x < labels.length; x++) {
      builder.add(new double[] {x}, labels[x], "all");
    }
    Rows rows = builder.build();
    AdaBoostFit fit = votes(2, rows);
    checkRounds(fit, 0, 3 / 10.0, 3 / 14.0, 2 / 11.0);
    double[] thresholds = {2.5, 8.5, 5.5};
    for (int round = 0; round < 3; round++) {
      Tree stump = fit.model().segments().getFirst().trees().get(round);
      assertThat(stump.threshold(0)).isEqualTo(thresholds[round]);
      double left = round < 2 ? 1 : -1;
      double half = 0.5 * fit.rounds().get(round).vote();
      assertThat(stump.leafValue(-1 - stump.left(0))).isEqualTo(left * half);
      assertThat(stump.leafValue(-1 - stump.right(0))).isEqualTo(-left * half);
    }
    double[] scores = Scorer.of(fit.model()).scores(rows);
    for (int row = 0; row < labels.length; row++) {
      assertThat(scores[row] > 0).isEqualTo(labels[row] == 1);
    }
  }

  /** One of eight is wrong: an amount of say of 0.97, which the notes read off a curve. */
  @Test
  void adaBoost_oneOfEightWrong_hasAnAmountOfSayOfHalfLogSeven() {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < 8; row++) {
      rows.add(new double[] {row < 3 ? 1 : 2}, row < 3 || row == 7 ? 1 : 0, "all");
    }
    AdaBoostFit fit = votes(2, rows.build());
    assertThat(fit.rounds().getFirst().error()).isCloseTo(1 / 8.0, EXACT);
    assertThat(0.5 * fit.rounds().getFirst().vote())
        .isCloseTo(0.5 * StrictMath.log(7), EXACT)
        .isCloseTo(0.97, within(0.005));
  }

  /** Three classes: SAMME adds log 2 to each vote, so that a stump better than guessing counts. */
  @Test
  void samme_ofThreeClasses_addsLogOfClassesLessOne() {
    double[][] x = {
      {5.8, 9.6}, {6.4, 2.7}, {9.7, 1.8}, {5.4, 1.4}, {9.8, 4.6},
      {2.5, 3.0}, {3.6, 0.8}, {2.9, 0.7}, {6.0, 8.2}, {5.9, 9.8}
    };
    int[] labels = {2, 0, 1, 2, 2, 0, 2, 0, 2, 1};
    Rows.Builder rows = Rows.builder(2);
    for (int row = 0; row < labels.length; row++) {
      rows.add(x[row], labels[row], "all");
    }
    checkRounds(votes(3, rows.build()), StrictMath.log(2), 3 / 10.0, 26 / 63.0, 34 / 111.0);
  }

  private static void checkRounds(AdaBoostFit fit, double more, double... errors) {
    for (int round = 0; round < errors.length; round++) {
      double odds = StrictMath.log((1 - errors[round]) / errors[round]);
      assertThat(fit.rounds().get(round).error()).isCloseTo(errors[round], EXACT);
      assertThat(fit.rounds().get(round).vote()).isCloseTo(odds + more, EXACT);
    }
  }

  private static AdaBoostFit votes(int classes, Rows rows) {
    var settings = AdaBoostSettings.stumps(3).withCriterion(Criterion.ERROR);
    List<Feature> features = List.of(new Feature.Numeric("x"), new Feature.Numeric("z"));
    return new AdaBooster(settings).fit(classes, features.subList(0, rows.width()), rows);
  }

  private static Fit fit(String objective, Penalties penalties, double[] x, double... labels) {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < x.length; row++) {
      rows.add(new double[] {x[row]}, labels[row], "all");
    }
    var settings =
        BoosterSettings.builder(Objective.named(objective))
            .rounds(1)
            .learningRate(0.1)
            .trees(new TreeLimits(2, 1, 1, 0, 0))
            .penalties(penalties)
            .build();
    return new Booster(settings).fit(List.of(new Feature.Numeric("x")), rows.build());
  }

  private static Tree onlyTree(Fit fit) {
    assertThat(fit.model().trees()).isEqualTo(1);
    return fit.model().segments().getFirst().trees().getFirst();
  }
}
