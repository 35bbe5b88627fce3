package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.AllocatedBytes;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Vectors;
import io.holdfast.boosting.split.TreeLimits;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkspaceTest {
  private static final int SIZE = 40_000;

  /** Two bytes a row and round: no array of numbers that is as long as there are rows. */
  @ParameterizedTest
  @CsvSource({
    "squared, 1, false",
    "squared, 7, false",
    "squared, 7, true",
    "logistic, 1, false",
    "logistic, 7, false",
    "logistic, 7, true",
    "poisson, 1, false"
  })
  void extend_windowsAfterTheFirst_allocateNothingLarge(
      String objective, double gamma, boolean splits) {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported(),
        "this virtual machine does not count what it allocates");
    BoosterSettings settings =
        settings(objective, gamma).toBuilder()
            .anchoring(Anchoring.environments(gamma).withSplits(splits))
            .build();
    loadClasses(settings);
    var booster = new Booster(settings, new Workspace());
    Model model = Booster.untrained(settings, SampleRows.FEATURES);
    long fixed = splits ? 200_000 : 0; // scratch of anchorSplits, however many rows there are
    long limit = 2L * settings.rounds() * SIZE + fixed;
    // While code is compiled anew, it may make objects of vectors: with vectors, one window that
    // does not is waited for. This class runs a second time in a virtual machine without them.
    int most = Vectors.present() ? 200 : 8;
    long[] allocated = new long[most];
    int windows = 0;
    while (windows < 8 || (windows < most && least(allocated, windows) >= limit)) {
      int window = windows++;
      Rows rows = SampleRows.of(settings.objective(), window, SIZE - 10 * window, 3);
      long before = AllocatedBytes.ofThisThread();
      model = booster.extend(model, SampleRows.FEATURES, rows, FitListener.NONE).model();
      allocated[window] = AllocatedBytes.ofThisThread() - before;
    }
    assertThat(allocated[0]).isGreaterThan(100L * SIZE);
    LongStream later = Arrays.stream(allocated, 1, windows);
    assertThat(Vectors.present() ? least(allocated, windows) : later.max().orElseThrow())
        .as("%s", Arrays.toString(allocated))
        .isLessThan(limit);
  }

  /**
   * Classes that later windows are the first to need, as those that score an ensemble, are up to a
   * megabyte, which a test that ran before may have loaded or not.
   */
  private static void loadClasses(BoosterSettings settings) {
    var booster = new Booster(settings, new Workspace());
    Model model = Booster.untrained(settings, SampleRows.FEATURES);
    for (int window = 0; window < 8; window++) {
      Rows rows = SampleRows.of(settings.objective(), window, 1_088 - 10 * window, 3);
      model = booster.extend(model, SampleRows.FEATURES, rows, FitListener.NONE).model();
    }
  }

  /** Of the windows after the first. */
  private static long least(long[] allocated, int windows) {
    return Arrays.stream(allocated, 1, windows).min().orElseThrow();
  }

  @Test
  void extend_withAWorkspace_sameModelAsWithout() {
    for (String objective : new String[] {"squared", "logistic"}) {
      BoosterSettings settings = settings(objective, 5);
      var kept = new Booster(settings, new Workspace());
      Model with = Booster.untrained(settings, SampleRows.FEATURES);
      Model without = with;
      for (int size : new int[] {900, 400, 1_500, 890}) {
        Rows rows = SampleRows.of(settings.objective(), size, size, 3);
        with = kept.extend(with, SampleRows.FEATURES, rows, FitListener.NONE).model();
        without =
            new Booster(settings)
                .extend(without, SampleRows.FEATURES, rows, FitListener.NONE)
                .model();
        assertThat(with).isEqualTo(without);
      }
    }
  }

  private static BoosterSettings settings(String objective, double gamma) {
    return BoosterSettings.builder(Objective.named(objective))
        .gamma(gamma)
        .rounds(10)
        .trees(new TreeLimits(15, 6, 5, 1e-3, 0))
        .build();
  }
}
