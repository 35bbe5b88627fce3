package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.PackedRows;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds by a leaf's own profile against gains by group, and those by vectors against others. */
class ProfileScanTest {
  private static final int GROUPS = 5;
  private static final int BINS = 30;
  private static final int LANES = PackedRows.LANES;
  private static final int FROM = 3; // of the sums
  private static final int MIN_ROWS = 6;
  private static final double ROUNDED = 1e-6; // of scores; 1e-9 of what cancels is given away
  private static final double WIDER = 0.02; // of scores, by what numbers of few bits may be off

  /** Whose derivatives rows have. */
  private enum Derivatives {
    LIKE,
    ONE_GRADIENT_OF_MANY,
    ONE_HESSIAN_OF_MANY,
    HESSIANS_OF_NONE;

    long gradient(int row, SplittableRandom random, int group) {
      long gradient = random.nextLong(-400, 500) + 100L * group;
      return this == ONE_GRADIENT_OF_MANY && row == 0 ? gradient << 18 : gradient;
    }

    long hessian(int row, SplittableRandom random) {
      long hessian = random.nextLong(1, 200);
      return switch (this) {
        case LIKE, ONE_GRADIENT_OF_MANY -> hessian;
        case ONE_HESSIAN_OF_MANY -> row == 0 ? 200_000 : random.nextLong(2);
        case HESSIANS_OF_NONE -> random.nextInt(4) == 0 ? hessian : 0;
      };
    }
  }

  private final double[] factors = new double[GROUPS];
  private final long[] sums = new long[FROM + (BINS + 1) * LANES];
  private final long[][] byGroup = new long[LANES * (BINS + 1)][GROUPS]; // by bin

  // Of the leaf at hand.
  private CoupledLeaf leaf = new CoupledLeaf(1, settings(0), factors);
  private final ProfileBound bound = new ProfileBound();
  private final ProfileCells cells = new ProfileCells();
  private PackedLayout layout = new PackedLayout(1, 0, 1, 1, 1);

  @ParameterizedTest
  @CsvSource({"18, 0.01, 0", "18, 6, 0", "18, 6, 0.7", "18, 1000, 0", "0, 6, 0", "0, 100, 40"})
  void most_severalGroups_holdsAndIsTheSameByVectors(
      int hessianBits, double strength, double lambda2) {
    for (Derivatives kind : Derivatives.values()) {
      for (long seed = 1; seed <= 40; seed++) {
        check(seed, hessianBits, strength, lambda2, kind);
      }
    }
  }

