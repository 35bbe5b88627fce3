package io.holdfast.boosting.tree;

import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.SplitSettings;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How trees grow. Immutable.
 *
 * @param sampling what the structure is learned from
 * @param monotone by column: +1 where the leaf values may only rise with the feature, −1 where they
 *     may only fall, else 0; empty for no such column. Missing values have no place in that order
 * @param groups by column: columns of one group alone may split a tree; empty for no groups
 * @param outputs values a leaf has, and gradients and hessians a row has
 * @param threads that grow a tree, 1 or more; they change no result
 * @param coupling of leaves by a categorical anchor, for splits to be chosen by their gain after
 *     it; null for the gain before
 */
public record GrowthSettings(
    TreeLimits limits,
    Penalties penalties,
    Sampling sampling,
    List<Integer> monotone,
    List<Integer> groups,
    int outputs,
    int threads,
    @Nullable AnchorCoupling coupling) {
  public GrowthSettings {
    monotone = List.copyOf(monotone);
    groups = List.copyOf(groups);
    for (int direction : monotone) {
      boolean known = direction >= -1 && direction <= 1;
      Check.that(known, "monotone must be -1, 0 or 1 for each column: %s", direction);
    }
    Check.that(outputs >= 1, "outputs must be at least 1: %s", outputs);
    Check.that(threads >= 1, "threads must be at least 1: %s", threads);
    boolean ordered = monotone.stream().anyMatch(direction -> direction != 0);
    boolean one = outputs == 1;
    Check.that(
        one || !ordered, "monotone columns need leaves of one value: outputs is %s", outputs);
    Check.that(
        one || coupling == null,
        "anchor-aware splits need leaves of one value: outputs is %s",
        outputs);
  }

  /** One value a leaf, all rows and columns, one thread. */
  public static GrowthSettings of(TreeLimits limits, Penalties penalties) {
    return new GrowthSettings(limits, penalties, Sampling.ALL, List.of(), List.of(), 1, 1, null);
  }

  public GrowthSettings withSampling(Sampling value) {
    return new GrowthSettings(
        limits, penalties, value, monotone, groups, outputs, threads, coupling);
  }

  public GrowthSettings withMonotone(List<Integer> value) {
    return new GrowthSettings(
        limits, penalties, sampling, value, groups, outputs, threads, coupling);
  }

  public GrowthSettings withGroups(List<Integer> value) {
    return new GrowthSettings(
        limits, penalties, sampling, monotone, value, outputs, threads, coupling);
  }

  public GrowthSettings withOutputs(int value) {
    return new GrowthSettings(
        limits, penalties, sampling, monotone, groups, value, threads, coupling);
  }

  public GrowthSettings withThreads(int value) {
    return new GrowthSettings(
        limits, penalties, sampling, monotone, groups, outputs, value, coupling);
  }

  public GrowthSettings withCoupling(@Nullable AnchorCoupling value) {
    return new GrowthSettings(
        limits, penalties, sampling, monotone, groups, outputs, threads, value);
  }

  SplitSettings splits() {
    return new SplitSettings(limits, penalties, monotone, outputs, coupling);
  }
}
