package io.holdfast.boosting;

import io.holdfast.boosting.model.Model;
import java.util.List;

/**
 * What {@link Booster} made.
 *
 * @param model the longer model, cut back to its best round if training was to stop early
 * @param losses anchor loss on the training rows before the first new tree and after each round,
 *     those after the best round included
 * @param validationLosses the loss on the rows held out, likewise; empty if there were none
 * @param bestRound how many rounds the model has got: all, unless training was to stop early
 * @param safeguards how often the full Newton leaf system was not usable as it was, and a safer one
 *     (without the third-derivative term, or with a ridge) was solved instead
 */
public record Fit(
    Model model,
    List<AnchorLoss> losses,
    List<Double> validationLosses,
    int bestRound,
    int safeguards) {
  public Fit {
    losses = List.copyOf(losses);
    validationLosses = List.copyOf(validationLosses);
  }
}
