package io.holdfast.schemas.settings;

import io.holdfast.boosting.EarlyStopping.Criterion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the strength of the anchor follows.
 *
 * @param auto whether gamma is chosen anew now and then, by leaving environments of the training
 *     rows out; the booster's gamma is then what a new model begins with
 * @param by which loss of environments left out decides the choice
 * @param ladder gammas whose leaf values every version holds beside its own, ascending
 * @param serve the gamma of the ladder whose leaf values score; null for those that were grown
 * @param adaptive whether the gamma that lost least of late scores instead
 */
public record Strength(
    boolean auto, Criterion by, List<Double> ladder, @Nullable Double serve, boolean adaptive) {
  public Strength {
    ladder = List.copyOf(ladder);
  }
}
