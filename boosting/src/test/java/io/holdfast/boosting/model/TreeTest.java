package io.holdfast.boosting.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Squared;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeTest {
  @Test
  void tree_fromItsOwnEntries_isEqual() {
    Tree tree = SampleModels.tree(new SplittableRandom(1), 9);
    int nodes = tree.innerNodes();
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] categorySet = new long[nodes][];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    double[] leafValues = new double[tree.leaves()];
    for (int node = 0; node < nodes; node++) {
      feature[node] = tree.feature(node);
      threshold[node] = tree.threshold(node);
      missingLeft[node] = tree.missingLeft(node);
      categorySet[node] = tree.categorySet(node);
      left[node] = tree.left(node);
      right[node] = tree.right(node);
    }
    for (int leaf = 0; leaf < leafValues.length; leaf++) {
      leafValues[leaf] = tree.leafValue(leaf);
    }
    Tree same = new Tree(feature, threshold, missingLeft, categorySet, left, right, leafValues);
    assertThat(same).isEqualTo(tree).hasSameHashCodeAs(tree);
    leafValues[0] = 99; // copied in, so nothing changes
    assertThat(same).isEqualTo(tree);
    assertThat(new Tree(feature, threshold, missingLeft, categorySet, left, right, leafValues))
        .isNotEqualTo(tree);
  }

  @ParameterizedTest
  @CsvSource({
    "0, -1, -2, -3, child of node 0 must be a leaf",
    "2, -1, -2, -3, child of node 0 must be a leaf",
    "-4, 1, -1, -2, child of node 0 must be a leaf",
    "1, -1, 1, -2, child of node 1 must be a leaf",
    "1, -1, -1, -2, must have one parent only",
    "1, 1, -1, -2, must have one parent only",
  })
  void tree_childrenThatAreNoTree_refused(
      int left0, int right0, int left1, int right1, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tree(left0, right0, left1, right1))
        .withMessageContaining(message);
  }

  @Test
  void tree_childrenEachReachedOnce_accepted() {
    assertThat(tree(1, -1, -3, -2).leaves()).isEqualTo(3);
    assertThat(tree(-1, 1, -2, -3).innerNodes()).isEqualTo(2);
    assertThat(leaf(7).leafOf(new double[1])).isZero();
  }

  @Test
  void tree_badEntries_refusedByName() {
    refused("feature of node 0 must be 0 or more: -1", -1, 0, new long[0], 1);
    refused("threshold of node 0 must not be NaN", 0, Double.NaN, new long[0], 1);
    refused("value of leaf 1 must be finite: NaN", 0, 0, new long[0], Double.NaN);
    refused("value of leaf 1 must be finite: Infinity", 0, 0, new long[0], 1.0 / 0);
    refused("category set of node 0 must have at most 1024 words: 1025", 0, 0, new long[1025], 1);
  }

  @Test
  void tree_lengthsThatDiffer_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> leaf(1, 2))
        .withMessage("a tree of 0 inner nodes must have 1 leaves: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Tree(
                    new int[1],
                    new double[1],
                    new boolean[1],
                    new long[1][0],
                    new int[] {-1},
                    new int[0],
                    new double[2]))
        .withMessageStartingWith("all arrays of a tree of 1 inner nodes must have that length");
  }

  @Test
  void model_treeThatDoesNotFit_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model(stump(4, new long[0])))
        .withMessage("feature of node 0 must be below the model's 4 features: 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model(stump(3, new long[0])))
        .withMessage("node 0 must be categorical, as its feature kind is");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model(stump(0, new long[] {1})))
        .withMessage("node 0 must be numeric, as its feature size is");
    assertThat(model(stump(3, new long[] {1})).trees()).isEqualTo(1);
  }

  @Test
  void model_namesThatAreThereTwice_refused() {
    var twice = List.of(new Feature.Numeric("a"), new Feature.Categorical("a", List.of("x")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Model(new Squared(), List.copyOf(twice), 0, List.of()))
        .withMessage("the features of a model must have different names: a is there twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Feature.Categorical("kind", List.of("x", "y", "x")))
        .withMessage("the categories of feature kind must be different: x is there twice");
  }

  @Test
  void model_valuesThatAreNotFinite_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Model(new Squared(), SampleRows.FEATURES, Double.NaN, List.of()))
        .withMessage("base of a model must be finite: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Segment(List.of(), Double.POSITIVE_INFINITY))
        .withMessage("decay of a segment must be finite: Infinity");
  }

  private static Model model(Tree tree) {
    return new Model(new Squared(), SampleRows.FEATURES, 0, List.of(new Segment(List.of(tree))));
  }

  private static Tree tree(int left0, int right0, int left1, int right1) {
    return new Tree(
        new int[2],
        new double[2],
        new boolean[2],
        new long[2][0],
        new int[] {left0, left1},
        new int[] {right0, right1},
        new double[3]);
  }

  private static Tree leaf(double... values) {
    return new Tree(
        new int[0], new double[0], new boolean[0], new long[0][], new int[0], new int[0], values);
  }

  private static Tree stump(int feature, long[] categories) {
    return stump(feature, 0, categories, 1);
  }

  private static Tree stump(int feature, double threshold, long[] categories, double value) {
    return new Tree(
        new int[] {feature},
        new double[] {threshold},
        new boolean[1],
        new long[][] {categories},
        new int[] {-1},
        new int[] {-2},
        new double[] {0, value});
  }

  private static void refused(
      String message, int feature, double threshold, long[] categories, double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stump(feature, threshold, categories, value))
        .withMessage(message);
  }
}
