package io.holdfast.boosting.ada;

import io.holdfast.boosting.model.Model;
import java.util.List;

/**
 * What AdaBoost made.
 *
 * @param model the longer model
 * @param rounds those that were run: fewer than asked for, if no better tree could be found
 */
public record AdaBoostFit(Model model, List<AdaBoostRound> rounds) {
  public AdaBoostFit {
    rounds = List.copyOf(rounds);
  }
}
