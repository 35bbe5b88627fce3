package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.GoldenAnchorCase;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.leaf.LeafSystem.LeafStep;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The leaf system and its raw Newton step against the reference vectors. */
class GoldenLeafTest {
  /** One tree for one raw score, the others being held. */
  @TestFactory
  Stream<DynamicTest> newtonStep() {
    return GoldenAnchorCase.tests(GoldenLeafTest::check);
  }

  /** A tree for each raw score, all alike, and a step over all leaves of all of them. */
  @TestFactory
  Stream<DynamicTest> jointStep() {
    return GoldenAnchorCase.tests(GoldenLeafTest::checkJoint);
  }

  @TestFactory
  Stream<DynamicTest> hessianOfRows() {
    return GoldenAnchorCase.tests(GoldenLeafTest::checkRows);
  }

  private static void check(GoldenAnchorCase golden) {
    AnchorState state = golden.state();
    int leaves = golden.leaves();
    for (int k = 0; k < golden.outputs(); k++) {
      LeafLayout layout = Layouts.of(golden.leafOf(), leaves, k);
      LeafSystem plain = LeafSystem.newton(state, layout, 0, 0);
      double[] gradient = new double[leaves];
      Arrays.setAll(gradient, plain::gradient);
      golden.assertMatches("g_leaf", k, gradient);
      golden.assertMatches("H_leaf", k, matrix(plain, leaves));
      LeafStep step = LeafSystem.newton(state, layout, 0, golden.lambda()).step();
      golden.assertMatches("beta", k, step.times(1));
      assertDescent(step, golden, "H_leaf", golden.reference("min_eig_H_leaf_plus_lambda")[k]);
    }
  }

  private static void checkJoint(GoldenAnchorCase golden) {
    if (!golden.has("joint_H")) {
      return;
    }
    AnchorState state = golden.state();
    LeafLayout perClass = Layouts.perOutput(golden.leafOf(), golden.leaves(), golden.outputs());
    golden.assertMatches(
        "joint_H", matrix(LeafSystem.newton(state, perClass, 0, 0), perClass.size));
    LeafStep step = LeafSystem.newton(state, perClass, 0, golden.lambda()).step();
    golden.assertMatches("joint_beta", step.times(1));
    assertDescent(step, golden, "joint_H", golden.reference("joint_min_eig")[0]);
    LeafLayout vector = Layouts.vector(golden.leafOf(), golden.leaves(), golden.outputs());
    double[] byLeaf = LeafSystem.newton(state, vector, 0, golden.lambda()).step().times(1);
    double[] byClass = new double[byLeaf.length];
    for (int unknown = 0; unknown < byLeaf.length; unknown++) {
      int leaf = unknown / golden.outputs();
      byClass[unknown % golden.outputs() * golden.leaves() + leaf] = byLeaf[unknown];
    }
    golden.assertMatches("joint_beta", byClass);
  }

  /** A step is one of descent if the matrix is positive definite; if it is singular, it may be. */
  private static void assertDescent(
      LeafStep step, GoldenAnchorCase golden, String matrix, double leastEigenvalue) {
    if (Math.abs(leastEigenvalue) > 1e-10 * GoldenNumbers.maxNorm(golden.reference(matrix))) {
      assertThat(step.descent()).isEqualTo(leastEigenvalue > 0);
    }
  }

  /** With a leaf for each row the leaf system is that of the rows themselves. */
  private static void checkRows(GoldenAnchorCase golden) {
    int[] leafOf = new int[golden.size()];
    Arrays.setAll(leafOf, row -> row);
    AnchorState state = golden.state();
    double[] diagonal = new double[golden.outputs() * golden.size()];
    for (int k = 0; k < golden.outputs(); k++) {
      LeafSystem system = LeafSystem.newton(state, Layouts.of(leafOf, golden.size(), k), 0, 0);
      for (int row = 0; row < golden.size(); row++) {
        diagonal[k * golden.size() + row] = system.curvature(row, row);
      }
    }
    golden.assertMatchesByOutput("hess_diag", diagonal);
  }

  private static double[] matrix(LeafSystem system, int size) {
    double[] matrix = new double[size * size];
    Arrays.setAll(matrix, k -> system.curvature(k / size, k % size));
    return matrix;
  }
}
