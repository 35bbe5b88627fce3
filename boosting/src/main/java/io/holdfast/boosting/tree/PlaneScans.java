package io.holdfast.boosting.tree;

import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which scan is used: the scalar one, and from when it is compiled and faster the one by vectors,
 * if the machine and the virtual machine's options have them. Both find the same to the bit, so
 * when it changes is nobody's concern.
 */
final class PlaneScans {
  /*
   * A thread of its own scans made-up cells both ways until vectors win: VectorTrial says why. The
   * compiler leaves vectors on the heap with the loop over two leaves more often than with those over
   * one (in half of the runs of a trainer, and then for ever), so that one is tried last and by itself.
   * The scans by vectors are only linked if their module is there.
   */
  private static final int BINS = 48;
  private static final int SCANS = 50; // of a round

  private static final PlaneScan SCALAR = new ScalarPlaneScan();
  private static volatile PlaneScan current = SCALAR;

  static {
    List<PlaneScan> whole = whole();
    List<PlaneScan> candidates = whole.isEmpty() ? half() : whole;
    if (!candidates.isEmpty()) {
      VectorTrial.begin("holdfast-planes-warm-up", () -> warmUp(candidates));
    }
  }

  private PlaneScans() {}

  /** The best there is at the moment. */
  static PlaneScan current() {
    return current;
  }

  /** All scans by vectors that this machine has, compiled or not. */
  static List<PlaneScan> vectors() {
    List<PlaneScan> scans = new ArrayList<>(half());
    scans.addAll(whole());
    return scans;
  }

  /** Those of 512 bits, in the order in which they are to be tried. */
  private static List<PlaneScan> whole() {
    return VectorModule.present() ? VectorPlaneScan.supported() : List.of();
  }

  /** That of 256 bits. */
  private static List<PlaneScan> half() {
    return VectorModule.present() ? VectorHalfPlaneScan.supported() : List.of();
  }

  private static void warmUp(List<PlaneScan> candidates) {
    var sample = new Sample();
    for (int k = 0; k < candidates.size(); k++) {
      if (!wins(sample, candidates.get(k), k == 0 ? Sample.SINGLE : Sample.PAIRS)) {
        break;
      }
      current = candidates.get(k);
    }
  }

  private static boolean wins(Sample sample, PlaneScan vectors, int[] kinds) {
    return VectorTrial.won(
        kinds.length,
        kind -> sample.scan(SCALAR, kinds[kind]),
        kind -> sample.scan(vectors, kinds[kind]));
  }

  /** A plane of cells to scan. */
  private static final class Sample {
    static final int[] SINGLE = {0, 1, 2, 5, 8}; // kinds of what is to be compiled
    static final int[] PAIRS = {3, 4, 6, 7};
    private static final int WIDTH = 8;
    private static final PlaneScan.Plane PLANE = new PlaneScan.Plane(0, BINS, WIDTH);
    private static final PlaneScan.Plane NARROW = new PlaneScan.Plane(0, BINS, WIDTH / 2);
    private final PlaneBests[] bests = {new PlaneBests(), new PlaneBests()};
    private final LeafScan[] leaves = {new LeafScan(), new LeafScan()};
    private final LeafScan[] rounded = {new LeafScan(), new LeafScan()}; // sums are not whole
    private final LeafScan[] counted = {new LeafScan(), new LeafScan()}; // rows say: hessian enough
    private final long[] scratch = new long[(BINS + 1) * WIDTH];
    private final long[] nothing = new long[(BINS + 1) * WIDTH];
    private final long[] present = new long[(BINS + 1) * WIDTH];
    private final long[] missing = new long[(BINS + 1) * WIDTH];
    private final long[] narrow; // of four columns: what stands beside them is written over

    Sample() {
      var random = new SplittableRandom(1);
      long total = 0;
      for (int at = 0; at < missing.length; at++) {
        long cell = (random.nextLong(-500, 500) << 39) + (random.nextLong(1, 500) << 14) + 1;
        missing[at] = cell;
        present[at] = at < BINS * WIDTH ? cell : 0;
        total += at % WIDTH == 0 ? cell : 0;
      }
      narrow = present.clone();
      var layout = new PackedLayout(14, 25, 1, 1, 0);
      var sums = new double[] {layout.gradient(total), layout.hessian(total)};
      var totals = new Totals(sums, layout.count(total));
      var limits = new TreeLimits(31, 6, 2, 1, 0);
      var sure = new PackedLayout(14, 25, 1, 1, 1);
      for (int place = 0; place < leaves.length; place++) {
        leaves[place].enter(totals, layout, limits, Penalties.ridge(1));
        rounded[place].enter(totals, layout, limits, Penalties.ridge(0.3));
        counted[place].enter(totals, sure, limits, Penalties.ridge(1));
      }
    }

    void scan(PlaneScan scan, int kind) {
      for (int k = 0; k < SCANS; k++) {
        switch (kind) {
          case 0 -> scan.scan(missing, 0, BINS, WIDTH, leaves[0], bests[0]);
          case 1 -> scan.scan(present, 0, BINS, WIDTH, leaves[0], bests[0]);
          case 2 -> scan.scan(present, 0, BINS, WIDTH, rounded[0], bests[0]);
          case 3 -> scan.scanBoth(nothing, present, PLANE, leaves, bests);
          case 4 -> scan.scanBoth(nothing, missing, PLANE, leaves, bests);
          case 5 -> scan.scan(present, 0, BINS, WIDTH, counted[0], bests[0]);
          case 6 -> scan.scanBoth(nothing, present, PLANE, rounded, bests);
          case 7 -> scan.scanBoth(nothing, present, PLANE, counted, bests);
          default -> scan.scanBoth(scratch, narrow, NARROW, counted, bests);
        }
      }
    }
  }
}
