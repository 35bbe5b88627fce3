package io.holdfast.boosting.tree;

import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.data.PlaneSums;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What columns of small leaves promise, by {@link LeafProfile}: their rows are added up for that,
 * plane by plane, and no histogram is kept. Started and turned by the growing thread; planes are
 * added up by any.
 */
final class DirectPromises {
  /*
   * OrderedRows needs no histogram, so of a small leaf one would serve for bounds alone, to be copied
   * and taken away from its parent's with all bins, of which most are empty. Instead bounds are found
   * where the leaf's rows were added up, and so these may be added up with numbers of this leaf's own,
   * and with so few bits each that a cell is one long (ProfileCells). Of 1,000 rows in 12 groups 30
   * leaves are searched, most of them so.
   *
   * Splits that leave too little hessian are not told from others here: that would be a tenth of the
   * scan, where hardly any limit of hessians is reached before that of rows. Where it may be,
   * histograms are.
   */
  private static final int MOST = 800; // rows of the leaf above
  private static final double SELDOM = 0.1; // of what the fewest rows have, on average

  private final BinnedRows binned;
  private final TreeLimits limits;
  private final PackedHistograms histograms;
  private final LeafProfile profile;
  private final ProfileCells cells = new ProfileCells();
  private final ProfileBound[] bounds; // by worker
  private final double[][] most; // by worker
  private @Nullable ProfileScan scan; // of the tree at hand; null if it has histograms alone
  private int count; // rows of the leaf at hand

  DirectPromises(
      BinnedRows binned,
      TreeLimits limits,
      PackedHistograms histograms,
      LeafProfile profile,
      int workers) {
    this.binned = binned;
    this.limits = limits;
    this.histograms = histograms;
    this.profile = profile;
    bounds = new ProfileBound[workers];
    most = new double[workers][PackedRows.LANES];
    for (int worker = 0; worker < workers; worker++) {
      bounds[worker] = new ProfileBound();
    }
  }

  /** Turns to a tree of these sums: its gradient, and the hessian of each group. */
  void start(Totals totals, @Nullable ProfileScan by) {
    double hessian = 0;
    for (int group = 1; group < totals.sums().length; group++) {
      hessian += totals.sums()[group];
    }
    double ofFewest = hessian / totals.rows() * limits.minRows();
    scan = limits.minHessian() <= SELDOM * ofFewest ? by : null;
  }

  /** Whether the children of a leaf of so many rows are searched like this. */
  boolean serve(int rows) {
    return scan != null && rows <= MOST && histograms.gathers(rows);
  }

  /** Turns to a leaf. */
  void enter(CoupledLeaf leaf, PackedLayout layout, int[] rows) {
    profile.enter(leaf.gains(), leaf.totals(), layout);
    long[] target = histograms.gatherBins(rows, leaf.from(), leaf.to());
    cells.enter(profile, layout, rows, leaf.from(), leaf.to(), histograms.rowCells(), target);
    for (ProfileBound bound : bounds) {
      leaf.gains().tell(layout, profile, bound);
      bound.enter(cells);
    }
    count = leaf.to() - leaf.from();
  }

  /** Notes what the columns of a plane promise. */
  void promise(int worker, int plane, CoupledLeaf leaf) {
    if (!leaf.scan.splittable()) {
      return;
    }
    PlaneSums added = histograms.addGathered(worker, plane, count);
    long[] sums = added.cells();
    PlaneScan.Plane all = histograms.plane(plane);
    int bins = all.bins();
    var at = new PlaneScan.Plane(added.first(), bins, all.width());
    ProfileBound bound = bounds[worker];
    double[] found = most[worker];
    Objects.requireNonNull(scan).most(sums, at, leaf.scan, cells, bound, found);
    int first = histograms.packed.firstColumn(plane);
    for (int lane = 0; lane < at.width(); lane++) {
      int column = first + lane;
      if (histograms.chosen(column) && !binned.categorical(column)) {
        int from = at.from() + lane;
        boolean missing = sums[from + bins * PackedRows.LANES] != 0;
        leaf.promises()
            .promiseClosely(
                column,
                missing
                    ? ScalarProfileScan.most(sums, from, bins, leaf.scan, cells, bound)
                    : found[lane]);
      }
    }
  }
}
