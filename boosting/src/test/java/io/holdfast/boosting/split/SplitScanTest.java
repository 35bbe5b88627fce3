package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.split.SplitScan.Result;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scans by vectors against their scalar twin. */
class SplitScanTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0, 2, 0",
    "0, 0.3, 0",
    "0, 0, 0.4",
    "20, 0, 0",
    "20, 3, 0",
    "20, 0.3, 0.4",
    "20, 1e20, 0",
    "20, 1e-20, 0"
  })
  void scan_byVectors_isTheScalarOneToTheBit(int hessianBits, double ridge, double missing) {
    SplitScan vectors = SplitScan.FORM.vectors();
    assumeTrue(vectors != null, "no vectors of 256 bits on this machine");
    for (int seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      int bins = seed < 20 ? seed : random.nextInt(1, 256);
      int width = random.nextInt(1, 9);
      int least = hessianBits == 0 ? 1 : seed % 3; // steps of a row
      double unit = hessianBits == 0 ? 0.7 : 0.25;
      var layout = new CellLayout(16, hessianBits, 0.125, unit);
      int from = random.nextInt(20);
      long[] cells = cells(random, from, bins, layout, least, missing);
      ScanLeaf leaf = leaf(cells, from, bins, width, layout, random, ridge);
      Result expected = new Result(new Buffers());
      SplitScan.FORM.plain().scan(cells, from, bins, width, leaf, expected);
      Result actual = new Result(new Buffers());
      vectors.scan(cells, from, bins, width, leaf, actual);
      assertThat(found(actual, width)).as("seed " + seed).isEqualTo(found(expected, width));
    }
  }

  /** What goes left in each lane. */
  private static List<Long> found(Result result, int width) {
    return Arrays.stream(result.left, 0, width).boxed().toList();
  }

  private static long[] cells(
      SplittableRandom random, int from, int bins, CellLayout layout, int least, double missing) {
    long[] cells = new long[from + PackedBins.LANES * (bins + 1)];
    for (int at = from; at < cells.length; at++) {
      boolean last = at >= from + PackedBins.LANES * bins;
      if (last ? random.nextDouble() < missing : random.nextInt(4) > 0) {
        long rows = random.nextInt(1, 5);
        long hessian = layout.hessianBits() == 0 ? 0 : rows * least + random.nextInt(12);
        long gradient = random.nextInt(-9, 10);
        cells[at] =
            (gradient << layout.gradientShift()) + (hessian << layout.hessianShift()) + rows;
      }
    }
    return cells;
  }

  /** A leaf of as many rows as the fullest lane has; what the others lack is put into a bin. */
  private static ScanLeaf leaf(
      long[] cells,
      int from,
      int bins,
      int width,
      CellLayout layout,
      SplittableRandom random,
      double ridge) {
    long[] sums = new long[width];
    long rows = 0;
    long hessian = 0;
    for (int lane = 0; lane < width; lane++) {
      for (int bin = 0; bin <= bins; bin++) {
        sums[lane] += cells[from + PackedBins.LANES * bin + lane];
      }
      rows = Math.max(rows, layout.count(sums[lane]));
      hessian = Math.max(hessian, sums[lane] >>> layout.hessianShift() & layout.hessianMask());
    }
    hessian += 2 * rows; // of those that lanes lack
    long total =
        ((sums[0] >> layout.gradientShift()) << layout.gradientShift())
            + (layout.hessianBits() == 0 ? 0 : hessian << layout.hessianShift())
            + rows;
    for (int lane = 0; lane < width; lane++) {
      cells[from + PackedBins.LANES * random.nextInt(Math.max(1, bins)) + lane] +=
          total - sums[lane];
    }
    int minRows = random.nextInt(1, random.nextBoolean() ? 9 : (int) Math.max(2, rows * 2 / 3));
    int minHessian = random.nextInt(random.nextBoolean() ? 4 : (int) Math.max(2, hessian / 2));
    var limits = new TreeLimits(4, 4, minRows, minHessian, random.nextInt(2) * 0.01);
    var totals =
        new Totals(
            new double[] {layout.gradient(total), layout.hessian(total)}, layout.count(total));
    var leaf = new ScanLeaf();
    leaf.enter(totals, layout, limits, new Penalties(0, ridge, 0.001));
    return leaf;
  }
}
