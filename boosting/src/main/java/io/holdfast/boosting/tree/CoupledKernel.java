package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
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
   * serves all splits of a column.
   *
   * Splits of categories are looked at one and all, by SplitSearch, and with them the leaf at once.
   */
  private final AnchorCoupling coupling;
  private final double[] factors;
  private final CoupledLeaf[] leaves;
  private final GroupCells groupCells;
  private final List<double[]> promises = new ArrayList<>();
  private final Deque<double[]> freePromises = new ArrayDeque<>(); // those that no leaf has
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
      Searches searches) {
    super(binned, settings, histograms, searches);
    this.coupling = coupling;
    this.factors = factors;
    leaves = new CoupledLeaf[] {newLeaf(), newLeaf()};
    groupCells = new GroupCells(binned, coupling);
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
    freePromises.clear(); // leaves of the tree before that were never looked at had the others
    freePromises.addAll(promises);
    categories = false;
    for (int column : treeColumns) {
      categories |= binned.categorical(column);
    }
    return totals(sample);
  }

  private Totals totals(RowPartition sample) {
    long[] byGroup = new long[coupling.groups()];
    long[] rowCells = histograms.rowCells();
    for (int k = 0; k < sample.size(); k++) {
      byGroup[coupling.group(rows[k])] += rowCells[rows[k]];
    }
    double[] sums = new double[1 + byGroup.length];
    long all = 0;
    for (int group = 0; group < byGroup.length; group++) {
      all += byGroup[group];
      sums[1 + group] = layout.hessian(byGroup[group]);
    }
    sums[0] = layout.gradient(all);
    return new Totals(sums, layout.count(all));
  }

  @Override
  public void enter(int place, Leaf leaf) {
    searches.enter(place, leaf);
    leaves[place].enter(leaf, layout);
    if (freePromises.isEmpty()) {
      double[] more = new double[binned.columns()];
      promises.add(more);
      freePromises.push(more);
    }
    leaves[place].startPromises(freePromises.pop());
  }

  @Override
  public void search(int worker, int place, int plane, long[] histogram) {
    CoupledLeaf leaf = leaves[place];
    PlaneBests best = bests[worker][place];
    int first = packed.firstColumn(plane);
    int end = packed.firstColumn(plane + 1);
    scan.scan(
        histogram, histograms.firstCell(plane), packed.bins(plane), end - first, leaf.scan, best);
    for (int column = first; column < end; column++) {
      int lane = column - first;
      if (best.split[lane] >= 0 && histograms.chosen(column) && !binned.categorical(column)) {
        long left = best.left[lane];
        leaf.promise(column, leaf.bound(layout.gradient(left), layout.hessian(left), plainShare()));
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
    if (categories) {
      Split numeric = best(searched);
      Split categorical = bestOfCategories(place);
      leaf.best = categorical.beats(numeric) ? categorical : numeric;
    } else {
      int column = searched.mostPromising();
      if (column >= 0 && searched.promised(column) >= searched.bestGain()) {
        leaf.promises = searched.promises();
        leaf.promise = searched.promised(column);
        return;
      }
    }
    freePromises.push(searched.promises());
  }

  @Override
  public void settle(Leaf leaf) {
    double[] promised = Objects.requireNonNull(leaf.promises, "the leaf has no promise");
    CoupledLeaf searched = leaves[0];
    searched.enter(leaf, layout);
    searched.take(promised);
    leaf.best = best(searched);
    leaf.promises = null;
    freePromises.push(promised);
  }

  /** The best numeric split. */
  private Split best(CoupledLeaf leaf) {
    int column = leaf.mostPromising();
    groupCells.enter(rows, leaf.from(), leaf.to(), histograms.rowCells());
    while (column >= 0 && leaf.promised(column) >= leaf.bestGain()) {
      look(leaf, column, leaf.bestGain(), shared);
      leaf.done(column);
      column = leaf.mostPromising();
    }
    return leaf.best(binned);
  }

  /** Looks at the splits of a column whose bound with that c is {@code least} or more. */
  private void look(CoupledLeaf leaf, int column, double least, double share) {
    leaf.reach(least, share);
    int plane = packed.plane(column);
    int lane = column - packed.firstColumn(plane);
    int at = histograms.firstCell(plane) + lane;
    int bins = binned.bins(column);
    long[] histogram = leaf.histogram();
    long missing = histogram[at + packed.bins(plane) * PackedRows.LANES];
    groupCells.clear();
    long sum = 0;
    for (int bin = 0; bin < bins; bin++) {
      long cell = histogram[at + bin * PackedRows.LANES];
      if (cell != 0) {
        if (sum != 0) {
          consider(leaf, bin - 1, sum, least, share, false);
          if (missing != 0) {
            consider(leaf, bin - 1, sum + missing, least, share, true);
          }
        }
        sum += cell;
      }
    }
    if (sum != 0 && missing != 0) {
      consider(leaf, bins - 1, sum, least, share, false);
    }
    leaf.offer(column, groupCells, groupCells.addUp(column), layout, missing);
  }

  private void consider(
      CoupledLeaf leaf, int bin, long left, double least, double share, boolean missingLeft) {
    double gradient = layout.gradient(left);
    double hessian = layout.hessian(left);
    if (leaf.mayReach(gradient, hessian)
        && leaf.allows(layout.count(left), hessian)
        && (plainShare() > 0 || leaf.bound(gradient, hessian, share) >= least)) {
      groupCells.add(bin, missingLeft, left);
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
