package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which split scan is used: the plain one, and from when it is compiled and faster the one by
 * vectors, if there is one. Both find the same to the bit, so it does not matter when it changes.
 */
final class SplitScans {
  static final SplitScan PLAIN = new PlainSplitScan();
  private static volatile SplitScan current = PLAIN;

  static {
    SplitScan vectors = vectors();
    if (vectors != null) {
      VectorTrial.begin("holdfast-planes-warm-up", () -> warmUp(vectors));
    }
  }

  private SplitScans() {}

  /** The best there is at the moment. */
  static SplitScan current() {
    return current;
  }

  /** The scan by vectors, compiled or not; null if there is none. */
  static @Nullable SplitScan vectors() {
    return VectorModule.present() && VectorSplitScan.supported() ? new VectorSplitScan() : null;
  }

  private static void warmUp(SplitScan vectors) {
    var sample = new Sample();
    if (VectorTrial.won(2, kind -> sample.scan(PLAIN, kind), kind -> sample.scan(vectors, kind))) {
      current = vectors;
    }
  }

  /** Planes of cells to scan: without missing values, and with some. */
  private static final class Sample {
    private static final int BINS = 48;
    private static final int SCANS = 50;

    private final long[][] cells = new long[2][(BINS + 1) * PackedBins.LANES];
    private final ScanLeaf leaf = new ScanLeaf();
    private final ScanResult result = new ScanResult();

    Sample() {
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

    void scan(SplitScan scan, int kind) {
      for (int k = 0; k < SCANS; k++) {
        scan.scan(cells[kind], 0, BINS, PackedBins.LANES, leaf, result);
      }
    }
  }
}
