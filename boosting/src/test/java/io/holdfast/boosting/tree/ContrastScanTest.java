package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds of several columns at once against those of one, and against gains by group. */
class ContrastScanTest {
  private static final int GROUPS = 5;
  private static final int BINS = 30;
  private static final int COLUMNS = 8;
  private static final int CELLS = (BINS + 1) * PackedRows.LANES;
  private static final int MIN_ROWS = 6;

  private final double[] factors = new double[GROUPS];
  private final long[] cells = new long[2 * CELLS + 1];
  private final long[][] lefts = new long[COLUMNS * BINS][GROUPS]; // by split, by group

  @ParameterizedTest
  @CsvSource({
    "18, 0.01, 0, 0.001",
    "18, 6, 0, 40",
    "18, 6, 0.7, 0.001",
    "18, 1000, 0, 1",
    "0, 6, 0, 0.001",
    "0, 6, 40, 0.001",
    "0, 100, 0, 20000"
  })
  void most_byVectors_holdsAndIsAsCloseAsThatOfOneColumn(
      int hessianBits, double strength, double lambda2, double minHessian) {
    List<ContrastScan> all = ContrastScans.vectors();
    assumeTrue(!all.isEmpty(), "this machine has no vectors of 256 bits");
    for (ContrastScan vectors : all) {
      for (long seed = 1; seed <= 20; seed++) {
        check(vectors, seed, hessianBits, strength, lambda2, minHessian);
      }
    }
  }

  private void check(
      ContrastScan vectors,
      long seed,
      int hessianBits,
      double strength,
      double lambda2,
      double minHessian) {
    var random = new SplittableRandom(seed);
    var layout = new PackedLayout(14, hessianBits, 0.25, hessianBits == 0 ? 0.3 : 0.125, 0);
    GroupContrasts contrasts = contrasts(random, strength);
    Totals totals = fill(random, layout, contrasts);
    var limits = new TreeLimits(31, 6, MIN_ROWS, minHessian, 0);
    var penalties = new Penalties(0, lambda2, 0.01);
    CoupledLeaf leaf = new CoupledLeaf(1, GrowthSettings.of(limits, penalties), factors);
    var searched = new Leaf();
    searched.totals = totals;
    leaf.enter(searched, layout);
    contrasts.turn(factors);
    leaf.turn(contrasts);
    var bound = new ContrastBound();
    leaf.gains().tell(layout, contrasts, bound);
    if (!leaf.scan.splittable()) {
      return; // never asked for
    }
    double[] bounds = new double[COLUMNS];
    int width = vectors.columns();
    double[] found = new double[width];
    for (int column = 0; column < COLUMNS; column += width) {
      var plane = new PlaneScan.Plane(1 + column, BINS, width);
      vectors.most(cells, plane, CELLS, leaf.scan, bound, found);
      System.arraycopy(found, 0, bounds, column, width);
    }
    var candidates = new CandidateSplits();
    double score = 1 + leaf.gains().parentScore();
    for (int column = 0; column < COLUMNS; column++) {
      int rows = totals.rows();
      candidates.takeAll(cells, 1 + column, CELLS, BINS, layout.countMask(), MIN_ROWS, rows);
      double alone = candidates.most(leaf, layout, contrasts);
      double most = mostByGroups(leaf, layout, column);
      if (alone == Double.NEGATIVE_INFINITY) {
        assertThat(bounds[column]).isEqualTo(alone);
      } else {
        assertThat(bounds[column])
            .isCloseTo(alone, within(1e-4 * (score + Math.abs(alone))))
            .isGreaterThanOrEqualTo(most);
        assertThat(leaf.closer(bounds[column])).isBetween(most, bounds[column]);
      }
    }
  }

  private GroupContrasts contrasts(SplittableRandom random, double strength) {
    Rows.Builder rows = Rows.builder(1);
    int[] groupOf = new int[300];
    double[] weights = new double[GROUPS];
    for (int row = 0; row < groupOf.length; row++) {
      groupOf[row] = random.nextInt(GROUPS);
      weights[groupOf[row]]++;
      rows.add(new double[] {groupOf[row] + random.nextDouble(3)}, 0, "all");
    }
    for (int group = 0; group < GROUPS; group++) {
      factors[group] = strength / weights[group];
    }
    BinnedRows binned = BinnedRows.of(rows.build(), List.of(new Feature.Numeric("x")), BINS);
    return new GroupContrasts(binned, new AnchorCoupling(groupOf, weights, strength));
  }

  /** The same rows of the leaf to each column, to other bins; most rows of a group are in few. */
  private Totals fill(SplittableRandom random, PackedLayout layout, GroupContrasts contrasts) {
    Arrays.fill(cells, 0);
    for (long[] left : lefts) {
      Arrays.fill(left, 0);
    }
    double[] sums = new double[1 + GROUPS];
    int count = random.nextInt(2 * MIN_ROWS, 250);
    for (int row = 0; row < count; row++) {
      int group = random.nextInt(GROUPS);
      long hessian = layout.hessianBits() == 0 ? 1 : random.nextLong(0, 200);
      long gradient = random.nextLong(-400, 500) + 100L * group;
      long cell =
          (gradient << layout.gradientShift())
              + (layout.hessianBits() == 0 ? 1 : (hessian << layout.hessianShift()) + 1);
      sums[0] += gradient * layout.gradientUnit();
      sums[1 + group] += hessian * layout.hessianUnit();
      for (int column = 0; column < COLUMNS; column++) {
        int bin = Math.min(BINS - 1, 4 * group * (column & 1) + random.nextInt(BINS));
        int at = 1 + bin * PackedRows.LANES + column;
        cells[at] += cell;
        cells[at + CELLS] += contrasts.code(group) * hessian;
        for (int split = bin; split < BINS; split++) {
          lefts[column * BINS + split][group] += cell;
        }
      }
    }
    return new Totals(sums, count);
  }

  private double mostByGroups(CoupledLeaf leaf, PackedLayout layout, int column) {
    double most = Double.NEGATIVE_INFINITY;
    double[] sums = new double[1 + GROUPS];
    for (int split = 0; split < BINS; split++) {
      long all = 0;
      for (int group = 0; group < GROUPS; group++) {
        long left = lefts[column * BINS + split][group];
        all += left;
        sums[1 + group] = layout.hessian(left);
      }
      sums[0] = layout.gradient(all);
      if (leaf.allows(layout.count(all), layout.hessian(all))) {
        most = Math.max(most, leaf.gains().gain(sums, 0));
      }
    }
    return most;
  }
}
