package io.holdfast.boosting.model.kernel;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.TreeWalkScorer;
import java.util.List;

/**
 * The scorer that serves: a row's features become ranks once, and trees are walked by ranks.
 * Immutable; safe to share. Allocates nothing a call, once a thread has scored a row.
 */
public final class CompiledScorer implements Scorer {
  private static final ThreadLocal<RowScratch> SCRATCH = ThreadLocal.withInitial(RowScratch::new);

  private final int width;
  private final Base base;
  private final Columns columns;
  private final PackedTrees packed;

  private CompiledScorer(Model model, ColumnsBuilder builder, List<RankedTree> trees) {
    width = model.features().size();
    base = model.base();
    columns = new Columns(builder);
    packed = new PackedTrees(trees);
  }

  /** Compiles a model; one that is too large to lay out is walked as it is. */
  public static Scorer of(Model model) {
    var builder = new ColumnsBuilder(model);
    List<RankedTree> trees = RankedTree.all(model, builder);
    return PackedTrees.fits(builder.columns(), trees)
        ? new CompiledScorer(model, builder, trees)
        : new TreeWalkScorer(model);
  }

  @Override
  public int outputs() {
    return base.outputs();
  }

  @Override
  public double score(double[] features) {
    checkWidth(features);
    Check.that(outputs() == 1, "a model of %s raw scores gives them by array only", outputs());
    RowScratch scratch = scratch();
    columns.rank(features, scratch.ranks);
    return packed.add(base.score(features), scratch.ranks, scratch.reached);
  }

  @Override
  public void score(double[] features, double[] target) {
    checkWidth(features);
    RowScratch scratch = scratch();
    columns.rank(features, scratch.ranks);
    base.score(features, target);
    packed.addTo(target, 0, 1, scratch.ranks, scratch.reached);
  }

  /** What the compiled model takes beside the model it was compiled from, in bytes. */
  public long bytes() {
    return columns.bytes() + packed.bytes();
  }

  private RowScratch scratch() {
    RowScratch scratch = SCRATCH.get();
    scratch.require(columns.count(), packed.reachedLength());
    return scratch;
  }

  private void checkWidth(double[] features) {
    if (features.length != width) {
      Check.that(false, "a row must have %s features: %s", width, features.length);
    }
  }
}
