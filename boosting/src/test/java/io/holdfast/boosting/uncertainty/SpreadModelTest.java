package io.holdfast.boosting.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The size of errors is learned by the row. */
class SpreadModelTest {
  private static final List<Feature> FEATURES = List.of(new Feature.Numeric("x"));

  @Test
  void errors_thatGrowWithAFeature_areExpectedTo() {
    var random = new Random(1);
    Rows.Builder builder = Rows.builder(1);
    double[] predictions = new double[4_000];
    for (int row = 0; row < predictions.length; row++) {
      double x = random.nextDouble();
      predictions[row] = 10 * x;
      builder.add(new double[] {x}, 10 * x + (x < 0.5 ? 1 : 4) * random.nextGaussian(), 1, "e");
    }
    Model model = SpreadModel.fit(FEATURES, builder.build(), predictions, 1);
    double ratio = spread(model, 0.75) / spread(model, 0.25);
    assertThat(ratio).isCloseTo(4, within(0.6));
    assertThat(spread(model, 0.25)).isCloseTo(Math.sqrt(2 / Math.PI), within(0.15));
  }

  @Test
  void rowsWithoutErrors_haveASpreadAboveNone() {
    Rows rows = Rows.builder(1).add(new double[] {1}, 5, 1, "e").build();
    Model model = SpreadModel.fit(FEATURES, rows, new double[] {5}, 1);
    assertThat(spread(model, 1)).isPositive();
  }

  @Test
  void aFeatureNamedPrediction_keepsItsName() {
    List<Feature> features = List.of(new Feature.Numeric("prediction"));
    assertThat(SpreadModel.features(features).stream().map(Feature::name))
        .containsExactly("prediction", "prediction_");
  }

  private static double spread(Model model, double x) {
    double[] raw = new double[1];
    Scorer.of(model).score(new double[] {x, 10 * x}, raw);
    return SpreadModel.spread(raw[0]);
  }
}
