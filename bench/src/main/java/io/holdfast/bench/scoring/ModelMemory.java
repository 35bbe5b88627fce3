package io.holdfast.bench.scoring;

import io.holdfast.bench.report.Runs;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a model takes in the heap: the difference that many copies of its trees make. Stateless. */
final class ModelMemory {
  private static final int COPIES = 20;

  /** What else the program frees or takes meanwhile disturbs a single measurement. */
  private static final int TIMES = 5;

  private ModelMemory() {}

  /** The bytes of the trees of a model of numeric features and one output. */
  static long bytes(Model model) {
    double[] measured = new double[TIMES];
    Arrays.setAll(measured, _ -> measure(model));
    return (long) Runs.median(measured);
  }

  private static long measure(Model model) {
    long before = used();
    List<List<Tree>> copies = new ArrayList<>();
    for (int k = 0; k < COPIES; k++) {
      List<Tree> copy = new ArrayList<>();
      for (Segment segment : model.segments()) {
        segment.trees().forEach(tree -> copy.add(copy(tree)));
      }
      copies.add(copy);
    }
    long after = used();
    return copies.isEmpty() ? 0 : (after - before) / COPIES; // asked, so that they live until here
  }

  private static Tree copy(Tree tree) {
    int nodes = tree.innerNodes();
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      feature[node] = tree.feature(node);
      threshold[node] = tree.threshold(node);
      missingLeft[node] = tree.missingLeft(node);
      left[node] = tree.left(node);
      right[node] = tree.right(node);
    }
    double[] values = new double[tree.leaves()];
    for (int leaf = 0; leaf < values.length; leaf++) {
      values[leaf] = tree.leafValue(leaf);
    }
    return new Tree(feature, threshold, missingLeft, new long[nodes][0], left, right, values)
        .withStatistics(new float[nodes], new float[nodes + 1]);
  }

  private static long used() {
    var memory = ManagementFactory.getMemoryMXBean();
    for (int k = 0; k < 3; k++) {
      memory.gc();
    }
    return memory.getHeapMemoryUsage().getUsed();
  }
}
