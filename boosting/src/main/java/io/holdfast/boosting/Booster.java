package io.holdfast.boosting;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import java.util.List;

/** SKELETON: rows and a model in, a longer model out. Stateless between calls. */
public final class Booster {
  private final BoosterSettings settings;

  public Booster(BoosterSettings settings) {
    this.settings = settings;
  }

  /** Version 0: no trees, raw score 0. */
  public static Model untrained(BoosterSettings settings, List<Feature> features) {
    return new Model(settings.objective(), features, 0, List.of());
  }

  /**
   * Appends {@code settings.rounds()} trees as one segment. A model without trees first gets its
   * base fitted to the rows. {@code features} may have more categories than the model's.
   *
   * @throws IllegalArgumentException in one sentence, for labels the objective does not accept
   */
  public Fit extend(Model model, List<Feature> features, Rows rows, FitListener listener) {
    return new Fit(
        model,
        List.of(),
        settings.rounds() + rows.size() + features.size() * listener.hashCode()); // SKELETON
  }
}
