package io.holdfast.boosting.model.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model's trees laid out for single rows: made at once, or when the first single row comes.
 * Thread-safe.
 */
final class RowLayouts {
  /*
   * A window that is trained on scores the ensemble by blocks alone; layouts for single rows were half
   * of what it allocated after the first.
   */

  /**
   * Trees a step of {@link TreeLanes} from which on these are faster than all nodes of a tree at
   * once (measured: 45 trees of 31 leaves take as long by both, 500 half as long by steps).
   */
  private static final double TREES_A_STEP = 1.4;

  private final Columns columns;
  private List<RankedTree> trees; // none once they are laid out, which may serve for long
  private final Loops loops;
  private volatile @Nullable Laid laid;

  RowLayouts(Columns columns, List<RankedTree> trees, Loops loops) {
    this.columns = columns;
    this.trees = trees;
    this.loops = loops;
  }

  /**
   * @param plain without vectors
   * @param nodes null without vectors, or if the model does not fit
   * @param lanes the same for trees side by side, but its ranks are no ints
   */
  record Laid(RowTrees plain, @Nullable NodeTable nodes, @Nullable ByLanes lanes) {

    long bytes() {
      return plain.bytes()
          + (nodes == null ? 0 : nodes.bytes())
          + (lanes == null ? 0 : lanes.trees().bytes());
    }
  }

  /**
   * Trees side by side.
   *
   * @param ranks what trees read, to be written before
   */
  record ByLanes(RankLanes ranks, RowTrees trees) {}

  Laid laid() {
    Laid ready = laid;
    return ready == null ? layOut() : ready;
  }

  /** Whether they are laid out. */
  boolean ready() {
    return laid != null;
  }

  /** Whether rows are scored by vectors once these are compiled. */
  boolean byVectors() {
    Laid ready = laid;
    return ready != null && (ready.nodes() != null || ready.lanes() != null);
  }

  long bytes() {
    Laid ready = laid;
    return ready == null ? 0 : ready.bytes();
  }

  private @Nullable ByLanes lanes() {
    if (StackedTrees.pay(columns, trees)) {
      var ranks = new RankLanes(columns, false);
      return new ByLanes(ranks, new StackedTrees(ranks, trees));
    }
    return TreeLanes.fits(columns, trees) ? treeLanes(false) : null;
  }

  private @Nullable ByLanes wideLanes() {
    boolean pay =
        !NodeTable.fits(columns, trees)
            || trees.size() > TREES_A_STEP * TreeLanes.steps(trees, VectorWideLanes.LANES);
    return pay && TreeLanes.fits(columns, trees) ? treeLanes(true) : null;
  }

  private ByLanes treeLanes(boolean wide) {
    var ranks = new RankLanes(columns, wide);
    return new ByLanes(ranks, new TreeLanes(ranks, trees, wide));
  }

  private synchronized Laid layOut() {
    Laid ready = laid;
    if (ready == null) {
      RowTrees plain =
          LeafMasks.pays(columns, trees) ? new LeafMasks(columns, trees) : new PackedTrees(trees);
      boolean wide = loops.mayBeWide();
      ByLanes lanes =
          loops.mayBe256() ? lanes() : wide && loops.mayPermuteBytes() ? wideLanes() : null;
      boolean byNodes =
          wide && (lanes == null || !loops.permuteBytes()) && NodeTable.fits(columns, trees);
      ready = new Laid(plain, byNodes ? new NodeTable(columns, trees) : null, lanes);
      laid = ready;
      trees = List.of();
    }
    return ready;
  }
}
