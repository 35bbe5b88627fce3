package io.holdfast.boosting.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.explain.PartialDependence.Grid;
import io.holdfast.boosting.explain.PartialDependence.Point;
import io.holdfast.boosting.explain.PartialDependence.Scale;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartialDependenceTest {
  private static final Rows ROWS = rows();

  @ParameterizedTest
  @EnumSource(Scale.class)
  void of_oneFeature_isTheMeanOverRowsWithItSet(Scale scale) {
    Model model = SampleModels.of(new Logistic(), 5, 2, 12);
    PartialDependence dependence = PartialDependence.of(model, ROWS, List.of(0), 5, scale);
    assertThat(dependence.features()).containsExactly(SampleRows.FEATURES.get(0));
    assertThat(dependence.environments()).containsExactly("north", "south");
    assertThat(dependence.points()).hasSize(6); // and missing
    Point point = dependence.points().get(2);
    double[] sums = new double[2];
    double[] weights = new double[2];
    double[] features = new double[4];
    for (int row = 0; row < ROWS.size(); row++) {
      ROWS.copyFeatures(row, features);
      features[0] = point.at().getFirst();
      double score = Scorer.of(model).score(features);
      double read = scale == Scale.RAW ? score : new Logistic().prediction(score);
      sums[ROWS.environment(row)] += ROWS.weight(row) * read;
      weights[ROWS.environment(row)] += ROWS.weight(row);
    }
    assertThat(point.means().getFirst())
        .isCloseTo((sums[0] + sums[1]) / (weights[0] + weights[1]), within(1e-13));
    for (int environment = 0; environment < 2; environment++) {
      assertThat(point.byEnvironment().get(environment).getFirst())
          .isCloseTo(sums[environment] / weights[environment], within(1e-13));
    }
  }

  @Test
  void of_additiveModel_isItsTermUpToAConstant() {
    Base base =
        Base.linear(
            new double[] {1},
            List.of(
                new LinearTerm.Numeric(1, 4, 0.5),
                new LinearTerm.Categorical(3, 1, 1, 2, 3, 4, 5)));
    Model model = new Model(new Squared(), SampleRows.FEATURES, base, List.of());
    PartialDependence dependence =
        PartialDependence.of(model, ROWS, List.of(1, 3), 30, Scale.PREDICTION);
    assertThat(dependence.points()).hasSize(11 * 6);
    for (Point point : dependence.points()) {
      double level = point.at().get(0);
      double kind = point.at().get(1);
      double term = Double.isNaN(level) ? 0 : 0.5 * (level - 4);
      double effect = Double.isNaN(kind) ? 0 : kind + 1;
      assertThat(point.means().getFirst()).isCloseTo(1 + term + effect, within(1e-12));
    }
  }

  @Test
  void of_classes_meansAreProbabilitiesOfEach() {
    Base base =
        Base.linear(new double[] {0, 0, 0}, List.of(new LinearTerm.Numeric(1, 4, 0.5, 0, -0.5)));
    Model model = new Model(new Softmax(3), SampleRows.FEATURES, base, List.of());
    Point point =
        PartialDependence.of(model, ROWS, List.of(1), 30, Scale.PREDICTION).points().get(6);
    assertThat(point.at()).containsExactly(6.0);
    double total = StrictMath.exp(1) + 1 + StrictMath.exp(-1);
    assertThat(point.means()).hasSize(3);
    assertThat(point.means().get(0)).isCloseTo(StrictMath.exp(1) / total, within(1e-12));
    assertThat(point.means().get(1)).isCloseTo(1 / total, within(1e-12));
    Point raw = PartialDependence.of(model, ROWS, List.of(1), 30, Scale.RAW).points().get(6);
    assertThat(raw.means()).containsExactly(1.0, 0.0, -1.0);
  }

  @Test
  void grid_numeric_isAllValuesOrQuantiles() {
    assertThat(grid(0, 10, 1, 1, 2, 3, 5)).containsExactly(1, 2, 3, 5);
    assertThat(grid(0, 3, 1, 2, 3, 4, 5)).containsExactly(1, 3, 5);
    assertThat(grid(0, 3, 1, 1, 1, 1, 1, 1, 2, 3)).containsExactly(1, 2, 3);
    assertThat(grid(0, 2, 1, 1, 1, 1, 1, 1, 2, 3)).containsExactly(1, 3);
    assertThat(grid(0, 5, 0.0, -0.0, Double.NEGATIVE_INFINITY, 1)).containsExactly(0, 1);
    assertThat(grid(0, 5, Double.NaN, 4)).containsExactly(4, Double.NaN);
    assertThat(grid(0, 5, Double.POSITIVE_INFINITY)).containsExactly(Double.NaN);
  }

  @Test
  void grid_weights_countAsRows() {
    Rows.Builder rows = Rows.builder(4);
    for (int value = 1; value <= 9; value++) {
      rows.add(new double[] {value, 0, 0, 0}, 0, value == 8 ? 20 : 1, "");
    }
    assertThat(Grid.of(SampleRows.FEATURES.getFirst(), 0, rows.build(), 3))
        .containsExactly(1, 8, 9);
  }

  @Test
  void grid_categorical_isTheCodesOrTheHeaviest() {
    assertThat(grid(3, 10, 4, 0, 4, 2)).containsExactly(0, 2, 4);
    assertThat(grid(3, 2, 4, 4, 0, 1, 1, 2)).containsExactly(1, 4);
    assertThat(grid(3, 2, 4, -1, 0.5, Double.NaN)).containsExactly(4, Double.NaN);
  }

  @Test
  void of_whatDoesNotFit_saysWhat() {
    Model model = SampleModels.of(new Squared(), 1, 1, 1);
    refused("there must be at least 1 row to average over: 0", model, none(), List.of(0), 5);
    refused("the column of a feature must be 0 to 3: 4", model, ROWS, List.of(4), 5);
    refused("a grid must have at least 2 points a feature: 1", model, ROWS, List.of(0), 1);
    String count = "partial dependence must be on one feature or two different ones: ";
    refused(count + "[]", model, ROWS, List.of(), 5);
    refused(count + "[1, 1]", model, ROWS, List.of(1, 1), 5);
    refused(count + "[0, 1, 2]", model, ROWS, List.of(0, 1, 2), 5);
  }

  private static void refused(
      String message, Model model, Rows rows, List<Integer> columns, int gridPoints) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PartialDependence.of(model, rows, columns, gridPoints, Scale.RAW))
        .withMessage(message);
  }

  private static double[] grid(int column, int most, double... values) {
    Rows.Builder rows = Rows.builder(4);
    for (double value : values) {
      double[] features = new double[4];
      features[column] = value;
      rows.add(features, 0, "");
    }
    return Grid.of(SampleRows.FEATURES.get(column), column, rows.build(), most);
  }

  private static Rows none() {
    return Rows.builder(4).build();
  }

  private static Rows rows() {
    var random = new SplittableRandom(8);
    Rows.Builder rows = Rows.builder(4);
    for (int row = 0; row < 300; row++) {
      String environment = row % 3 == 0 ? "north" : "south";
      rows.add(SampleRows.values(random), 0, 1 + row % 4, environment);
    }
    return rows.build();
  }
}
