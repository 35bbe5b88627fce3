package io.holdfast.boosting.leaf;

/** How far a round goes in the direction that its leaf values point in. */
public enum StepSize {
  /** As far as the curvature says. */
  NEWTON,
  /**
   * To where the anchor loss is least along it (Friedman 2001, "Greedy function approximation",
   * step 5 of algorithm 1), four times as far at most. Costs some twenty more passes over the rows.
   */
  LINE_SEARCH
}
