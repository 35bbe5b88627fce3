package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.GoldenAnchorCase;
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
    ScalarState state = (ScalarState) golden.state();
    golden.assertMatches("base_loss", state.loss().base());
    golden.assertMatches("penalty", state.loss().penalty());
    golden.assertMatches("objective", state.loss().total());
    golden.assertMatches("r", state.first);
    golden.assertMatches("dr", state.second);
    golden.assertMatches("ddr", state.third);
    double[] projected = new double[golden.size()];
    golden.projection().project(state.first, projected);
    golden.assertMatches("Pr", projected);
    double[] gradients = new double[golden.size()];
    state.gradients(gradients);
    golden.assertMatches("grad", gradients);
    assertThat(golden.projection().rank()).isEqualTo((int) golden.reference("rank")[0]);
  }
}
