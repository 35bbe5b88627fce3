package io.holdfast.bench.robust;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;

/** Mean excess losses of models by environment. Stateless. */
final class Risks {
  private Risks() {}

  static double[] byEnvironment(Model model, Rows rows) {
    return EnvironmentLosses.excess(model.objective(), rows, Scorer.of(model).scores(rows));
  }

  static double worst(Model model, Rows rows) {
    double worst = Double.NEGATIVE_INFINITY;
    for (double risk : byEnvironment(model, rows)) {
      worst = Math.max(worst, risk);
    }
    return worst;
  }
}
