package io.holdfast.boosting.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.explain.Importance.Entry;
import io.holdfast.boosting.explain.Importance.Measure;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImportanceTest {
  /** level, then to the right size: gains 3 and 1; then a fresh segment's stump on size, gain 2. */
  private static final Model MODEL =
      new Model(
          new Squared(),
          SampleRows.FEATURES,
          Base.constant(0),
          List.of(
              new Segment(
                  List.of(
                      tree(new int[] {1, 0}, new int[] {-1, -2}, new int[] {1, -3})
                          .withStatistics(new float[] {3, 1}, new float[] {4, 2, 2})),
                  -0.5),
              new Segment(
                  List.of(
                      tree(new int[] {0}, new int[] {-1}, new int[] {-2})
                          .withStatistics(new float[] {2}, new float[] {1, 1}),
                      tree(new int[0], new int[0], new int[0])))));

  @Test
  void byGain_model_sumsGainsByFeatureAndDecay() {
    Importance importance = Importance.byGain(MODEL);
    assertThat(importance.measure()).isEqualTo(Measure.GAIN);
    assertThat(importance.entries())
        .containsExactly(
            new Entry("size", 2.5),
            new Entry("level", 1.5),
            new Entry("noise", 0),
            new Entry("kind", 0));
  }

  @Test
  void bySplits_model_countsThem() {
    assertThat(Importance.bySplits(MODEL).entries())
        .extracting(Entry::value)
        .containsExactly(2.0, 1.0, 0.0, 0.0);
  }

  @Test
  void normalised_anything_sharesOfOne() {
    assertThat(Importance.byGain(MODEL).normalised().entries())
        .extracting(Entry::value)
        .containsExactly(0.625, 0.375, 0.0, 0.0);
    Model none = new Model(new Squared(), SampleRows.FEATURES, 0, List.of());
    assertThat(Importance.byGain(none).normalised().entries())
        .extracting(Entry::value)
        .containsExactly(0.0, 0.0, 0.0, 0.0);
  }

  @Test
  void ranked_ties_keepTheOrderOfFeatures() {
    var importance =
        new Importance(
            Measure.SPLITS,
            List.of(new Entry("a", 0), new Entry("b", 2), new Entry("c", 0), new Entry("d", 3)));
    assertThat(importance.ranked().entries())
        .extracting(Entry::feature)
        .containsExactly("d", "b", "a", "c");
  }

  @Test
  void byContribution_rows_isTheWeightedMeanSize() {
    Model model = SampleModels.withStatistics(SampleModels.of(new Squared(), 3, 2, 9), 3);
    Explainer explainer = Explainer.of(model);
    double[] first = {0.5, 7, Double.NaN, 1};
    double[] second = {-1, 2, 0.1, 4};
    var means = new MeanContributions(model.features());
    means.add(explainer.explain(first), 3);
    means.add(explainer.explain(second), 1);
    Importance importance = means.importance();
    double[] ofFirst = new double[4];
    double[] ofSecond = new double[4];
    explainer.contributions(first, ofFirst);
    explainer.contributions(second, ofSecond);
    for (int column = 0; column < 4; column++) {
      assertThat(importance.entries().get(column).value())
          .isCloseTo(
              0.75 * Math.abs(ofFirst[column]) + 0.25 * Math.abs(ofSecond[column]), within(1e-15));
    }
  }

  @Test
  void importance_ofWhatIsNotThere_saysSo() {
    Model bare = SampleModels.of(new Squared(), 3, 1, 9);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Importance.byGain(bare))
        .withMessageMatching(
            "a model must know what its splits gained, and tree . of 9 does not: .*");
    assertThat(Importance.bySplits(bare).entries()).hasSize(4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MeanContributions(MODEL.features()).importance())
        .withMessage("there must be at least 1 row to explain: 0");
  }

  private static Tree tree(int[] feature, int[] left, int[] right) {
    int nodes = feature.length;
    return new Tree(
        feature,
        new double[nodes],
        new boolean[nodes],
        new long[nodes][0],
        left,
        right,
        new double[nodes + 1]);
  }
}
