package io.holdfast.boosting.explain;

import java.util.List;

/**
 * One raw score of one row, taken apart: {@code expected} and all amounts add up to {@code
 * rawScore}, but for rounding.
 *
 * @param output which raw score: 0, or the class for objectives that have one for each
 * @param expected the raw score before anything is known of the row
 * @param rawScore what the scorer gives, to the bit
 * @param contributions one for each feature of the model, in its order
 */
public record Explanation(
    int output, double expected, double rawScore, List<Contribution> contributions) {
  public Explanation {
    contributions = List.copyOf(contributions);
  }

  /**
   * What one feature adds to a raw score of one row.
   *
   * @param feature the feature's name
   * @param value the row's value of it: a number, or the code of a category; NaN if missing
   * @param amount in units of the raw score
   */
  public record Contribution(String feature, double value, double amount) {}
}
