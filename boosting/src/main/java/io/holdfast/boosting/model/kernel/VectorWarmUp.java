package io.holdfast.boosting.model.kernel;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.AllocatedBytes;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Runs vector loops on made-up models until they are compiled, faster than the plain loops and
 * without objects on the heap. Owned by one thread; allocates as it likes.
 */
final class VectorWarmUp {
  /*
   * The models have every shape that the loops tell apart: up to 16, 32 and 64 leaves, by path and by
   * level, of six levels and of more, features of 15 to 300 thresholds, rows with and without missing
   * values, blocks of one word, by lanes and by masks, and of eight. So nothing that a real model does
   * is new to the compiled code.
   */
  private static final int WIDTH = 8;
  private static final int TREES = 24;
  private static final int TREES_OF_STEMS = 34; // two groups side by side
  private static final int MANY_TREES = 100; // with more thresholds of a feature than a byte counts
  private static final int STEM = 3;
  private static final int ROWS = BlockScratch.ROWS;
  private static final int SINGLE_ROWS = 32;
  private static final int WINS = 8; // in a row
  // Bytes: what counting them takes, and far less than if one vector of a loop were an object.
  private static final long ALLOCATED = 8_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final List<CompiledScorer> vector = new ArrayList<>();
  private final List<CompiledScorer> plain = new ArrayList<>();
  private final double[] block = new double[ROWS * WIDTH];
  private final double[] missing = new double[ROWS * WIDTH];
  private final double[] row = new double[WIDTH];
  private final double[] target = new double[ROWS];

  VectorWarmUp() {
    var random = new SplittableRandom(1);
    List<Model> models =
        List.of(
            model(random, 12, TREES, 0),
            model(random, 31, TREES, 0),
            model(random, 64, TREES, 0),
            model(random, 31, MANY_TREES, 0),
            withLargeTree(random, model(random, 31, TREES, 0)),
            model(random, 31, TREES_OF_STEMS, STEM),
            model(random, 50, TREES_OF_STEMS, STEM));
    for (Model model : models) {
      vector.add(CompiledScorer.of(model, SimdMode.VECTOR));
      plain.add(CompiledScorer.of(model, SimdMode.PLAIN));
    }
    for (int k = 0; k < block.length; k++) {
      block[k] = random.nextDouble();
      missing[k] = random.nextInt(10) == 0 ? Double.NaN : block[k];
    }
  }

  /** Whether rows are scored faster by vectors, once they are compiled. */
  boolean rowsWin() {
    return wins(vector, plain, this::scoreRows);
  }

  /** Whether blocks of rows are scored faster by vectors, once they are compiled. */
  boolean blocksWin() {
    return wins(vector, plain, this::scoreBlocks);
  }

  private interface Work {
    void score(CompiledScorer scorer);
  }

  private static boolean wins(List<CompiledScorer> some, List<CompiledScorer> others, Work work) {
    long start = System.nanoTime();
    int wins = 0;
    while (wins < WINS && System.nanoTime() - start < PATIENCE_NANOS) {
      long other = nanos(others, work);
      long allocated = AllocatedBytes.ofThisThread();
      boolean faster = nanos(some, work) < other;
      allocated = AllocatedBytes.ofThisThread() - allocated;
      wins = faster && allocated < ALLOCATED ? wins + 1 : 0;
    }
    return wins == WINS;
  }

  private static long nanos(List<CompiledScorer> scorers, Work work) {
    long start = System.nanoTime();
    for (CompiledScorer scorer : scorers) {
      work.score(scorer);
    }
    return System.nanoTime() - start;
  }

  private void scoreRows(CompiledScorer scorer) {
    for (int k = 0; k < SINGLE_ROWS; k++) {
      System.arraycopy(k % 4 == 0 ? missing : block, k * WIDTH, row, 0, WIDTH);
      target[k] = scorer.score(row);
    }
  }

  private void scoreBlocks(CompiledScorer scorer) {
    scorer.scores(block, ROWS, target);
    scorer.scores(missing, ROWS, target);
    scorer.scores(block, Long.SIZE, target);
    scorer.scores(missing, Long.SIZE, target);
  }

  private static Model model(SplittableRandom random, int leaves, int count, int stem) {
    List<Feature> features = new ArrayList<>();
    for (int k = 0; k < WIDTH; k++) {
      features.add(new Feature.Numeric("x" + k));
    }
    List<Tree> trees = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      trees.add(tree(random, leaves - 1 - k % 3, stem));
    }
    return new Model(new Squared(), features, Base.constant(0), List.of(new Segment(trees)));
  }

  /** The same and a tree that is too large for {@link RowLanes}, so that words go by masks. */
  private static Model withLargeTree(SplittableRandom random, Model model) {
    List<Tree> trees = new ArrayList<>(model.segments().getFirst().trees());
    trees.add(tree(random, VectorSlices.LEAVES, 0));
    return new Model(
        model.objective(), model.features(), model.base(), List.of(new Segment(trees)));
  }

  /** A tree of full levels, but for the last, below a chain of {@code stem} nodes. */
  private static Tree tree(SplittableRandom random, int nodes, int stem) {
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] set = new long[nodes][0];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    int leaves = 0;
    for (int node = 0; node < nodes; node++) {
      feature[node] = random.nextInt(WIDTH);
      int levels = 16 << feature[node]; // of the feature's thresholds: few to many
      threshold[node] = (0.5 + random.nextInt(levels)) / levels;
      missingLeft[node] = random.nextBoolean();
      int child = node < stem ? node : 2 * node - stem + 1; // to the left; of a stem there is none
      left[node] = node >= stem && child < nodes ? child : -1 - leaves++;
      right[node] = child + 1 < nodes ? child + 1 : -1 - leaves++;
    }
    double[] values = random.doubles(leaves, -1, 1).toArray();
    return new Tree(feature, threshold, missingLeft, set, left, right, values);
  }
}
