package io.holdfast.bench;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.Objects;

/** Mean loss of rows by their raw scores, which stand output by output. Stateless. */
final class MeanLoss {
  private MeanLoss() {}

  static double of(Objective objective, Rows rows, double[] scores) {
    double[] one = new double[objective.outputs()];
    double loss = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      loss += objective.loss(rows.label(row), one);
    }
    return loss / rows.size();
  }

  /** That of the constant fitted to {@code train}: what there is to be learned. */
  static double ofConstant(Objective objective, Rows train, Rows test) {
    double[] constant = objective.initialScores(train);
    double loss = 0;
    for (int row = 0; row < test.size(); row++) {
      loss += objective.loss(test.label(row), constant);
    }
    return loss / test.size();
  }

  /** The least that any raw scores could have: a loss is told from it, not from 0. */
  static double least(Objective objective, Rows rows) {
    double loss = 0;
    for (int row = 0; row < rows.size(); row++) {
      loss += least(objective, rows.label(row));
    }
    return loss / rows.size();
  }

  private static double least(Objective objective, double label) {
    return switch (objective.name()) {
      case "poisson" -> label > 0 ? label - label * Math.log(label) : 0;
      case "gamma" -> 1 + Math.log(label);
      case "tweedie" -> {
        double power = Objects.requireNonNull(objective.parameters().get("power"));
        double scale = Math.pow(label, 2 - power);
        yield scale / (2 - power) - scale / (1 - power);
      }
      default -> 0; // reached, or come near to, by a score that is sure of the label
    };
  }
}
