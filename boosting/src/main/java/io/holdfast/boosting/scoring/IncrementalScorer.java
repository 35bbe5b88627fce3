package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.scoring.Vectors.SimdMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores with the layout of an earlier model, as far as the trees are the same, and lays out only
 * those behind them. Immutable; safe to share; allocates nothing a call.
 */
final class IncrementalScorer implements Scorer {
  /*
   * A version appends ten trees to a thousand, and at its limit of trees drops the ten oldest: what
   * is in between stands in the earlier layout as a stretch of trees. Its tables know thresholds
   * that no tree of the stretch has, which only take room. Sums go on from tree to tree, so the bits
   * are those of one layout.
   *
   * Ready in a tenth of the time, and slower by the features that are ranked twice; so it serves
   * while the whole is laid out.
   */
  private final Model model;
  private final Base base;
  private final CompiledScorer before;
  private final int first;
  private final int end;
  private final @Nullable CompiledScorer behind; // null if there are no trees behind
  private final int width;

  private IncrementalScorer(
      Model model, CompiledScorer before, int first, int end, @Nullable CompiledScorer behind) {
    this.model = model;
    this.base = model.base();
    this.before = before;
    this.first = first;
    this.end = end;
    this.behind = behind;
    this.width = model.features().size();
  }

  /**
   * Null if less than half of the trees are those of the earlier model, or the rest is too large.
   */
  static @Nullable IncrementalScorer of(
      Model model, Model earlier, CompiledScorer before, SimdMode mode) {
    if (model.segments().isEmpty()
        || before.width() != model.features().size()
        || before.outputs() != model.base().outputs()) {
      return null;
    }
    List<Segment> segments = model.segments();
    int from = earlier.segments().indexOf(segments.getFirst());
    int shared = from < 0 ? 0 : alike(segments, earlier.segments(), from);
    int end = trees(segments.subList(0, shared));
    if (2 * end < model.trees()) {
      return null;
    }
    int first = trees(earlier.segments().subList(0, from));
    List<Segment> rest = segments.subList(shared, segments.size());
    if (rest.isEmpty()) {
      return new IncrementalScorer(model, before, first, first + end, null);
    }
    Model behind = new Model(model.objective(), model.features(), model.base(), rest);
    return CompiledScorer.compile(behind, mode) instanceof CompiledScorer compiled
        ? new IncrementalScorer(model, before, first, first + end, compiled)
        : null;
  }

  /** How many segments are the same as those of the earlier model from {@code from} on. */
  private static int alike(List<Segment> segments, List<Segment> earlier, int from) {
    int most = Math.min(segments.size(), earlier.size() - from);
    int alike = 0;
    while (alike < most && segments.get(alike).equals(earlier.get(from + alike))) {
      alike++;
    }
    return alike;
  }

  private static int trees(List<Segment> segments) {
    return segments.stream().mapToInt(segment -> segment.trees().size()).sum();
  }

  @Override
  public int outputs() {
    return base.outputs();
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public double score(double[] features) {
    CompiledScorer.check(features, width, outputs(), 1);
    double score = before.add(features, base.score(features), first, end);
    return behind == null ? score : behind.add(features, score, 0, behind.trees());
  }

  @Override
  public void score(double[] features, double[] target) {
    CompiledScorer.check(features, width, outputs(), outputs());
    base.score(features, target);
    before.addTo(features, target, first, end);
    if (behind != null) {
      behind.addTo(features, target, 0, behind.trees());
    }
  }

  @Override
  public void scores(double[] features, int rows, double[] target) {
    before.addTo(base, features, rows, target, first, end);
    if (behind != null) {
      behind.addTo(null, features, rows, target, 0, behind.trees());
    }
  }

  @Override
  public Scorer settled() {
    return CompiledScorer.of(model);
  }

  @Override
  public long bytes() {
    return before.bytes() + (behind == null ? 0 : behind.bytes());
  }
}
