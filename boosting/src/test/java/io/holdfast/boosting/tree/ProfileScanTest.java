package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.PackedRows;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds by a leaf's own profile against gains by group, and those by vectors against others. */
class ProfileScanTest {
  private static final int GROUPS = 5;
  private static final int BINS = 30;
  private static final int PAIRS = 2 * PackedRows.LANES;
  private static final int FROM = 3; // of the pairs
  private static final int MIN_ROWS = 6;
  private static final double ROUNDED = 1e-6; // of scores; 1e-9 of what cancels is given away

  private final double[] factors = new double[GROUPS];
  private final long[] pairs = new long[FROM + (BINS + 1) * PAIRS];
  private final long[][] cells = new long[PackedRows.LANES * (BINS + 1)][GROUPS]; // by bin

  // Of the leaf at hand.
  private CoupledLeaf leaf = new CoupledLeaf(1, settings(0), factors);
  private final ProfileBound bound = new ProfileBound();
  private PackedLayout layout = new PackedLayout(1, 0, 1, 1, 1);

  @ParameterizedTest
  @CsvSource({"18, 0.01, 0", "18, 6, 0", "18, 6, 0.7", "18, 1000, 0", "0, 6, 0", "0, 100, 40"})
  void most_severalGroups_holdsAndIsTheSameByVectors(
      int hessianBits, double strength, double lambda2) {
    for (long seed = 1; seed <= 40; seed++) {
      boolean missing = seed % 2 == 0;
      enter(seed, hessianBits, strength, lambda2, GROUPS, missing);
      double score = 1 + leaf.gains().parentScore();
      for (int lane = 0; lane < PackedRows.LANES; lane++) {
        double found = found(lane);
        assertThat(found).isGreaterThanOrEqualTo(most(lane));
        if (!missing) {
          checkVectors(lane, found, ROUNDED * (score + Math.abs(found)));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"18, 0.01, 0", "18, 6, 0.7", "0, 6, 0", "0, 100, 40"})
  void most_oneGroup_isTheGain(int hessianBits, double strength, double lambda2) {
    for (long seed = 1; seed <= 40; seed++) {
      enter(seed, hessianBits, strength, lambda2, 1, seed % 2 == 0);
      for (int lane = 0; lane < PackedRows.LANES; lane++) {
        double gain = most(lane);
        if (gain > Double.NEGATIVE_INFINITY) {
          double score = 1 + leaf.gains().parentScore() + Math.abs(gain);
          assertThat(found(lane)).isGreaterThanOrEqualTo(gain);
          assertThat(found(lane)).isCloseTo(gain, within(ROUNDED * score));
        }
      }
    }
  }

  private double found(int lane) {
    return ScalarProfileScan.most(pairs, FROM + 2 * lane, BINS, leaf.scan, bound);
  }

  /** By a plane that ends with this lane. */
  private void checkVectors(int lane, double expected, double tolerance) {
    for (ProfileScan vectors : ProfileScans.vectors()) {
      double[] target = new double[PackedRows.LANES];
      var plane = new PlaneScan.Plane(FROM, BINS, lane + 1);
      vectors.most(pairs, plane, leaf.scan, bound, target);
      if (Double.isInfinite(expected)) {
        assertThat(target[lane]).isEqualTo(expected);
      } else {
        assertThat(target[lane]).isCloseTo(expected, within(tolerance));
      }
    }
  }

  private static GrowthSettings settings(double lambda2) {
    var limits = new TreeLimits(31, 6, MIN_ROWS, 1e-3, 0);
    return GrowthSettings.of(limits, new Penalties(0, lambda2, 0.01));
  }

  /** The same rows to each column, to other bins; those of a group are in few of some. */
  private void enter(
      long seed, int hessianBits, double strength, double lambda2, int groups, boolean missing) {
    var random = new SplittableRandom(seed);
    layout = new PackedLayout(14, hessianBits, 0.25, hessianBits == 0 ? 0.3 : 0.125, 0);
    int count = random.nextInt(2 * MIN_ROWS, 250);
    int[] groupOf = random.ints(count, 0, groups).toArray();
    long[] rows = new long[2 * count];
    double[] sums = new double[1 + GROUPS];
    for (int row = 0; row < count; row++) {
      long gradient = random.nextLong(-400, 500) + 100L * groupOf[row];
      long hessian = hessianBits == 0 ? 1 : random.nextLong(1, 200);
      long cell = (gradient << layout.gradientShift()) + 1;
      rows[2 * row] = hessianBits == 0 ? cell : cell + (hessian << layout.hessianShift());
      sums[0] += gradient * layout.gradientUnit();
      sums[1 + groupOf[row]] += hessian * layout.hessianUnit();
    }
    for (int group = 0; group < GROUPS; group++) {
      double ofGroup = sums[1 + group] * (1 + random.nextDouble(4)); // of all rows
      factors[group] = ofGroup > 0 ? strength / ofGroup : 0;
    }
    var searched = new Leaf();
    searched.totals = new Totals(sums, count);
    leaf = new CoupledLeaf(1, settings(lambda2), factors);
    leaf.enter(searched, layout);
    var profile = new LeafProfile(groupOf, factors);
    profile.enter(leaf.gains(), sums, layout);
    profile.write(layout, random.ints(0, count).distinct().limit(count).toArray(), 0, count, rows);
    leaf.gains().tell(layout, profile, bound);
    Arrays.fill(pairs, 0);
    for (long[] ofBin : cells) {
      Arrays.fill(ofBin, 0);
    }
    for (int row = 0; row < count; row++) {
      for (int lane = 0; lane < PackedRows.LANES; lane++) {
        int bin = Math.min(BINS - 1, 4 * groupOf[row] * (lane & 1) + random.nextInt(BINS));
        bin = missing && random.nextInt(6) == 0 ? BINS : bin;
        pairs[FROM + bin * PAIRS + 2 * lane] += rows[2 * row];
        pairs[FROM + bin * PAIRS + 2 * lane + 1] += rows[2 * row + 1];
        cells[lane * (BINS + 1) + bin][groupOf[row]] += rows[2 * row];
      }
    }
  }

  /** The most that a split of the lane's column gains. */
  private double most(int lane) {
    long[] left = new long[GROUPS];
    long[] missing = cells[lane * (BINS + 1) + BINS];
    double most = Double.NEGATIVE_INFINITY;
    for (int bin = 0; bin < BINS; bin++) {
      long[] more = cells[lane * (BINS + 1) + bin];
      Arrays.setAll(left, group -> left[group] + more[group]);
      long[] both = new long[GROUPS];
      Arrays.setAll(both, group -> left[group] + missing[group]);
      most = Math.max(most, Math.max(gain(left), gain(both)));
    }
    return most;
  }

  private double gain(long[] left) {
    double[] sums = new double[1 + GROUPS];
    long all = 0;
    for (int group = 0; group < GROUPS; group++) {
      all += left[group];
      sums[1 + group] = layout.hessian(left[group]);
    }
    sums[0] = layout.gradient(all);
    return leaf.allows(layout.count(all), layout.hessian(all))
        ? leaf.gains().gain(sums, 0)
        : Double.NEGATIVE_INFINITY;
  }
}
