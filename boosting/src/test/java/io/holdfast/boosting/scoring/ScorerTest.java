package io.holdfast.boosting.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScorerTest {
  /** Missing, infinite, unseen, not a code at all, and next to the thresholds of the samples. */
  private static final double[] EDGES = {
    Double.NaN,
    Double.NEGATIVE_INFINITY,
    Double.POSITIVE_INFINITY,
    -Double.MAX_VALUE,
    Double.MAX_VALUE,
    -1,
    -0.5,
    -0.0,
    0,
    Math.nextDown(3.0),
    3,
    Math.nextUp(3.0),
    2.5,
    4,
    63,
    64,
    127,
    128,
    1e9,
    1e300
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void of_anyModelAndFeatures_sameBitsAsTreeWalk(long seed) {
    var random = new SplittableRandom(seed);
    Model model = SampleModels.of(new Squared(), seed, random.nextInt(4), random.nextInt(30));
    Scorer flat = Scorer.of(model);
    Scorer walk = new TreeWalkScorer(model);
    for (int row = 0; row < 2000; row++) {
      double[] features = SampleRows.values(random);
      for (int column = 0; column < features.length; column++) {
        if (random.nextInt(3) == 0) {
          features[column] = EDGES[random.nextInt(EDGES.length)];
        }
      }
      assertSameBits(flat.score(features), walk.score(features), features);
    }
  }

  @Test
  void of_noTrees_isBase() {
    Model model = new Model(new Squared(), SampleRows.FEATURES, 0.25, List.of());
    assertThat(Scorer.of(model).score(new double[4])).isEqualTo(0.25);
    assertThat(new TreeWalkScorer(model).score(new double[4])).isEqualTo(0.25);
  }

  @Test
  void score_thresholdExactly_goesLeft() {
    Tree tree = stump(2.5, false, new long[0]);
    assertThat(score(tree, 2.5)).isEqualTo(-1);
    assertThat(score(tree, Math.nextUp(2.5))).isEqualTo(1);
  }

  @Test
  void score_missing_goesWhereTheNodeSays() {
    assertThat(score(stump(2.5, true, new long[0]), Double.NaN)).isEqualTo(-1);
    assertThat(score(stump(2.5, false, new long[0]), Double.NaN)).isEqualTo(1);
    // A threshold above everything parts what is there from what is missing.
    assertThat(score(stump(Double.POSITIVE_INFINITY, false, new long[0]), Double.NaN)).isEqualTo(1);
    assertThat(score(stump(Double.POSITIVE_INFINITY, false, new long[0]), Double.MAX_VALUE))
        .isEqualTo(-1);
  }

  @Test
  void scores_ofRows_sameAsOneByOne() {
    Model model = SampleModels.of(new Squared(), 3, 2, 10);
    Rows rows = SampleRows.of(new Squared(), 3, 100, 2);
    double[] scores = Scorer.of(model).scores(rows);
    double[] features = new double[4];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      assertSameBits(scores[row], new TreeWalkScorer(model).score(features), features);
    }
  }

  @Test
  void score_wrongWidth_saysWhatWidth() {
    Model model = SampleModels.of(new Squared(), 1, 1, 1);
    for (Scorer scorer : List.of(Scorer.of(model), new TreeWalkScorer(model))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> scorer.score(new double[3]))
          .withMessage("a row must have 4 features: 3");
    }
  }

  private static void assertSameBits(double actual, double expected, double[] features) {
    assertThat(Double.doubleToRawLongBits(actual))
        .as("%s against %s for %s", actual, expected, features)
        .isEqualTo(Double.doubleToRawLongBits(expected));
  }

  private static double score(Tree tree, double value) {
    Model model =
        new Model(new Squared(), SampleRows.FEATURES, 0, List.of(new Segment(List.of(tree))));
    double[] features = {value, value, value, value};
    double score = Scorer.of(model).score(features);
    assertSameBits(new TreeWalkScorer(model).score(features), score, features);
    return score;
  }

  private static Tree stump(double threshold, boolean missingLeft, long[] categories) {
    return new Tree(
        new int[] {0},
        new double[] {threshold},
        new boolean[] {missingLeft},
        new long[][] {categories},
        new int[] {-1},
        new int[] {-2},
        new double[] {-1, 1});
  }
}
