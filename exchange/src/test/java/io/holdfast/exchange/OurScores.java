package io.holdfast.exchange;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;

/** The raw scores and the prediction of a row, features as our decoder gives them. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OurScores(double[] raw, double prediction, double[] probabilities) {
  static OurScores of(Model model, double[] row) {
    double[] decoded = read(model, row);
    double[] raw = new double[model.base().outputs()];
    Scorer.of(model).score(decoded, raw);
    double[] probabilities = new double[model.objective().classes()];
    model.objective().probabilities(raw, probabilities);
    return new OurScores(raw, model.objective().prediction(raw), probabilities);
  }

  /** What the model gets of a row: NaN where a zero is missing. */
  static double[] read(Model model, double[] row) {
    double[] decoded = row.clone();
    for (int column = 0; column < row.length; column++) {
      if (model.features().get(column) instanceof Feature.Numeric numeric
          && numeric.zeroMissing()
          && Math.abs(row[column]) <= Feature.Numeric.LARGEST_ZERO) {
        decoded[column] = Double.NaN;
      }
    }
    return decoded;
  }
}
