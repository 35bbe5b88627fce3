package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.GoldenAnchorCase;
import io.holdfast.boosting.anchor.AnchorState;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The leaf system and its raw Newton step against the reference vectors. */
class GoldenLeafTest {
  @TestFactory
  Stream<DynamicTest> newtonStep() {
    return GoldenAnchorCase.tests(GoldenLeafTest::check);
  }

  @TestFactory
  Stream<DynamicTest> hessianOfRows() {
    return GoldenAnchorCase.tests(GoldenLeafTest::checkRows);
  }

  private static void check(GoldenAnchorCase golden) {
    AnchorState state = golden.state();
    int leaves = golden.leaves();
    LeafLayout layout = Layouts.of(golden.leafOf(), leaves);
    LeafSystem plain = LeafSystem.newton(state, layout, 0, 0);
    double[] gradient = new double[leaves];
    Arrays.setAll(gradient, plain::gradient);
    golden.assertMatches("g_leaf", gradient);
    double[] matrix = new double[leaves * leaves];
    Arrays.setAll(matrix, k -> plain.curvature(k / leaves, k % leaves));
    golden.assertMatches("H_leaf", matrix);
    LeafStep step = LeafSystem.newton(state, layout, 0, golden.lambda()).step();
    golden.assertMatches("beta", step.times(1));
    assertThat(step.descent()).isEqualTo(golden.reference("min_eig_H_leaf_plus_lambda")[0] > 0);
  }

  /** With a leaf for each row the leaf system is that of the rows themselves. */
  private static void checkRows(GoldenAnchorCase golden) {
    int[] leafOf = new int[golden.size()];
    Arrays.setAll(leafOf, row -> row);
    LeafSystem system = LeafSystem.newton(golden.state(), Layouts.of(leafOf, golden.size()), 0, 0);
    double[] diagonal = new double[golden.size()];
    Arrays.setAll(diagonal, row -> system.curvature(row, row));
    golden.assertMatches("hess_diag", diagonal);
  }
}