  private void check(
      long seed, int hessianBits, double strength, double lambda2, Derivatives kind) {
    boolean missing = seed % 2 == 0;
    enter(seed, hessianBits, strength, lambda2, GROUPS, missing, kind);
    double score = 1 + leaf.gains().parentScore();
    for (int lane = 0; lane < LANES; lane++) {
      double found = found(lane);
      assertThat(found).isGreaterThanOrEqualTo(most(lane));
      if (!missing) {
        checkVectors(lane, found, ROUNDED * (score + Math.abs(found)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"18, 0.01, 0", "18, 6, 0.7", "0, 6, 0", "0, 100, 40"})
  void most_oneGroup_isAboutTheGain(int hessianBits, double strength, double lambda2) {
    for (long seed = 1; seed <= 40; seed++) {
      enter(seed, hessianBits, strength, lambda2, 1, seed % 2 == 0, Derivatives.LIKE);
      for (int lane = 0; lane < LANES; lane++) {
        double gain = most(lane);
        if (gain > Double.NEGATIVE_INFINITY) {
          double score = 1 + leaf.gains().parentScore() + Math.abs(gain);
          assertThat(found(lane)).isGreaterThanOrEqualTo(gain);
          assertThat(found(lane)).isCloseTo(gain, within(WIDER * score));
        }
      }
    }
  }

  private double found(int lane) {
    return ScalarProfileScan.most(sums, FROM + lane, BINS, leaf.scan, cells, bound);
  }

  /** By a plane that ends with this lane. */
  private void checkVectors(int lane, double expected, double tolerance) {
    for (ProfileScan vectors : ProfileScans.vectors()) {
      double[] target = new double[LANES];
      var plane = new PlaneScan.Plane(FROM, BINS, lane + 1);
      vectors.most(sums, plane, leaf.scan, cells, bound, target);
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
      long seed,
      int hessianBits,
      double strength,
      double lambda2,
      int groups,
      boolean missing,
      Derivatives kind) {
    var random = new SplittableRandom(seed);
    layout = new PackedLayout(14, hessianBits, 0.25, hessianBits == 0 ? 0.3 : 0.125, 0);
    boolean many = groups > 1 && seed % 8 == 0;
    int count = random.nextInt(2 * MIN_ROWS, many ? ProfileCells.MOST + 1 : 250);
    int[] groupOf = random.ints(count, 0, groups).toArray();
    long[] cellOf = new long[count];
    double[] totals = new double[1 + GROUPS];
    for (int row = 0; row < count; row++) {
      long gradient = kind.gradient(row, random, groupOf[row]);
      long hessian = hessianBits == 0 ? 1 : kind.hessian(row, random);
      long cell = (gradient << layout.gradientShift()) + 1;
      cellOf[row] = hessianBits == 0 ? cell : cell + (hessian << layout.hessianShift());
      totals[0] += gradient * layout.gradientUnit();
      totals[1 + groupOf[row]] += hessian * layout.hessianUnit();
    }
    for (int group = 0; group < GROUPS; group++) {
      double ofGroup = totals[1 + group] * (1 + random.nextDouble(4)); // of all rows
      factors[group] = ofGroup > 0 ? strength / ofGroup : 0;
    }
    var searched = new Leaf();
    searched.totals = new Totals(totals, count);
    leaf = new CoupledLeaf(1, settings(lambda2), factors);
    leaf.enter(searched, layout);
    var profile = new LeafProfile(groupOf, factors);
    profile.enter(leaf.gains(), totals, layout);
    int[] rows = IntStream.range(0, count).toArray();
    long[] added = new long[count];
    cells.enter(profile, layout, rows, 0, count, cellOf, added);
    leaf.gains().tell(layout, profile, bound);
    bound.enter(cells);
    put(groupOf, cellOf, added, missing, random);
  }

  private void put(
      int[] groupOf, long[] cellOf, long[] added, boolean missing, SplittableRandom random) {
    Arrays.fill(sums, 0);
    for (long[] ofBin : byGroup) {
      Arrays.fill(ofBin, 0);
    }
    for (int row = 0; row < cellOf.length; row++) {
      for (int lane = 0; lane < LANES; lane++) {
        int bin = Math.min(BINS - 1, 4 * groupOf[row] * (lane & 1) + random.nextInt(BINS));
        bin = missing && random.nextInt(6) == 0 ? BINS : bin;
        sums[FROM + bin * LANES + lane] += added[row];
        byGroup[lane * (BINS + 1) + bin][groupOf[row]] += cellOf[row];
      }
    }
  }

  /** The most that a split of the lane's column gains. */
  private double most(int lane) {
    long[] left = new long[GROUPS];
    long[] missing = byGroup[lane * (BINS + 1) + BINS];
    double most = Double.NEGATIVE_INFINITY;
    for (int bin = 0; bin < BINS; bin++) {
      long[] more = byGroup[lane * (BINS + 1) + bin];
      Arrays.setAll(left, group -> left[group] + more[group]);
      long[] both = new long[GROUPS];
      Arrays.setAll(both, group -> left[group] + missing[group]);
      most = Math.max(most, Math.max(gain(left), gain(both)));
    }
    return most;
  }

  private double gain(long[] left) {
    double[] ofLeft = new double[1 + GROUPS];
    long all = 0;
    for (int group = 0; group < GROUPS; group++) {
      all += left[group];
      ofLeft[1 + group] = layout.hessian(left[group]);
    }
    ofLeft[0] = layout.gradient(all);
    return leaf.allows(layout.count(all), layout.hessian(all))
        ? leaf.gains().gain(ofLeft, 0)
        : Double.NEGATIVE_INFINITY;
  }
}
