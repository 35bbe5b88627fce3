package io.holdfast.exchange.foreign;

import io.holdfast.boosting.model.Model;
import java.util.List;

/**
 * A model of another program, as one of ours. Immutable.
 *
 * @param program what made it, for example {@code LightGBM}
 * @param model predicts what the other one does
 * @param notes sentences on what is otherwise than there, for the user
 */
public record ForeignModel(String program, Model model, List<String> notes) {
  public ForeignModel {
    notes = List.copyOf(notes);
  }
}
