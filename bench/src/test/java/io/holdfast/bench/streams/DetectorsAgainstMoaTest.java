package io.holdfast.bench.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.trainer.drift.AdaptiveWindow;
import io.holdfast.trainer.drift.PageHinkley;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import moa.classifiers.core.driftdetection.ADWIN;
import moa.classifiers.core.driftdetection.PageHinkleyDM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Our detectors and MOA's on the same sequences.
 *
 * <p>ADWIN is the same algorithm with the same buckets, looked at every 32 values. The bounds
 * differ: MOA divides delta by the logarithm of the width, we by the number of cuts, which is
 * larger; and MOA takes 4 off the size of each part, so that it is the more careful of the two
 * where a part is short. So change points are the same but for a look or two, and where they differ
 * it is by whole looks.
 *
 * <p>Page and Hinkley's test differs in kind: MOA's sum fades and has no minimum taken off. It
 * falls by the tolerance with every value of a stationary stretch, and must be climbed back: so MOA
 * is the later, the longer nothing has happened. Where a sum never falls, both are the same.
 */
class DetectorsAgainstMoaTest {
  private static final double DELTA = 0.002;
  private static final int LOOK = 32;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void adwin_onAbruptChanges_findsThemWhenMoaDoes(long seed) {
    int stretch = 2_048;
    double[] values = bits(seed, stretch, 0.2, 0.6, 0.3, 0.9, 0.1);
    List<Integer> ours = new ArrayList<>();
    List<Integer> theirs = new ArrayList<>();
    AdaptiveWindow window = new AdaptiveWindow(DELTA);
    ADWIN moa = new ADWIN(DELTA);
    for (int k = 0; k < values.length; k++) {
      if (window.add(values[k]) != AdaptiveWindow.Change.NONE) {
        ours.add(k);
      }
      if (moa.setInput(values[k])) {
        theirs.add(k);
      }
    }

    for (int change = 1; change < values.length / stretch; change++) {
      int first = firstFrom(ours, change * stretch);
      assertThat(first).isBetween(change * stretch, change * stretch + 8 * LOOK);
      assertThat(first).isCloseTo(firstFrom(theirs, change * stretch), within(LOOK));
    }
    assertThat(window.mean()).isEqualTo(moa.getEstimation(), within(0.02));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.5})
  void adwin_onStationaryBits_keepsAllAsMoaDoes(double mean) {
    int kept = 0;
    for (int seed = 0; seed < 20; seed++) {
      AdaptiveWindow window = new AdaptiveWindow(DELTA);
      ADWIN moa = new ADWIN(DELTA);
      for (double value : bits(seed, 5_000, mean)) {
        window.add(value);
        moa.setInput(value);
      }
      if (window.width() == 5_000 && moa.getWidth() == 5_000) {
        assertThat(window.mean()).isEqualTo(moa.getEstimation(), within(1e-12));
        kept++;
      }
      assertThat(window.width()).isGreaterThanOrEqualTo(moa.getWidth());
    }
    assertThat(kept).isGreaterThanOrEqualTo(19);
  }

  /** A slow rise: widths shrink alike. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void adwin_onAGradualRise_followsAsMoaDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AdaptiveWindow window = new AdaptiveWindow(DELTA);
    ADWIN moa = new ADWIN(DELTA);
    double most = 0;
    for (int k = 0; k < 20_000; k++) {
      double value = random.nextDouble() < 0.1 + 0.7 * k / 20_000 ? 1 : 0;
      window.add(value);
      moa.setInput(value);
      if (k > 5_000) {
        most = Math.max(most, Math.abs(window.mean() - moa.getEstimation()));
      }
    }
    assertThat(most).isLessThan(0.06);
  }

  /** Nothing falls: the sum is its own height above its lowest point. */
  @Test
  void pageHinkley_onStepsUpwards_speaksWhenMoaDoes() {
    List<Integer> ours = new ArrayList<>();
    List<Integer> theirs = new ArrayList<>();
    PageHinkley test = new PageHinkley(0, 5, 29); // MOA counts one value more
    PageHinkleyDM moa = moa(0, 5, 1);
    for (int k = 0; k < 5_000; k++) {
      double value = 0.1 * (k / 400 % 10); // steps of one tenth, then down to 0
      if (test.add(value)) {
        ours.add(k);
      }
      moa.input(value);
      if (moa.getChange()) {
        theirs.add(k);
      }
    }

    assertThat(theirs).hasSizeGreaterThan(5);
    assertThat(ours).hasSizeGreaterThanOrEqualTo(theirs.size());
    assertThat(ours.subList(0, 5)).isEqualTo(theirs.subList(0, 5));
  }

  /**
   * MOA's sum has sunk by up to tolerance over 1 - alpha, 50 as it comes: it needs that much more.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void pageHinkley_afterALongStretch_isEarlierThanMoa(long seed) {
    int stretch = 20_000;
    double[] values = bits(seed, stretch, 0.2, 0.6);
    PageHinkley test = new PageHinkley(0.005, 50, 30);
    PageHinkleyDM moa = moa(0.005, 50, 1 - 0.0001);
    int ours = -1;
    int theirs = -1;
    for (int k = 0; k < values.length; k++) {
      if (test.add(values[k]) && ours < 0) {
        ours = k;
      }
      moa.input(values[k]);
      if (moa.getChange() && theirs < 0) {
        theirs = k;
      }
    }

    assertThat(ours).isBetween(stretch, stretch + 300);
    assertThat(theirs).isBetween(ours + 50, stretch + 600);
  }

  private static PageHinkleyDM moa(double tolerance, double threshold, double alpha) {
    PageHinkleyDM moa = new PageHinkleyDM();
    moa.deltaOption.setValue(tolerance);
    moa.lambdaOption.setValue(threshold);
    moa.alphaOption.setValue(alpha);
    moa.minNumInstancesOption.setValue(30);
    moa.resetLearning();
    return moa;
  }

  private static int firstFrom(List<Integer> found, int from) {
    return found.stream().filter(at -> at >= from).findFirst().orElse(Integer.MAX_VALUE);
  }

  private static double[] bits(long seed, int stretch, double... means) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[stretch * means.length];
    for (int k = 0; k < values.length; k++) {
      values[k] = random.nextDouble() < means[k / stretch] ? 1 : 0;
    }
    return values;
  }
}
