package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.numeric.Buffers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Leaves that a categorical anchor couples, gamma above 1, in {@link PackedHistograms} without
 * groups: these say which splits can be the best, and rows are added up by group for those alone.
 */
final class CoupledKernel extends PlaneKernel {
  /*
   * The coupled gain is ½ [gᵀ (D + C)⁻¹ g − parent] − α with g = (G_a, G_b), D = diag(S + λ₂) and
   * C = (gamma − 1) Σ_e s_e s_eᵀ / n_e, s_e = (s_{e,a}, s_{e,b}). By Cauchy and Schwarz
   *
   *   zᵀ C z = (gamma − 1) Σ_e (s_eᵀ z)² / n_e ≥ c (Sᵀ z)²,  c = (gamma − 1) / Σ_e n_e,
   *
   * so the gain is at most ½ [gᵀ (D + c S Sᵀ)⁻¹ g − parent] − α, which needs no groups. With λ₂ = 0
   * that is the plain gain moved by a constant; else it is no more than with c = 0, which again is.
   * So the scan of plain cells finds the split of each column that promises most. A leaf is looked
   * at when it promises more than any that was has: most of the small ones never do. Then, column by
   * column, all splits are looked at that promise more than the best so far has, those of the most
   * promising column first. What is never looked at cannot be the best. One pass over a leaf's rows
   * serves any number of a column's splits: the first one takes those that promise nearly as much as
   * the most promising, which is nearly always all that it takes. Of a leaf of few rows all splits of a
   * column are looked at, by OrderedRows; of fewer still there are no histograms, see DirectPromises.
   *
   * Splits of categories are looked at one and all, by SplitSearch, and with them the leaf at once.
   */
  private static final double NEARLY = 0.9; // enough for 96 to 99% of the leaves

  /*
   * Of a leaf that is too small to be split a histogram would serve to be taken away from its
   * parent's, and nothing else: four passes over all cells of both kinds.
   */
  private static final int FEW = 128; // rows

  private final AnchorCoupling coupling;
  private final double[] factors;
  private final CoupledLeaf[] leaves;
  private final LeafScan[] scans; // of the leaves
  private final GroupCells groupCells;
  private final OrderedRows ordered;
  private final GroupContrasts contrasts;
  private final ClosePromises closePromises;
  private final DirectPromises directPromises;
  private final CandidateSplits candidates = new CandidateSplits();
  private final List<Promises> promises = new ArrayList<>();
  private final Deque<Promises> freePromises = new ArrayDeque<>(); // those that no leaf has
  private final boolean roomForContrasts;
  private final ContrastBound contrastBound = new ContrastBound(); // of the leaf at hand
  private final double[] bounds = new double[PackedRows.LANES];
  private @Nullable ContrastScan contrastScan; // of the tree at hand
  private boolean contrasted; // whether the tree at hand has sums of contrasts
  private double shared; // c
  private boolean categories; // whether the tree may split any
  private int[] rows = {};

  /**
   * Takes the histograms over: closing it closes them.
   *
   * @param factors (gamma − 1)/n of each group, as they are when a tree is started
   */
  CoupledKernel(
      BinnedRows binned,
      GrowthSettings settings,
      AnchorCoupling coupling,
      double[] factors,
      PackedHistograms histograms,
      Searches searches,
      Buffers buffers) {
    super(binned, settings, histograms, searches);
    this.coupling = coupling;
    this.factors = factors;
    leaves = new CoupledLeaf[] {newLeaf(), newLeaf()};
    scans = new LeafScan[] {leaves[0].scan, leaves[1].scan};
    groupCells = new GroupCells(binned, coupling, buffers);
    ordered = new OrderedRows(binned, settings, coupling.groupOf(), factors);
    contrasts = new GroupContrasts(binned, coupling);
    closePromises = new ClosePromises(binned, histograms, contrasts, bests.length);
    var profile = new LeafProfile(coupling.groupOf(), factors);
    directPromises =
        new DirectPromises(binned, settings.limits(), histograms, profile, bests.length);
    roomForContrasts = histograms.addContrasts();
  }

  private CoupledLeaf newLeaf() {
    return new CoupledLeaf(binned.columns(), settings, factors);
  }

  /** Whether its bound holds, and the gain is all there is to a numeric split. */
  static boolean applies(GrowthSettings settings, AnchorCoupling coupling, int columns) {
    boolean plain = coupling.strength() > 0 && settings.penalties().lambda1() == 0;
    for (int column = 0; column < columns; column++) {
      plain &= settings.direction(column) == 0;
    }
    return plain;
  }

