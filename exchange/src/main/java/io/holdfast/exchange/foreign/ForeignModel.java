package io.holdfast.exchange.foreign;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import java.util.List;

/**
 * A model of another program, for example {@code LightGBM}, as one of ours. Immutable.
 *
 * @param classes their names in order; none if the file has none
 * @param notes sentences on what is otherwise than there, for the user
 */
public record ForeignModel(String program, Model model, List<String> classes, List<String> notes) {
  public ForeignModel {
    classes = List.copyOf(classes);
    notes = List.copyOf(notes);
  }

  /** A model of these parts, if they make one. */
  public static ForeignModel of(
      String program,
      Objective objective,
      List<Feature> features,
      Base base,
      List<Segment> segments,
      List<String> notes)
      throws ExchangeException {
    try {
      return new ForeignModel(
          program, new Model(objective, features, base, segments), List.of(), notes);
    } catch (IllegalArgumentException e) {
      throw ExchangeException.of("the model cannot be taken over: %s", e.getMessage());
    }
  }
}
