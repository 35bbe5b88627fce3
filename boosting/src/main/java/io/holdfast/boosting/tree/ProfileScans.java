package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The scan by vectors for bounds of small leaves, from when it is compiled and faster than the
 * scalar one. Without it such leaves are searched like others, which finds the same splits.
 */
final class ProfileScans {
  private static volatile @Nullable ProfileScan current;

  static {
    List<ProfileScan> all = vectors();
    if (!all.isEmpty()) {
      ProfileScan vectors = all.getLast();
      VectorTrial.begin("holdfast-profiles-warm-up", () -> warmUp(vectors));
    }
  }

  private ProfileScans() {}

  private static void warmUp(ProfileScan vectors) {
    var sample = new Sample();
    var scalar = new ScalarProfileScan();
    if (VectorTrial.won(1, kind -> sample.scan(scalar), kind -> sample.scan(vectors))) {
      use(vectors);
    }
  }

  /** Has this one used from now on, or none. */
  static void use(@Nullable ProfileScan scan) {
    current = scan;
  }

  /** The one that is used at the moment, or null. */
  static @Nullable ProfileScan current() {
    return current;
  }

  /** All by vectors that this machine has, compiled or not. */
  static List<ProfileScan> vectors() {
    return VectorModule.present() ? VectorProfileScan.supported() : List.of();
  }

  /** A leaf with made-up cells. */
  private static final class Sample {
    private static final int BINS = 64;
    private static final int SCANS = 10; // of a round
    private static final int CELLS = BINS * PackedRows.LANES;
    private static final int MOST = 120; // rows of a side, about

    private final long[] sums = new long[CELLS + PackedRows.LANES];
    private final double[] target = new double[PackedRows.LANES];
    private final ProfileCells cells = new ProfileCells();
    private final ProfileBound bound = new ProfileBound();
    private final LeafScan leaf = new LeafScan();

    Sample() {
      var random = new SplittableRandom(1);
      leaf.fewest = 20;
      leaf.most = MOST;
      leaf.rowSpan = leaf.most - leaf.fewest;
      cells.countMask = (1L << 14) - 1;
      cells.hessianMask = ((1L << 16) - 1) << 14;
      cells.alongMask = ((1L << 18) - 1) << 30;
      cells.gradientShift = 48;
      for (int at = 0; at < CELLS; at++) {
        long hessian = random.nextLong(1, 50);
        long gradient = random.nextLong(-100, 100);
        long along = hessian * random.nextLong(1, 16);
        sums[at] = (gradient << 48) + (along << 30) + (hessian << 14) + random.nextLong(1, 4);
      }
      bound.unit = 0x1p-14;
      bound.share = 0x1p-70;
      bound.pull = 0x1p-34;
      bound.enter(3, 4_000, 1, 1, 0);
    }

    void scan(ProfileScan by) {
      var plane = new PlaneScan.Plane(0, BINS, PackedRows.LANES);
      for (int k = 0; k < SCANS; k++) {
        by.most(sums, plane, leaf, cells, bound, target);
      }
    }
  }
}
