package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds the distinct tests of a model's nodes and numbers their columns. Used by one thread. */
final class ColumnsBuilder {
  private static final double[] NONE = {};

  final int[] searched; // features that are tested by thresholds, ascending
  final ThresholdRanks numbers; // of the searched features
  final int[][] numericColumn; // by feature: where missing goes right, and left, or -1
  final List<CategorySets.Test> sets = new ArrayList<>(); // their columns are the last
  int columns;
  private final double[][] thresholds; // of each feature: ascending, distinct
  private final int[] search; // of each feature, if it is searched
  private final Map<CategorySets.Test, Integer> setColumn = new HashMap<>();
  private final Map<@Nullable CategoryGroups, Integer> groups = new HashMap<>(); // by appearance

  ColumnsBuilder(Model model) {
    int width = model.features().size();
    thresholds = new double[width][];
    Arrays.fill(thresholds, NONE);
    numericColumn = new int[width][];
    int[] used = new int[width];
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        collect(tree, used);
      }
    }
    searched = IntStream.range(0, width).filter(feature -> used[feature] > 0).toArray();
    search = new int[width];
    double[][] ofSearched = new double[searched.length][];
    for (int k = 0; k < searched.length; k++) {
      int feature = searched[k];
      search[feature] = k;
      thresholds[feature] = distinct(thresholds[feature], used[feature]);
      ofSearched[k] = thresholds[feature];
    }
    numbers = new ThresholdRanks(ofSearched);
    numberColumns();
    sets.sort(
        Comparator.comparingInt(CategorySets.Test::feature)
            .thenComparingInt(test -> groups.getOrDefault(test.groups(), -1)));
    for (CategorySets.Test set : sets) {
      setColumn.put(set, columns++);
    }
  }

  /**
   * Numbers the columns of searched features. If some have two, and there is room, those where
   * missing values go right are a fixed number behind the others, so that a row's ranks are copied
   * at once; else columns simply follow.
   */
  private void numberColumns() {
    int size = searched.length;
    boolean two =
        Arrays.stream(searched)
            .anyMatch(feature -> numericColumn[feature][0] == 0 && numericColumn[feature][1] == 0);
    if (two && 2 * size + sets.size() <= TreeLanes.COLUMNS) {
      for (int k = 0; k < size; k++) {
        int[] column = numericColumn[searched[k]];
        column[1] = column[1] < 0 ? -1 : k;
        column[0] = column[0] < 0 ? -1 : size + k;
      }
      columns = 2 * size;
      return;
    }
    for (int feature : searched) {
      for (int side = 0; side < 2; side++) {
        numericColumn[feature][side] = numericColumn[feature][side] < 0 ? -1 : columns++;
      }
    }
  }

  private void collect(Tree tree, int[] used) {
    for (int node = 0; node < tree.innerNodes(); node++) {
      int feature = tree.feature(node);
      if (tree.categorical(node)) {
        CategorySets.Test test = test(tree, node);
        if (setColumn.putIfAbsent(test, -1) == null) {
          sets.add(test);
          groups.putIfAbsent(test.groups(), groups.size());
        }
        continue;
      }
      if (used[feature] == 0) {
        numericColumn[feature] = new int[] {-1, -1};
      }
      if (used[feature] == thresholds[feature].length) {
        thresholds[feature] = Arrays.copyOf(thresholds[feature], Math.max(16, 2 * used[feature]));
      }
      thresholds[feature][used[feature]++] = tree.threshold(node) + 0.0; // −0 becomes 0
      numericColumn[feature][side(tree.missingLeft(node))] = 0;
    }
  }

  private static double[] distinct(double[] values, int size) {
    double[] sorted = Arrays.copyOf(values, size);
    Arrays.sort(sorted);
    int distinct = 0;
    for (double value : sorted) {
      if (distinct == 0 || value != sorted[distinct - 1]) {
        sorted[distinct++] = value;
      }
    }
    return Arrays.copyOf(sorted, distinct);
  }

  private static int side(boolean missingLeft) {
    return missingLeft ? 1 : 0;
  }

  private static CategorySets.Test test(Tree tree, int node) {
    List<Long> words = Arrays.stream(tree.categorySet(node)).boxed().toList();
    return new CategorySets.Test(
        tree.feature(node), tree.categoryGroups(node), tree.missingLeft(node), words);
  }

  int column(Tree tree, int node) {
    return tree.categorical(node)
        ? setColumn.getOrDefault(test(tree, node), -1)
        : numericColumn[tree.feature(node)][side(tree.missingLeft(node))];
  }

  /** The highest rank that a node sends left. */
  int bound(Tree tree, int node) {
    if (tree.categorical(node)) {
      return 0;
    }
    int feature = tree.feature(node);
    double threshold = tree.threshold(node) + 0.0;
    // As many thresholds are below it as come before it: its rank, found faster than by halving.
    return Double.isInfinite(threshold)
        ? Arrays.binarySearch(thresholds[feature], threshold)
        : numbers.rank(search[feature], threshold);
  }
}
