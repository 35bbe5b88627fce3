package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.split.Split;
import io.holdfast.boosting.split.SplitFinder;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling.Draws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Grows trees on binned rows, one after the other. Buffers are reused from tree to tree: owned by
 * one thread, and to be closed. The result depends on the arguments only, not on the number of
 * threads.
 */
public final class TreeGrower implements AutoCloseable {
  /*
   * Leaf-wise: the leaf whose best split gains most is split next (the lowest leaf number if equal),
   * until there are enough leaves or no split is worth its price. The left child keeps its parent's
   * leaf number, the right child gets the next.
   *
   * Rows that were not drawn take no part in finding splits, but follow them, so that every row has
   * its leaf.
   *
   * A split of a monotone column bounds the steps of all leaves below it: at most the middle between
   * its children's steps on one side, at least that on the other. Rows that differ in that column
   * alone part at such a split, if at all, so the tree keeps the order. Rows that miss the value have
   * the bounds of the side they are sent to, and no place in the order.
   */
  private static final int WORTH_SHARING = 10_000; // rows: some 6 µs to note the leaf of each

  private final BinnedRows binned;
  private final GrowthSettings settings;
  private final TreeLimits limits;
  private final SplitFinder finder;
  private final RowPartition sample;
  private final RowPartition rest;
  private final Leaf[] leaves;
  private final Buffers buffers;
  private final Workers workers;
  private final boolean ownWorkers;
  private int[] goesRight = {}; // by bin of the column that is split: 1 if it does, else 0
  private final List<int[]> leafArrays = new ArrayList<>(); // of trees that were given back

  /**
   * A grower for these rows, with workers of its own.
   *
   * @throws IllegalArgumentException if the settings are for other columns or rows, a categorical
   *     column is to be monotone, or there are too many bins and sums of each for an array
   */
  public TreeGrower(BinnedRows binned, GrowthSettings settings) {
    this(binned, settings, new Buffers(), new Workers(settings.threads()), true, true);
  }

  /** As above, by these workers, which are not closed with it; arrays are of {@code buffers}. */
  public TreeGrower(BinnedRows binned, GrowthSettings settings, Buffers buffers, Workers workers) {
    this(binned, settings, buffers, workers, false, true);
  }

  /** As above, by quantised gradients only if {@code quantising}. */
  TreeGrower(
      BinnedRows binned,
      GrowthSettings settings,
      Buffers buffers,
      Workers workers,
      boolean ownWorkers,
      boolean quantising) {
    this.buffers = buffers;
    this.workers = workers;
    this.ownWorkers = ownWorkers;
    checkColumns(binned, settings);
    this.binned = binned;
    this.settings = settings;
    limits = settings.limits();
    finder = new SplitFinder(binned, settings.splits(), buffers, workers, quantising);
    sample = new RowPartition(binned.rows(), buffers);
    rest = new RowPartition(settings.sampling().rows() < 1 ? binned.rows() : 0, buffers);
    leaves = new Leaf[Math.max(1, Math.min(limits.maxLeaves(), binned.rows()))];
  }

  private static void checkColumns(BinnedRows binned, GrowthSettings settings) {
    List<Integer> monotone = settings.monotone();
    int given = monotone.size();
    int columns = binned.columns();
    Check.that(
        given == 0 || given == columns,
        "monotone must have an entry for each of %s columns: %s",
        columns,
        given);
    int grouped = settings.groups().size();
    Check.that(
        grouped == 0 || grouped == columns,
        "groups must have an entry for each of %s columns: %s",
        columns,
        grouped);
    for (int column = 0; column < given; column++) {
      Check.that(
          monotone.get(column) == 0 || !binned.categorical(column),
          "column %s must not be monotone, since its values are categories, which have no order",
          column);
    }
    AnchorCoupling coupling = settings.coupling();
    int rows = binned.rows();
    int coupled = coupling == null ? rows : coupling.rows();
    Check.that(
        coupled == rows, "the coupling must have as many rows as there are, %s: %s", rows, coupled);
  }

  /** Grows a tree; if the settings ask for samples, of seed 0. */
  public TreeStructure grow(double[] gradients, double[] hessians) {
    return grow(gradients, hessians, 0);
  }

  /** Grows a tree; the seed draws both its rows and its columns. */
  public TreeStructure grow(double[] gradients, double[] hessians, long treeSeed) {
    return grow(gradients, hessians, treeSeed, treeSeed);
  }

