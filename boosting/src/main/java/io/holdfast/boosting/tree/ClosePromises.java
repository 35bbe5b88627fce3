package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What columns of leaves promise that are bounded closely at once: all of a tree of few rows, and
 * the largest ones of any. Started and turned by the growing thread; planes are scanned by any.
 */
final class ClosePromises {
  /*
   * The plain scan's promises are far from the truth where a group has few rows in a leaf, and most
   * columns would be brought closer anyway: then the plain scan is for nothing. Of 1,000 rows in 12
   * groups four fifths of the planes that can be split are asked for with squared error, two thirds
   * with logistic loss; of 10,000 rows a half and a third, and there it would not pay. But those of
   * large leaves nearly all are, since these are split sooner or later.
   */
  private static final int MOST = 4_096; // rows of a tree
  private static final int LARGE = 12; // such leaves in a tree at most

  private final BinnedRows binned;
  private final PackedHistograms histograms;
  private final GroupContrasts contrasts;
  private final ContrastBound[][] bounds; // by worker, by place
  private final double[][] most; // by worker
  private final boolean[] wanted = new boolean[2]; // by place
  private @Nullable ContrastScan scan; // of the tree at hand
  private int fewest; // rows of a leaf

  ClosePromises(
      BinnedRows binned, PackedHistograms histograms, GroupContrasts contrasts, int workers) {
    this.binned = binned;
    this.histograms = histograms;
    this.contrasts = contrasts;
    bounds = new ContrastBound[workers][];
    for (int worker = 0; worker < workers; worker++) {
      bounds[worker] = new ContrastBound[] {new ContrastBound(), new ContrastBound()};
    }
    most = new double[workers][PackedRows.LANES];
  }

  /** Turns to a tree of so many rows. */
  void start(int rows, @Nullable ContrastScan by) {
    scan = by;
    fewest = rows <= MOST ? 0 : rows / LARGE;
  }

  /** Turns to a leaf. */
  void enter(int place, CoupledLeaf leaf, PackedLayout layout) {
    wanted[place] = scan != null && leaf.rows() >= fewest;
    if (wanted[place]) {
      leaf.turn(contrasts);
      for (ContrastBound[] ofWorker : bounds) {
        leaf.gains().tell(layout, contrasts, ofWorker[place]);
      }
    }
  }

  /**
   * Whether they are given for a plane of the leaf at that place: none of its columns may have
   * missing values.
   */
  boolean given(int place, int plane, long[] histogram) {
    if (!wanted[place]) {
      return false;
    }
    PlaneScan.Plane at = histograms.plane(plane);
    int last = at.from() + at.bins() * PackedRows.LANES;
    long missing = 0;
    for (int lane = 0; lane < at.width(); lane++) {
      missing |= histogram[last + lane];
    }
    return missing == 0;
  }

  /** Notes what the columns of a plane promise. */
  void promise(int worker, int place, int plane, CoupledLeaf leaf, long[] histogram) {
    if (!leaf.scan.splittable()) {
      return;
    }
    ContrastScan by = Objects.requireNonNull(scan);
    double[] found = most[worker];
    PlaneScan.Plane all = histograms.plane(plane);
    int first = histograms.packed.firstColumn(plane);
    for (int lane = 0; lane < all.width(); lane += by.columns()) {
      int width = Math.min(by.columns(), all.width() - lane);
      var at = new PlaneScan.Plane(all.from() + lane, all.bins(), width);
      by.most(histogram, at, histograms.cells(), leaf.scan, bounds[worker][place], found);
      for (int k = 0; k < width; k++) {
        int column = first + lane + k;
        if (histograms.chosen(column) && !binned.categorical(column)) {
          leaf.promises().promiseClosely(column, leaf.closer(found[k]));
        }
      }
    }
  }
}
