package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.GoldenAnchorCase;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The anchor objective row by row against the reference vectors. */
class GoldenAnchorTest {
  @TestFactory
  Stream<DynamicTest> objective() {
    return GoldenAnchorCase.tests(GoldenAnchorTest::check);
  }

  private static void check(GoldenAnchorCase golden) {
    AnchorState state = golden.state();
    golden.assertMatches("base_loss", state.loss().base());
    golden.assertMatches("penalty", state.loss().penalty());
    golden.assertMatches("objective", state.loss().total());
    switch (state) {
      case ScalarState scalar -> {
        // Without an anchor gradients are all there is of r; rows weigh 1.
        double[] r = state.anchored() ? scalar.first : scalar.gradients();
        double[] first = Arrays.copyOf(r, golden.size());
        golden.assertMatches("r", first);
        double[] hessians = new double[golden.size()];
        state.hessians(0, 0, hessians);
        golden.assertMatches("dr", hessians);
        if (state.anchored()) { // nobody asks for it without an anchor
          golden.assertMatches("dr", Arrays.copyOf(scalar.second, golden.size()));
          golden.assertMatches("ddr", Arrays.copyOf(scalar.third, golden.size()));
        }
        golden.assertMatches("Pr", projected(golden, first));
      }
      case SoftmaxState softmax -> {
        // The reference has 1{y = k} − p for r; the sign does not matter to anything else.
        double[] first = new double[golden.outputs() * golden.size()];
        double[] projected = new double[first.length];
        for (int k = 0; k < golden.outputs(); k++) {
          double[] firstOfClass = new double[golden.size()];
          int output = k;
          Arrays.setAll(firstOfClass, row -> -softmax.first(output, row));
          System.arraycopy(firstOfClass, 0, first, k * golden.size(), golden.size());
          double[] projectedOfClass = projected(golden, firstOfClass);
          System.arraycopy(projectedOfClass, 0, projected, k * golden.size(), golden.size());
        }
        golden.assertMatchesByOutput("r", first);
        golden.assertMatchesByOutput("Pr", projected);
        if (golden.node().has("seed_penalty_gamma")) { // of ‖P r‖², with no ½
          double square = Arrays.stream(projected).map(value -> value * value).sum();
          double strength = golden.node().get("seed_penalty_gamma").asDouble();
          golden.assertMatches("penalty", strength * square);
        }
      }
    }
    double[] gradients = new double[golden.outputs() * golden.size()];
    state.gradients(gradients);
    golden.assertMatchesByOutput("grad", gradients);
    assertThat(golden.projection().rank()).isEqualTo((int) golden.reference("rank")[0]);
  }

  private static double[] projected(GoldenAnchorCase golden, double[] values) {
    double[] projected = new double[values.length];
    golden.projection().project(values, projected);
    return projected;
  }
}