  @Override
  public @Nullable Totals start(
      double[] gradients, double[] hessians, RowPartition sample, int[] treeColumns) {
    if (!pack(gradients, hessians, sample, treeColumns) || !scans()) {
      return null;
    }
    rows = sample.rows;
    double weight = 0;
    for (double factor : factors) {
      weight += factor > 0 ? 1 / factor : 0; // a group without a factor has no rows
    }
    shared = weight > 0 ? 1 / weight : 0;
    contrasted = roomForContrasts && GroupContrasts.fits(layout);
    closePromises.start(0, null);
    if (contrasted) {
      contrastScan = ContrastScans.current();
      closePromises.start(sample.size(), contrastScan);
      histograms.keepContrasts(
          contrasts.start(factors, layout, histograms.rowCells(), sample, histograms.pairs()));
    }
    freePromises.clear(); // leaves of the tree before that were never looked at had the others
    freePromises.addAll(promises);
    categories = false;
    for (int column : treeColumns) {
      categories |= binned.categorical(column);
    }
    Totals totals = coupling.totals(sample, histograms.rowCells(), histograms.total(), layout);
    directPromises.start(totals, contrasted && !categories ? ProfileScans.current() : null);
    return totals;
  }

  @Override
  public void enter(int place, Leaf leaf) {
    searches.enter(place, leaf);
    begin(place, leaf);
    closePromises.enter(place, leaves[place], layout);
  }

  private void begin(int place, Leaf leaf) {
    leaves[place].enter(leaf, layout);
    if (freePromises.isEmpty()) {
      Promises more = new Promises(binned.columns());
      promises.add(more);
      freePromises.push(more);
    }
    Promises own = freePromises.pop();
    own.clear();
    leaves[place].take(own);
  }

  @Override
  public boolean direct(int count) {
    return directPromises.serve(count);
  }

  @Override
  public void enterDirectly(Leaf leaf) {
    begin(0, leaf);
    directPromises.enter(leaves[0], layout, rows);
  }

  @Override
  public void searchDirectly(int worker, int plane) {
    directPromises.promise(worker, plane, leaves[0]);
  }

  @Override
  public int cells() {
    return 2 * histograms.cells(); // those of contrasts stand behind the others
  }

  @Override
  public void gather(int[] rowNumbers, int from, int to, long[] histogram) {
    histograms.add(rowNumbers, from, to, contrasted, histogram);
  }

  @Override
  public void build(int worker, int plane, int[] rowNumbers, int from, int to, long[] histogram) {
    if (contrasted) {
      histograms.buildPairs(worker, plane, from, to, histogram);
    } else {
      super.build(worker, plane, rowNumbers, from, to, histogram);
    }
  }

  @Override
  public void subtract(int plane, long[] part, long[] histogram) {
    super.subtract(plane, part, histogram);
    if (contrasted) {
      histograms.subtractContrasts(plane, part, histogram);
    }
  }

  @Override
  public boolean few(int count) {
    return contrasted && count <= FEW;
  }

  @Override
  public void gatherFew(int[] rowNumbers, int from, int to) {
    histograms.gatherPairs(rowNumbers, from, to);
  }

  @Override
  public void subtractFew(int plane, int count, long[] histogram) {
    histograms.subtractGatheredPairs(plane, count, histogram);
  }

  @Override
  public void search(int worker, int place, int plane, long[] histogram) {
    if (closePromises.given(place, plane, histogram)) {
      closePromises.promise(worker, place, plane, leaves[place], histogram);
      return;
    }
    int first = packed.firstColumn(plane);
    int end = packed.firstColumn(plane + 1);
    scan.scan(
        histogram,
        histograms.firstCell(plane),
        packed.bins(plane),
        end - first,
        scans[place],
        bests[worker][place]);
    promise(worker, place, plane);
  }

  @Override
  public void searchBoth(int worker, int plane, long[] part, long[] rest) {
    if (closePromises.given(0, plane, rest) || closePromises.given(1, plane, rest)) {
      subtract(plane, part, rest);
      search(worker, 0, plane, part);
      search(worker, 1, plane, rest);
      return;
    }
    scan.scanBoth(part, rest, histograms.plane(plane), scans, bests[worker]);
    if (contrasted) {
      histograms.subtractContrasts(plane, part, rest);
    }
    promise(worker, 0, plane);
    promise(worker, 1, plane);
  }

