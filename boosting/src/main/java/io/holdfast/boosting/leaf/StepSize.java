package io.holdfast.boosting.leaf;

/** How far a round goes along its Newton step. */
public enum StepSize {
  /** The whole step. */
  NEWTON,
  /**
   * To the least anchor loss along the step (Friedman 2001, "Greedy function approximation", step 5
   * of algorithm 1), at most four times as far; about twenty more passes over the rows.
   */
  LINE_SEARCH
}
