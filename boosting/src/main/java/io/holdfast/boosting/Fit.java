package io.holdfast.boosting;

import io.holdfast.boosting.model.Model;
import java.util.List;

/**
 * What {@link Booster#extend} made.
 *
 * @param model the longer model
 * @param losses anchor loss before the first new tree and after each
 * @param safeguards how often the full Newton leaf system was not usable as it was, and a safer one
 *     (without the third-derivative term, or with a ridge) was solved instead
 */
public record Fit(Model model, List<AnchorLoss> losses, int safeguards) {
  public Fit {
    losses = List.copyOf(losses);
  }
}
