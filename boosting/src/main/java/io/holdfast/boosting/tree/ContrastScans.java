package io.holdfast.boosting.tree;

import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The scan by vectors for bounds, from when it is compiled and faster than {@link
 * CandidateSplits#most}. Bounds are not the same to the bit, but both hold, and the splits that are
 * found by them are the same.
 */
final class ContrastScans {
  /*
   * PlaneScans says why a thread of its own tries it. With all of it in cache four columns by
   * vectors of 256 bits take 2.1 ns a split, and one by itself 4.4.
   */
  private static volatile @Nullable ContrastScan current;

  static {
    List<ContrastScan> all = vectors();
    if (!all.isEmpty()) {
      ContrastScan vectors = all.getLast();
      VectorTrial.begin("holdfast-contrasts-warm-up", () -> warmUp(vectors));
    }
  }

  private ContrastScans() {}

  private static void warmUp(ContrastScan vectors) {
    var sample = new Sample();
    if (VectorTrial.won(1, kind -> sample.weigh(), kind -> sample.scan(vectors))) {
      use(vectors);
    }
  }

  /** Has this one used from now on, or none. */
  static void use(@Nullable ContrastScan scan) {
    current = scan;
  }

  /** The one that is used at the moment, or null if bounds are found column by column. */
  static @Nullable ContrastScan current() {
    return current;
  }

  /** All by vectors that this machine has, compiled or not, the widest last. */
  static List<ContrastScan> vectors() {
    if (!VectorModule.present()) {
      return List.of();
    }
    List<ContrastScan> scans = new ArrayList<>(VectorHalfContrastScan.supported());
    scans.addAll(VectorContrastScan.supported());
    return scans;
  }

  /** A leaf with made-up cells. */
  private static final class Sample {
    private static final int BINS = 48;
    private static final int SCANS = 20; // of a round
    private static final int CELLS = BINS * PackedRows.LANES;
    private static final int ROWS = 240;
    private static final int GROUPS = 6;
    private static final PackedLayout LAYOUT = new PackedLayout(14, 18, 1, 1, 0);

    private final long[] cells = new long[2 * CELLS];
    private final double[] target = new double[PackedRows.LANES];
    private final CandidateSplits candidates = new CandidateSplits();
    private final ContrastBound bound = new ContrastBound();
    private final GroupContrasts contrasts;
    private final CoupledLeaf leaf;

    Sample() {
      var random = new SplittableRandom(1);
      int[] groupOf = new int[ROWS];
      double[] weights = new double[GROUPS];
      double[] factors = new double[GROUPS];
      Rows.Builder rows = Rows.builder(1);
      for (int row = 0; row < ROWS; row++) {
        groupOf[row] = row % GROUPS;
        weights[groupOf[row]]++;
        factors[groupOf[row]] = 6 / weights[groupOf[row]];
        rows.add(new double[] {groupOf[row] + random.nextDouble(3)}, 0, "all");
      }
      BinnedRows binned = BinnedRows.of(rows.build(), List.of(new Feature.Numeric("x")), BINS);
      contrasts = new GroupContrasts(binned, new AnchorCoupling(groupOf, weights, 6));
      Totals totals = fill(random);
      var limits = new TreeLimits(31, 6, 20, 1e-3, 0);
      GrowthSettings settings = GrowthSettings.of(limits, Penalties.ridge(1));
      leaf = new CoupledLeaf(1, settings, factors);
      var searched = new Leaf();
      searched.totals = totals;
      leaf.enter(searched, LAYOUT);
      contrasts.turn(factors);
      contrasts.enter(totals.sums());
      leaf.gains().tell(LAYOUT, contrasts, bound);
    }

    private Totals fill(SplittableRandom random) {
      double[] sums = new double[1 + GROUPS];
      int all = 0;
      for (int at = 0; at < CELLS; at++) {
        int group = random.nextInt(GROUPS);
        long hessian = random.nextLong(1, 50);
        long rows = random.nextLong(1, 5);
        long gradient = random.nextLong(-500, 500);
        cells[at] = (gradient << 32) + (hessian << 14) + rows;
        cells[at + CELLS] = contrasts.code(group) * hessian;
        if (at % PackedRows.LANES == 0) {
          sums[0] += gradient;
          sums[1 + group] += hessian;
          all += (int) rows;
        }
      }
      return new Totals(sums, all);
    }

    void weigh() {
      for (int k = 0; k < SCANS; k++) {
        for (int column = 0; column < target.length; column++) {
          candidates.takeAll(cells, column, CELLS, BINS, LAYOUT.countMask(), 20, leaf.rows());
          target[column] = candidates.most(leaf, LAYOUT, contrasts);
        }
      }
    }

    void scan(ContrastScan vectors) {
      int width = vectors.columns();
      for (int k = 0; k < SCANS; k++) {
        for (int lane = 0; lane < target.length; lane += width) {
          var plane = new PlaneScan.Plane(lane, BINS, width);
          vectors.most(cells, plane, CELLS, leaf.scan, bound, target);
        }
      }
    }
  }
}