  /**
   * Grows a tree; entry {@code k · rows + i} of both arrays belongs to output {@code k} of row
   * {@code i}, weight included.
   *
   * @param rowSeed draws the rows: the same for the trees of one round
   * @param columnSeed draws the columns; may be equal to the other seed
   * @throws IllegalArgumentException if there are not as many gradients and hessians
   */
  public TreeStructure grow(double[] gradients, double[] hessians, long rowSeed, long columnSeed) {
    long entries = (long) settings.outputs() * binned.rows();
    Check.that(
        gradients.length >= entries && hessians.length >= entries,
        "there must be %s gradients and hessians, rows times outputs: %s and %s",
        entries,
        gradients.length,
        hessians.length);
    int[] leafOf = leafArrays.isEmpty() ? buffers.ints(binned.rows()) : leafArrays.removeLast();
    TreeStructure tree = new TreeStructure(leaves.length, binned.rows(), leafOf);
    startRoot(gradients, hessians, rowSeed, columnSeed);
    int count = 1;
    for (int next = bestLeaf(count); next >= 0; next = bestLeaf(count)) {
      Leaf parent = leaves[next];
      int node = tree.add(parent.best, binned.groups(parent.best.column()), next, count);
      if (parent.parent >= 0) {
        tree.replaceLeaf(parent.parent, next, node);
      }
      Leaf right = split(parent, node);
      leaves[count++] = right;
      if (count == leaves.length) {
        break;
      }
      searchChildren(parent, right);
    }
    workers.run(
        count,
        binned.rows() >= WORTH_SHARING,
        (worker, number) -> {
          Leaf leaf = leaves[number];
          tree.assign(number, sample.rows, leaf.from, leaf.to);
          tree.assign(number, rest.rows, leaf.restFrom, leaf.restTo);
        });
    for (int number = 0; number < count; number++) {
      Leaf leaf = leaves[number];
      tree.bound(number, leaf.lower, leaf.upper);
      finder.release(leaf);
    }
    return tree;
  }

  /** Recycles the array of an unused tree's leaves. */
  public void recycle(TreeStructure tree) {
    leafArrays.add(tree.leafArray());
  }

  @Override
  public void close() {
    finder.close();
    if (ownWorkers) {
      workers.close();
    }
  }

  private void startRoot(double[] gradients, double[] hessians, long rowSeed, long columnSeed) {
    int rows = binned.rows();
    double share = settings.sampling().rows();
    sample.start(Draws.draw(rowSeed, Draws.Purpose.ROWS, rows, share, sample.rows));
    RowSample drawn = sample.sample();
    rest.start(Draws.rest(drawn.rows(), drawn.size(), rows, rest.rows));
    int[] columns =
        Draws.of(
            columnSeed, Draws.Purpose.COLUMNS, binned.columns(), settings.sampling().features());
    Leaf root = new Leaf();
    root.to = drawn.size();
    root.restTo = rest.sample().size();
    root.totals = finder.start(gradients, hessians, drawn, columns);
    leaves[0] = root;
    if (leaves.length > 1 && splittable(root)) {
      finder.searchRoot(root, sample.rows);
    }
  }

  /** The leaf to split next, or −1. */
  private int bestLeaf(int count) {
    int best = -1;
    for (int leaf = 0; leaf < count; leaf++) {
      Split split = leaves[leaf].best;
      if (split.exists() && (best < 0 || split.gain() > leaves[best].best.gain())) {
        best = leaf;
      }
    }
    return best;
  }

  /** Parts the rows of {@code leaf}: it becomes the left child, and the right one is returned. */
  private Leaf split(Leaf leaf, int node) {
    Split split = leaf.best;
    int[] goesRight = rightBins(split);
    BinColumn column = binned.column(split.column());
    Leaf right = new Leaf();
    right.to = leaf.to;
    leaf.to = sample.part(leaf.from, leaf.to, column, goesRight, workers);
    right.from = leaf.to;
    right.restTo = leaf.restTo;
    leaf.restTo = rest.part(leaf.restFrom, leaf.restTo, column, goesRight, workers);
    right.restFrom = leaf.restTo;
    right.depth = ++leaf.depth;
    right.parent = node;
    leaf.parent = node;
    right.totals = leaf.totals.minus(split.left());
    leaf.totals = split.left();
    right.lower = leaf.lower;
    right.upper = leaf.upper;
    if (split.direction() != 0) {
      Leaf low = split.direction() > 0 ? leaf : right;
      Leaf high = split.direction() > 0 ? right : leaf;
      low.upper = split.middle();
      high.lower = split.middle();
    }
    if (leaf.only == null && !settings.groups().isEmpty()) {
      leaf.only = groupOf(split.column());
    }
    right.only = leaf.only;
    leaf.best = Split.NONE;
    return right;
  }

  private boolean[] groupOf(int column) {
    List<Integer> groups = settings.groups();
    boolean[] group = new boolean[groups.size()];
    for (int other = 0; other < group.length; other++) {
      group[other] = groups.get(other).equals(groups.get(column));
    }
    return group;
  }

  private int[] rightBins(Split split) {
    int column = split.column();
    int bins = binned.bins(column);
    if (goesRight.length <= bins) {
      goesRight = new int[bins + 1];
    }
    Arrays.fill(goesRight, 0, split.lastLeftBin() + 1, 0);
    Arrays.fill(goesRight, split.lastLeftBin() + 1, bins, 1);
    for (int bin = 0; split.categorical() && bin < bins; bin++) {
      boolean left = Split.holds(split.categories(), binned.category(column, bin));
      goesRight[bin] = left ? 0 : 1;
    }
    goesRight[bins] = split.missingLeft() ? 0 : 1;
    return goesRight;
  }

  private void searchChildren(Leaf left, Leaf right) {
    Leaf smaller = left.size() <= right.size() ? left : right;
    Leaf larger = smaller == left ? right : left;
    long[] parent = left.histogram;
    left.histogram = null;
    finder.searchChildren(
        smaller, larger, parent, splittable(smaller), splittable(larger), sample.rows);
  }

  private boolean splittable(Leaf leaf) {
    return leaf.depth < limits.maxDepth() && leaf.size() / 2 >= limits.minRows();
  }
}
