package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.BinSums;
import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.VectorForms;
import io.holdfast.boosting.split.SplitScan.Result;
import java.util.SplittableRandom;

/** Finds the best threshold of each column of a plane of packed cells. Stateless. */
sealed interface SplitScan permits SplitScan.Plain, VectorSplitScan {
  VectorForms.Choice<SplitScan> FORM =
      VectorForms.choose(
          "split scan",
          new Plain(),
          VectorForms.present() && VectorSplitScan.supported() ? new VectorSplitScan() : null,
          Sample::new);

  /**
   * Scans {@code width} lanes.
   *
   * @param cells of the plane from {@code from} on, as {@link PackedBins} has them
   * @param bins rows of cells before that of the missing values
   */
  void scan(long[] cells, int from, int bins, int width, ScanLeaf leaf, Result result);

  /** Planes of cells to scan: without missing values, and with some. */
  final class Sample implements VectorForms.Trial<SplitScan> {
    private static final int BINS = 48;
    private static final int SCANS = 50;

    private final long[][] cells = new long[2][(BINS + 1) * PackedBins.LANES];
    private final ScanLeaf leaf = new ScanLeaf();
    private final Result result = new Result(new Buffers());

    private Sample() {
      var random = new SplittableRandom(1);
      long total = 0;
      for (int at = 0; at < cells[1].length; at++) {
        long cell = (random.nextLong(-500, 500) << 39) + (random.nextLong(1, 500) << 14) + 1;
        cells[0][at] = at < BINS * PackedBins.LANES ? cell : 0;
        cells[1][at] = cell;
        total += at % PackedBins.LANES == 0 ? cell : 0;
      }
      var layout = new CellLayout(14, 25, 1, 1);
      var sums = new double[] {layout.gradient(total), layout.hessian(total)};
      var totals = new Totals(sums, layout.count(total));
      leaf.enter(totals, layout, new TreeLimits(31, 6, 2, 1, 0), Penalties.ridge(1));
    }

    @Override
    public int kinds() {
      return cells.length;
    }

    @Override
    public void run(SplitScan scan, int kind) {
      for (int k = 0; k < SCANS; k++) {
        scan.scan(cells[kind], 0, BINS, PackedBins.LANES, leaf, result);
      }
    }
  }

  /** The best split of each lane of a plane. Scratch: not thread-safe. */
  final class Result {
    /** Of each lane: the sums of what goes left; 0 if no split is worth its price. */
    final long[] left = new long[PackedBins.LANES];

    /** Scratch of the vector scan: the sums of the bins at the left end that are too few rows. */
    final long[] skipped = new long[PackedBins.LANES];

    /** Scratch: what each candidate split of each lane adds to the left side. */
    final long[] candidates;

    Result(Buffers buffers) {
      candidates = buffers.longs(2 * BinSums.BINS * PackedBins.LANES);
    }
  }

  /** One lane after the other: what {@link VectorSplitScan} must agree with. */
  final class Plain implements SplitScan {
    @Override
    public void scan(long[] cells, int from, int bins, int width, ScanLeaf leaf, Result result) {
      for (int lane = 0; lane < width; lane++) {
        long missing = cells[from + bins * PackedBins.LANES + lane];
        if (missing == 0) {
          result.left[lane] = scan(cells, from + lane, bins, leaf);
        } else {
          int count = candidates(cells, from + lane, bins, leaf, missing, result.candidates);
          result.left[lane] = scan(result.candidates, 0, count, leaf);
        }
      }
    }

    /**
     * Writes what each candidate adds to the left side: of each bin first the split that has the
     * missing values right, then the one with them left. Returns how many candidates there are.
     */
    private static int candidates(
        long[] cells, int first, int bins, ScanLeaf leaf, long missing, long[] target) {
      long present = 0;
      long left = 0; // of the candidate before
      int count = 0;
      for (int bin = 0, at = first; bin < bins; bin++, at += PackedBins.LANES) {
        present += cells[at];
        if (cells[at] != 0 && (present & leaf.countMask) != 0) { // else it is no other split
          target[count++ * PackedBins.LANES] = present - left;
          target[count++ * PackedBins.LANES] = missing;
          left = present + missing;
        }
      }
      return count;
    }

    private static long scan(long[] cells, int first, int count, ScanLeaf leaf) {
      long countMask = leaf.countMask;
      long fewest = leaf.fewest;
      long most = leaf.most;
      double numerator = leaf.leastRatio;
      double denominator = 1;
      long best = 0;
      long sum = 0;
      for (int bin = 0, at = first; bin < count; bin++, at += PackedBins.LANES) {
        sum += cells[at];
        long rows = sum & countMask;
        if (rows < fewest || rows > most) {
          continue;
        }
        long hessian = sum >>> leaf.hessianShift & leaf.hessianMask;
        if (hessian < leaf.leastHessian || hessian > leaf.mostHessian) {
          continue;
        }
        double gradient = sum >> leaf.gradientShift;
        double a = hessian + leaf.ridge;
        double b = leaf.hessian - hessian + leaf.ridge;
        double c = gradient * b - (leaf.gradient - gradient) * a;
        double square = c * c;
        double product = a * b;
        if (square * denominator > numerator * product) {
          numerator = square;
          denominator = product;
          best = sum;
        }
      }
      return best;
    }
  }
}
