package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.model.Model;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Booster} made.
 *
 * @param model the longer model, cut back to its best round if training was to stop early
 * @param losses anchor loss on the training rows before the first new tree and after each round,
 *     those after the best round included
 * @param validationLosses the loss on the rows held out, likewise; empty if there were none
 * @param bestRound how many rounds the model has got: all, unless training was to stop early
 * @param safeguards how often the full Newton leaf system was not usable, and a safer one (without
 *     the third-derivative term, or with a ridge) was solved instead
 * @param leftOut names of features that vary and have no slope in the linear base that was fitted,
 *     or not one for each category, since too few rows tell of it
 * @param linearStrength that of the linear base, if cross-validation chose one
 * @param bins of the numeric features, for rows to come; null if none were to be kept
 */
public record Fit(
    Model model,
    List<AnchorLoss> losses,
    List<Double> validationLosses,
    int bestRound,
    int safeguards,
    List<String> leftOut,
    @Nullable Double linearStrength,
    @Nullable Bins bins) {
  public Fit {
    losses = List.copyOf(losses);
    validationLosses = List.copyOf(validationLosses);
    leftOut = List.copyOf(leftOut);
  }
}
