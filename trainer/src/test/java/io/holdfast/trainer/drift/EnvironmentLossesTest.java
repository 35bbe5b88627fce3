package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentLossesTest {
  private static final int FEATURES = 1;
  private static final int ROWS = 192;
  private static final int QUIET = 15;
  private static final int AFTER = 15;

  /** What was served is 0, so the loss of an environment grows with its labels. */
  @ParameterizedTest
  @CsvSource({"1, 16", "1.6, 9", "2, 2"})
  void lossOfOneEnvironment_isFoundToRiseThereAlone(double by, double within) {
    int streams = by == 1 ? 250 : 20;
    double looks = 0;
    int wrong = 0;
    for (int seed = 0; seed < streams; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WindowsInARow windows = new WindowsInARow(FEATURES, 4, true, 0.01);
      int found = AFTER + 1;
      for (int look = -QUIET; look < AFTER; look++) {
        double scale = look < 0 ? 1 : by;
        DriftFindings.LossDrift loss =
            windows
                .look(
                    ROWS,
                    (row, column) ->
                        random.nextGaussian() * (column == FEATURES && row % 4 == 1 ? scale : 1))
                .loss();
        boolean there = look >= 0 && by > 1 && loss.environments().contains("e1");
        wrong += loss.environments().size() - (there ? 1 : 0);
        found = there ? Math.min(found, look + 1) : found;
      }
      looks += found;
    }
    assertThat(looks / streams).isLessThanOrEqualTo(within);
    assertThat(wrong / (double) (streams * (QUIET + AFTER))).isLessThan(0.01);
  }
}