  /** Notes what the columns of a plane promise that was scanned. */
  private void promise(int worker, int place, int plane) {
    CoupledLeaf leaf = leaves[place];
    PlaneBests best = bests[worker][place];
    int first = packed.firstColumn(plane);
    int end = packed.firstColumn(plane + 1);
    for (int column = first; column < end; column++) {
      int lane = column - first;
      if (best.split[lane] >= 0 && histograms.chosen(column) && !binned.categorical(column)) {
        long left = best.left[lane];
        leaf.promises()
            .promise(column, leaf.bound(layout.gradient(left), layout.hessian(left), plainShare()));
      }
    }
  }

  /** The c that leaves bounds in the order of plain gains. */
  private double plainShare() {
    return settings.penalties().lambda2() == 0 ? shared : 0;
  }

  @Override
  public void conclude(int place, Leaf leaf) {
    CoupledLeaf searched = leaves[place];
    Promises own = searched.promises();
    if (categories) {
      turnContrasts(searched);
      Split numeric = best(searched);
      Split categorical = bestOfCategories(place);
      leaf.best = categorical.beats(numeric) ? categorical : numeric;
    } else {
      int column = own.best();
      if (column >= 0 && own.of(column) >= searched.bestGain()) {
        leaf.promises = own;
        leaf.promise = own.of(column);
        return;
      }
    }
    freePromises.push(own);
  }

  /** Brings the promise as close as it can be had, or finds the split if it is. */
  @Override
  public void settle(Leaf leaf, double others) {
    Promises own = Objects.requireNonNull(leaf.promises, "the leaf has no promise");
    CoupledLeaf searched = leaves[0];
    searched.enter(leaf, layout);
    searched.take(own);
    if (leaf.histogram != null) {
      turnContrasts(searched);
    }
    int column = bring(searched, Math.max(others, searched.bestGain()));
    if (column >= 0 && own.of(column) >= searched.bestGain() && own.of(column) < leaf.promise) {
      leaf.promise = own.of(column); // others may come first now
      return;
    }
    leaf.best = best(searched);
    leaf.promises = null;
    freePromises.push(own);
  }

  private void turnContrasts(CoupledLeaf leaf) {
    if (contrasted) {
      leaf.turn(contrasts);
      if (contrastScan != null) {
        leaf.gains().tell(layout, contrasts, contrastBound);
      }
    }
  }

  /**
   * The column that promises most, when all that promise more have been looked at closely; or one
   * that promises less than {@code least}, if all do.
   */
  private int bring(CoupledLeaf leaf, double least) {
    Promises own = leaf.promises();
    int column = own.best();
    while (contrasted && column >= 0 && !own.close(column) && own.of(column) >= least) {
      if (contrastScan == null || missing(leaf, column) != 0 || !leaf.scan.splittable()) {
        own.bring(column, leaf.closer(bound(leaf, column)));
      } else {
        bringAll(leaf, column, contrastScan);
      }
      column = own.best();
    }
    return column;
  }

  /** Brings a column without missing values, and what others of that kind are scanned with it. */
  private void bringAll(CoupledLeaf leaf, int column, ContrastScan by) {
    int plane = packed.plane(column);
    int lane = column - packed.firstColumn(plane);
    int first = column - lane % by.columns();
    int end = Math.min(first + by.columns(), packed.firstColumn(plane + 1));
    int at = histograms.firstCell(plane) + first - packed.firstColumn(plane);
    by.most(
        leaf.histogram(),
        new PlaneScan.Plane(at, packed.bins(plane), end - first),
        histograms.cells(),
        leaf.scan,
        contrastBound,
        bounds);
    for (int other = first; other < end; other++) {
      if (leaf.promises().awaits(other) && missing(leaf, other) == 0) {
        leaf.promises().bring(other, leaf.closer(bounds[other - first]));
      }
    }
  }

  /** What a column gains at most. */
  private double bound(CoupledLeaf leaf, int column) {
    if (missing(leaf, column) == 0) {
      int plane = packed.plane(column);
      int at = histograms.firstCell(plane) + column - packed.firstColumn(plane);
      candidates.takeAll(
          leaf.histogram(),
          at,
          histograms.cells(),
          binned.bins(column),
          layout.countMask(),
          settings.limits().minRows(),
          leaf.rows());
      return candidates.most(leaf, layout, contrasts);
    }
    find(leaf, column, leaf.bestGain(), shared);
    int most = candidates.bound(leaf.gains(), layout, contrasts);
    return most < 0 ? Double.NEGATIVE_INFINITY : candidates.bound(most);
  }

