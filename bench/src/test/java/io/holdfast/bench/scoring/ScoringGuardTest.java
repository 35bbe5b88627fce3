package io.holdfast.bench.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.CompiledScorer;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

/**
 * Ratios of processor time to the plain walk's, loosely: what scores twice as slow as it did fails,
 * on any machine; nothing is said of absolute times.
 */
class ScoringGuardTest {
  /*
   * Measured: 0.26 row by row and 0.08 in blocks, without vectors (docs/benchmarks.md). The least of
   * many passes in turn stands for each, since whatever disturbs only ever adds; and a machine that
   * is busy throughout gets more turns before it fails.
   */
  private static final double ONE_BY_ONE = 0.52;
  private static final double IN_BLOCKS = 0.16;
  private static final int ROWS = 1024;
  private static final int WIDTH = 30;
  private static final int WARM_UP = 40;
  private static final int PASSES = 20;
  private static final int ATTEMPTS = 5;

  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private final double[] target = new double[ROWS];
  private final Model model = ScoringCommand.train(100, false, 5_000);
  private final Scorer compiled = CompiledScorer.plain(model);
  private final Scorer walk = new TreeWalkScorer(model);
  private final double[] block = new double[ROWS * WIDTH];
  private final double[][] single = new double[ROWS][WIDTH];

  ScoringGuardTest() {
    Rows rows = GeneratedRows.of(ROWS, WIDTH, 4, false, 2);
    for (int row = 0; row < ROWS; row++) {
      rows.copyFeatures(row, single[row]);
      System.arraycopy(single[row], 0, block, row * WIDTH, WIDTH);
    }
  }

  @Test
  void compiledScorer_rowByRow_takesLessThanHalfOfTheWalk() {
    assertThat(ratio(() -> oneByOne(compiled), ONE_BY_ONE)).isLessThan(ONE_BY_ONE);
  }

  @Test
  void compiledScorer_inBlocks_takesLessThanASixthOfTheWalk() {
    assertThat(ratio(() -> compiled.scores(block, ROWS, target), IN_BLOCKS)).isLessThan(IN_BLOCKS);
  }

  /** The best ratio to the walk, of as many attempts as it takes to be below {@code enough}. */
  private double ratio(Runnable ours, double enough) {
    double best = Double.POSITIVE_INFINITY;
    for (int attempt = 0; attempt < ATTEMPTS && best >= enough; attempt++) {
      best = Math.min(best, ratio(ours));
    }
    return best;
  }

  private double ratio(Runnable ours) {
    long least = Long.MAX_VALUE;
    long leastWalk = Long.MAX_VALUE;
    for (int pass = -WARM_UP; pass < PASSES; pass++) {
      long walked = nanos(() -> oneByOne(walk));
      long scored = nanos(ours);
      if (pass >= 0) {
        leastWalk = Math.min(leastWalk, walked);
        least = Math.min(least, scored);
      }
    }
    return (double) least / leastWalk;
  }

  private void oneByOne(Scorer scorer) {
    for (int row = 0; row < ROWS; row++) {
      target[row] = scorer.score(single[row]);
    }
  }

  private long nanos(Runnable work) {
    long start = clock.getCurrentThreadCpuTime();
    work.run();
    return clock.getCurrentThreadCpuTime() - start;
  }
}
