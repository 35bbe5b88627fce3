package io.holdfast.boosting.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaseTest {
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("size"), new Feature.Categorical("kind", List.of("red", "green")));
  private static final Base LINEAR =
      Base.linear(
          new double[] {1},
          List.of(new LinearTerm.Numeric(0, 10, 0.5), new LinearTerm.Categorical(1, 1, 3, -2)));

  @Test
  void linearBase_addsInterceptAndTerms() {
    assertThat(LINEAR.score(new double[] {14, 0})).isEqualTo(1 + 2 + 3);
    assertThat(LINEAR.score(new double[] {8, 1})).isEqualTo(1 - 1 - 2);
  }

  @Test
  void missingInfiniteHugeOrUnseen_addsNothing() {
    for (double size : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1e101, 10}) {
      for (double kind : new double[] {Double.NaN, 2, -1, 0.5, Double.NEGATIVE_INFINITY}) {
        assertThat(LINEAR.score(new double[] {size, kind})).isEqualTo(1);
      }
    }
  }

  @Test
  void severalOutputs_haveTheirOwnSlopes() {
    Base base =
        Base.linear(
            new double[] {1, 2},
            List.of(
                new LinearTerm.Numeric(0, 0, 1, -1), new LinearTerm.Categorical(1, 2, 5, 6, 7, 8)));
    double[] target = new double[2];
    base.score(new double[] {3, 1}, target);
    assertThat(target).containsExactly(1 + 3 + 7, 2 - 3 + 8);
  }

  @Test
  void scorers_agreeOnLinearBase() {
    var model = new Model(new Squared(), FEATURES, LINEAR, List.of());
    double[] row = {-7.3, 1};
    double expected = LINEAR.score(row);
    assertThat(Scorer.of(model).score(row)).isEqualTo(expected);
    assertThat(new TreeWalkScorer(model).score(row)).isEqualTo(expected);
  }

  @Test
  void equality_isOfAllNumbers() {
    assertThat(LINEAR)
        .isEqualTo(
            Base.linear(
                new double[] {1},
                List.of(
                    new LinearTerm.Numeric(0, 10, 0.5), new LinearTerm.Categorical(1, 1, 3, -2))))
        .isNotEqualTo(Base.constant(1))
        .isNotEqualTo(
            Base.linear(
                new double[] {1},
                List.of(
                    new LinearTerm.Numeric(0, 10, 0.5), new LinearTerm.Categorical(1, 1, 3, -1))));
  }

  @Test
  void termsThatDoNotFit_areRefused() {
    assertThatThrownBy(() -> new LinearTerm.Numeric(0, 0, Double.NaN))
        .hasMessageContaining("slopes");
    assertThatThrownBy(() -> new LinearTerm.Numeric(0, Double.NaN, 1)).hasMessageContaining("mean");
    assertThatThrownBy(
            () ->
                Base.linear(
                    new double[] {0},
                    List.of(new LinearTerm.Numeric(1, 0, 1), new LinearTerm.Numeric(0, 0, 1))))
        .hasMessage("linear terms must be in the order of features: 0 after 1");
    Base ofOther = Base.linear(new double[] {0}, List.of(new LinearTerm.Numeric(1, 0, 1)));
    assertThatThrownBy(() -> new Model(new Squared(), FEATURES, ofOther, List.of()))
        .hasMessageContaining("linear term of feature kind");
    Base tooMany =
        Base.linear(new double[] {0}, List.of(new LinearTerm.Categorical(1, 1, 1, 2, 3)));
    assertThatThrownBy(() -> new Model(new Squared(), FEATURES, tooMany, List.of()))
        .hasMessageContaining("at most as many categories");
    Base tooFar = Base.linear(new double[] {0}, List.of(new LinearTerm.Numeric(2, 0, 1)));
    assertThatThrownBy(() -> new Model(new Squared(), FEATURES, tooFar, List.of()))
        .hasMessageContaining("below the model's 2 features");
  }
}
