package io.holdfast.boosting.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.AllocatedBytes;
import io.holdfast.boosting.scoring.DrawnModels.Shape;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VectorsTest {
  private static final int ROWS = 600;

  @Test
  void serve_withoutTheModule_never() throws InterruptedException {
    assumeTrue(!Vectors.present(), "this JVM has the vector module");
    assertThat(Vectors.awaitWarmUp(1, TimeUnit.SECONDS)).isTrue();
    assertThat(Vectors.serveRows()).isFalse();
    assertThat(Vectors.serveBlocks()).isFalse();
  }

  @Test
  void scorer_vectorsBeginToServeMeanwhile_sameBitsThroughout() throws InterruptedException {
    assumeTrue(Vectors.present(), "this JVM has no vectors of 256 bits or more");
    Model model = DrawnModels.model(new Shape(30, 1, 60, 31, false, true), 1);
    double[] rows = DrawnModels.rows(30, ROWS, 1);
    double[] expected = CompiledScorerTest.walked(model, rows);
    Scorer scorer = Scorer.of(model);
    do {
      double[] actual = new double[ROWS];
      scorer.scores(rows, ROWS, actual);
      CompiledScorerTest.assertSameBits(actual, expected);
      CompiledScorerTest.assertSameBits(CompiledScorerTest.oneByOne(scorer, 30, rows), expected);
    } while (!Vectors.awaitWarmUp(10, TimeUnit.MILLISECONDS));
    CompiledScorerTest.assertSameBits(CompiledScorerTest.oneByOne(scorer, 30, rows), expected);
  }

  @Test
  void scorer_vectorsServe_allocatesNothing() throws InterruptedException {
    assumeTrue(Vectors.present(), "this JVM has no vectors of 256 bits or more");
    assertThat(Vectors.awaitWarmUp(5, TimeUnit.MINUTES)).isTrue();
    boolean rows = Vectors.serveRows();
    boolean blocks = Vectors.serveBlocks();
    assumeTrue(rows || blocks, "plain loops won here");
    Scorer scorer = Scorer.of(DrawnModels.model(new Shape(30, 1, 60, 31, false, false), 2));
    double[] block = DrawnModels.rows(30, ROWS, 2);
    double[] row = Arrays.copyOf(block, 30);
    double[] target = new double[ROWS];
    Runnable calls =
        () -> {
          if (rows) {
            scorer.score(row, target);
          }
          if (blocks) {
            scorer.scores(block, ROWS, target);
          }
        };
    calls.run();
    long asking = leastAllocated(() -> {});
    // Asking takes less once it is compiled, which may be between the two.
    assertThat(leastAllocated(calls)).isLessThanOrEqualTo(asking);
  }

  /** The least of many, since the compiler may still replace code now and then. */
  private static long leastAllocated(Runnable calls) {
    long least = Long.MAX_VALUE;
    for (int k = 0; k < 500; k++) {
      long before = AllocatedBytes.ofThisThread();
      calls.run();
      least = Math.min(least, AllocatedBytes.ofThisThread() - before);
    }
    return least;
  }
}
