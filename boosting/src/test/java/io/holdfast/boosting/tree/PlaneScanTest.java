package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.PackedRows;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scan by vectors against its scalar twin. */
class PlaneScanTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0, 0.3, 0",
    "0, 0, 0.4",
    "20, 0, 0",
    "20, 0.3, 0.4",
    "20, 1e20, 0",
    "20, 1e-20, 0"
  })
  void scan_byVectors_isTheScalarOneToTheBit(int hessianBits, double ridge, double missing) {
    PlaneScan vectors = PlaneScans.vectors(true);
    assumeTrue(vectors != null, "no vectors of 512 bits on this machine");
    for (int seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      int bins = seed < 20 ? seed : random.nextInt(1, 256);
      int width = random.nextInt(1, 9);
      var layout = new PackedLayout(16, hessianBits, 0.125, hessianBits == 0 ? 0.7 : 0.25);
      int from = random.nextInt(20);
      long[] cells = cells(random, from, bins, layout, missing);
      LeafScan leaf = leaf(cells, from, bins, layout, random, ridge);
      PlaneBests expected = new PlaneBests();
      PlaneBests actual = new PlaneBests();
      new ScalarPlaneScan().scan(cells, from, bins, width, leaf, expected);
      vectors.scan(cells, from, bins, width, leaf, actual);
      for (int lane = 0; lane < width; lane++) {
        String place = "seed " + seed + " lane " + lane;
        assertThat(actual.split[lane]).as(place).isEqualTo(expected.split[lane]);
        if (actual.split[lane] >= 0) {
          assertThat(actual.left[lane]).as(place).isEqualTo(expected.left[lane]);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0, 2, 0",
    "0, 0.3, 0",
    "0, 0, 0.4",
    "20, 0, 0",
    "20, 3, 0",
    "20, 0.3, 0.4",
    "20, 1e20, 0"
  })
  void scanBoth_byVectors_isTwoScalarOnesToTheBit(int hessianBits, double ridge, double missing) {
    PlaneScan vectors = PlaneScans.vectors(true);
    assumeTrue(vectors != null, "no vectors of 512 bits on this machine");
    for (int seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      int bins = seed < 20 ? seed : random.nextInt(1, 256);
      var layout = new PackedLayout(16, hessianBits, 0.125, hessianBits == 0 ? 0.5 : 0.25);
      int from = random.nextInt(20);
      var plane = new PlaneScan.Plane(from, bins, random.nextInt(1, 9));
      long[] part = cells(random, from, bins, layout, missing);
      long[] other = cells(random, from, bins, layout, missing);
      LeafScan[] leaves = {
        leaf(part, from, bins, layout, new SplittableRandom(seed), ridge),
        leaf(other, from, bins, layout, new SplittableRandom(seed), ridge)
      };
      long[] expectedRest = other.clone();
      long[] rest = other.clone();
      for (int k = 0; k < part.length; k++) {
        expectedRest[k] += part[k];
        rest[k] += part[k];
      }
      PlaneBests[] expected = {new PlaneBests(), new PlaneBests()};
      PlaneBests[] actual = {new PlaneBests(), new PlaneBests()};
      new ScalarPlaneScan().scanBoth(part, expectedRest, plane, leaves, expected);
      vectors.scanBoth(part, rest, plane, leaves, actual);
      for (int k = from; k < other.length; k++) {
        if ((k - from) % PackedRows.LANES < plane.width()) {
          assertThat(expectedRest[k]).isEqualTo(other[k]);
          assertThat(rest[k]).isEqualTo(other[k]);
        }
      }
      for (int place = 0; place < 2; place++) {
        for (int lane = 0; lane < plane.width(); lane++) {
          String where = "seed " + seed + " place " + place + " lane " + lane;
          assertThat(actual[place].split[lane]).as(where).isEqualTo(expected[place].split[lane]);
          if (actual[place].split[lane] >= 0) {
            assertThat(actual[place].left[lane]).as(where).isEqualTo(expected[place].left[lane]);
          }
        }
      }
    }
  }

  private static long[] cells(
      SplittableRandom random, int from, int bins, PackedLayout layout, double missing) {
    long[] cells = new long[from + PackedRows.LANES * (bins + 1)];
    for (int at = from; at < cells.length; at++) {
      boolean last = at >= from + PackedRows.LANES * bins;
      if (last ? random.nextDouble() < missing : random.nextInt(4) > 0) {
        long rows = random.nextInt(1, 5);
        long hessian = layout.hessianBits() == 0 ? 0 : random.nextInt(12);
        long gradient = random.nextInt(-9, 10);
        cells[at] =
            (gradient << layout.gradientShift()) + (hessian << layout.hessianShift()) + rows;
      }
    }
    return cells;
  }

  /** A leaf of as many rows as the fullest lane has. */
  private static LeafScan leaf(
      long[] cells,
      int from,
      int bins,
      PackedLayout layout,
      SplittableRandom random,
      double ridge) {
    long total = 0;
    for (int lane = 0; lane < PackedRows.LANES; lane++) {
      long sum = 0;
      for (int bin = 0; bin <= bins; bin++) {
        sum += cells[from + PackedRows.LANES * bin + lane];
      }
      if (layout.count(sum) > layout.count(total)) {
        total = sum;
      }
    }
    var limits =
        new TreeLimits(4, 4, random.nextInt(1, 9), random.nextInt(4), random.nextInt(2) * 0.01);
    var totals =
        new Totals(
            new double[] {layout.gradient(total), layout.hessian(total)}, layout.count(total));
    var leaf = new LeafScan();
    leaf.enter(totals, layout, limits, new Penalties(0, ridge, 0.001));
    return leaf;
  }
}