  /** The best numeric split. */
  private Split best(CoupledLeaf leaf) {
    Promises own = leaf.promises();
    boolean small = !categories && OrderedRows.serve(leaf);
    if (small) {
      ordered.enter(leaf, rows, histograms.rowCells(), layout);
    } else {
      boolean equal = layout.hessianBits() == 0 && !categories;
      groupCells.enter(rows, leaf.from(), leaf.to(), histograms.rowCells(), equal);
    }
    int column = bring(leaf, leaf.bestGain());
    while (column >= 0 && own.of(column) >= leaf.bestGain()) {
      if (small) {
        ordered.offer(column);
      } else {
        look(leaf, column);
      }
      own.done(column);
      column = bring(leaf, leaf.bestGain());
    }
    return leaf.best(binned);
  }

  /** Looks at the splits of a column that may be the best. */
  private void look(CoupledLeaf leaf, int column) {
    candidates.turn();
    double promising = NEARLY * leaf.promises().of(column);
    if (contrasted && !leaf.found() && promising < Double.POSITIVE_INFINITY) {
      look(leaf, column, promising);
      if (leaf.bestGain() >= promising) {
        return;
      }
    }
    look(leaf, column, leaf.bestGain());
  }

  /** Looks at those that can gain {@code least} or more, and were not looked at before. */
  private void look(CoupledLeaf leaf, int column, double least) {
    find(leaf, column, least, shared);
    if (contrasted) {
      candidates.bound(leaf.gains(), layout, contrasts);
    } else {
      candidates.boundless();
    }
    if (candidates.choose(least, groupCells)) {
      offer(leaf, column);
    }
  }

  private void offer(CoupledLeaf leaf, int column) {
    leaf.offer(column, groupCells, groupCells.addUp(column), layout, missing(leaf, column));
  }

  private long missing(CoupledLeaf leaf, int column) {
    int plane = packed.plane(column);
    int at = histograms.firstCell(plane) + column - packed.firstColumn(plane);
    return leaf.histogram()[at + packed.bins(plane) * PackedRows.LANES];
  }

  /** Finds the splits of a column whose bound with that c is {@code least} or more. */
  private void find(CoupledLeaf leaf, int column, double least, double share) {
    leaf.reach(least, share);
    int plane = packed.plane(column);
    int lane = column - packed.firstColumn(plane);
    int at = histograms.firstCell(plane) + lane;
    int further = contrasted ? histograms.cells() : 0;
    int bins = binned.bins(column);
    long[] histogram = leaf.histogram();
    int last = at + packed.bins(plane) * PackedRows.LANES;
    long missing = histogram[last];
    long missingContrast = histogram[last + further];
    candidates.clear();
    int fewest = settings.limits().minRows();
    int most = leaf.rows() - fewest; // rows left, missing ones not counted: then too few are right
    int enough = fewest - layout.count(missing);
    long sum = 0;
    long contrast = 0;
    for (int bin = 0; bin < bins; bin++, at += PackedRows.LANES) {
      long cell = histogram[at];
      if (cell != 0) {
        int left = layout.count(sum);
        if (left > most) {
          return;
        }
        if (left >= enough && sum != 0) {
          consider(leaf, bin - 1, false, sum, contrast);
          if (missing != 0) {
            consider(leaf, bin - 1, true, sum + missing, contrast + missingContrast);
          }
        }
        sum += cell;
        contrast += histogram[at + further];
      }
    }
    if (sum != 0 && missing != 0) {
      consider(leaf, bins - 1, false, sum, contrast);
    }
  }

  private void consider(CoupledLeaf leaf, int bin, boolean missingLeft, long left, long contrast) {
    double gradient = layout.gradient(left);
    double hessian = layout.hessian(left);
    if (leaf.mayReach(gradient, hessian) && leaf.allows(layout.count(left), hessian)) {
      candidates.add(bin, missingLeft, left, contrast);
    }
  }

  /** Of the leaf whose rows were laid out last. */
  private Split bestOfCategories(int place) {
    SplitSearch search = searches.of(0, place);
    for (int column = 0; column < binned.columns(); column++) {
      if (histograms.chosen(column) && binned.categorical(column)) {
        groupCells.addUpAll(column);
        groupCells.read(binned.bins(column) + 1, layout, columnCells[0]);
        search.search(column, columnCells[0]);
      }
    }
    return search.best();
  }
}
