package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.VectorForms;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether rows and blocks are scored by vectors in this JVM: chosen once, by one trial.
 * Thread-safe.
 *
 * <p>Vectors are there with {@code --add-modules jdk.incubator.vector} on a machine of 256 or 512
 * bits. Before they are compiled they are far slower than plain loops, so a thread of its own runs
 * them first, and they serve once they win against plain loops there.
 */
public final class Vectors {
  private static final AtomicBoolean STARTED = new AtomicBoolean();
  private static final CountDownLatch DONE = new CountDownLatch(1);
  private static volatile boolean rows;
  private static volatile boolean blocks;

  private Vectors() {}

  private static final class Here {
    static final int BITS = VectorForms.present() ? VectorLanes.LANES * Byte.SIZE : 0;
  }

  /** Whether vector loops can run here at all. */
  public static boolean present() {
    return Here.BITS >= 256 && Here.BITS <= 512;
  }

  /** Whether single rows are scored by vectors now. */
  public static boolean serveRows() {
    return rows;
  }

  /** Whether blocks of rows are scored by vectors now. */
  public static boolean serveBlocks() {
    return blocks;
  }

  /** Starts warming up if the model has trees. */
  static void warmUp(Model model) {
    if (model.trees() > 0) {
      warmUp();
    }
  }

  /** Starts to compile vector loops in the background, once. */
  public static void warmUp() {
    if (present() && STARTED.compareAndSet(false, true)) {
      Thread.ofPlatform().name("holdfast-vector-warm-up").daemon().start(Vectors::run);
    }
  }

  /** Waits until it is settled what vectors serve; returns whether it is. */
  public static boolean awaitWarmUp(long timeout, TimeUnit unit) throws InterruptedException {
    warmUp();
    return !present() || DONE.await(timeout, unit);
  }

  private static void run() {
    try {
      var trial = new ScoringTrial();
      rows = trial.rowsWin();
      blocks = trial.blocksWin();
      System.getLogger(Vectors.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "Scoring by vectors of {0} bits: single rows {1}, blocks {2}",
              Here.BITS,
              rows,
              blocks);
    } finally {
      DONE.countDown();
    }
  }

  /** Made-up models to compare plain and vector loops by. Owned by one thread. */
  static final class ScoringTrial {
    /*
     * The models have every shape that the loops tell apart: up to 16, 32 and 64 leaves, more trees
     * than lanes, rows with and without missing values, blocks of one word and of eight.
     */
    private static final int WIDTH = 8;
    private static final int ROWS = BlockScratch.ROWS;
    private static final int SINGLE_ROWS = 32;

    private final List<Scorer> vector;
    private final List<Scorer> plain;
    private final double[] block = new double[ROWS * WIDTH];
    private final double[] missing = new double[ROWS * WIDTH];
    private final double[] row = new double[WIDTH];
    private final double[] target = new double[ROWS];

    ScoringTrial() {
      var random = new SplittableRandom(1);
      List<Model> models =
          List.of(
              model(random, 14, 70),
              model(random, 24, 70),
              model(random, 31, 24),
              model(random, 64, 24));
      vector = models.stream().map(model -> CompiledScorer.of(model, SimdMode.VECTOR)).toList();
      plain = models.stream().map(CompiledScorer::plain).toList();
      for (int k = 0; k < block.length; k++) {
        block[k] = random.nextDouble();
        missing[k] = random.nextInt(10) == 0 ? Double.NaN : block[k];
      }
    }

    boolean rowsWin() {
      return VectorForms.won(plain, vector, (scorers, _) -> scorers.forEach(this::scoreRows));
    }

    boolean blocksWin() {
      return VectorForms.won(plain, vector, (scorers, _) -> scorers.forEach(this::scoreBlocks));
    }

    private void scoreRows(Scorer scorer) {
      for (int k = 0; k < SINGLE_ROWS; k++) {
        System.arraycopy(k % 4 == 0 ? missing : block, k * WIDTH, row, 0, WIDTH);
        target[k] = scorer.score(row);
      }
    }

    private void scoreBlocks(Scorer scorer) {
      scorer.scores(block, ROWS, target);
      scorer.scores(missing, ROWS, target);
      scorer.scores(block, Long.SIZE, target);
      scorer.scores(missing, Long.SIZE, target);
    }

    private static Model model(SplittableRandom random, int leaves, int count) {
      List<Feature> features = new ArrayList<>();
      for (int k = 0; k < WIDTH; k++) {
        features.add(new Feature.Numeric("x" + k));
      }
      List<Tree> trees = new ArrayList<>();
      for (int k = 0; k < count; k++) {
        trees.add(tree(random, leaves - 1 - k % 3));
      }
      return new Model(new Squared(), features, Base.constant(0), List.of(new Segment(trees)));
    }

    /** A tree of full levels, but for the last. */
    private static Tree tree(SplittableRandom random, int nodes) {
      int[] feature = new int[nodes];
      double[] threshold = new double[nodes];
      boolean[] missingLeft = new boolean[nodes];
      int[] left = new int[nodes];
      int[] right = new int[nodes];
      int leaves = 0;
      for (int node = 0; node < nodes; node++) {
        feature[node] = random.nextInt(WIDTH);
        int levels = 16 << feature[node]; // of the feature's thresholds: few to many
        threshold[node] = (0.5 + random.nextInt(levels)) / levels;
        missingLeft[node] = random.nextBoolean();
        int child = 2 * node + 1;
        left[node] = child < nodes ? child : -1 - leaves++;
        right[node] = child + 1 < nodes ? child + 1 : -1 - leaves++;
      }
      double[] values = random.doubles(leaves, -1, 1).toArray();
      return new Tree(feature, threshold, missingLeft, new long[nodes][0], left, right, values);
    }
  }

  /** Which form of its loops a compiled scorer runs; all give the same bits. */
  enum SimdMode {
    PLAIN,
    /** By vectors, which must be there, compiled or not. */
    VECTOR,
    /** By vectors once they are found to be faster. */
    FASTEST;

    /** Whether vectors serve, now or later. */
    boolean mayBeVectors() {
      return this == FASTEST ? Vectors.present() : this == VECTOR;
    }

    /** Whether single rows are scored by vectors now. */
    boolean rowsByVectors() {
      return this == FASTEST ? Vectors.serveRows() : this == VECTOR;
    }

    /** Whether blocks are scored by vectors now. */
    boolean blocksByVectors() {
      return this == FASTEST ? Vectors.serveBlocks() : this == VECTOR;
    }
  }
}
