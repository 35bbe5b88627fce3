package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.robust.Rung;
import java.util.List;

/**
 * A published rung of a version: its trees with the leaf values of one gamma. Immutable.
 *
 * @param gamma the anchor strength of the leaf values
 * @param segments the digests of its segments
 * @param model what scores if it is this rung that serves
 */
public record LedgerRung(double gamma, List<Digest> segments, Model model) {
  public LedgerRung {
    segments = List.copyOf(segments);
  }

  /** The same to the engine. */
  public Rung rung() {
    return new Rung(gamma, model);
  }
}
