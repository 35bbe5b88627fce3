package io.holdfast.boosting.ada;

import io.holdfast.boosting.model.Model;
import java.util.List;

/**
 * What AdaBoost made.
 *
 * @param model the longer model
 * @param rounds those that were run: fewer than asked for, if no better tree could be found
 */
public record AdaBoostFit(Model model, List<Round> rounds) {
  public AdaBoostFit {
    rounds = List.copyOf(rounds);
  }

  /**
   * One round of AdaBoost.
   *
   * @param error the weight of the rows that the round's tree gets wrong, of a total of 1
   * @param vote α, what the tree counts with; 0 if it was discarded
   * @param gini the Gini impurity that is left in the tree's leaves, by the weights it learned from
   * @param kept whether the tree is part of the model
   */
  public record Round(double error, double vote, double gini, boolean kept) {}
}
