package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.Map;

/**
 * An objective of classes whose probabilities are corrected: raw scores mean the same as before,
 * what is read off them does not. Nothing is trained by it. Immutable.
 *
 * @param of the objective that the model was trained by
 */
public record Calibrated(Objective of, ClassCalibration calibration) implements Objective {
  public Calibrated {
    Check.that(!(of instanceof Calibrated), "probabilities are corrected once: %s", of);
    Check.that(
        of.classes() > 0 && of.classes() == calibration.slopes().size(),
        "there must be as many slopes as the objective has classes, %s: %s",
        of.classes(),
        calibration.slopes().size());
  }

  @Override
  public Objective uncalibrated() {
    return of;
  }

  @Override
  public String name() {
    return of.name();
  }

  @Override
  public Map<String, Double> parameters() {
    return of.parameters();
  }

  @Override
  public int outputs() {
    return of.outputs();
  }

  @Override
  public int classes() {
    return of.classes();
  }

  @Override
  public boolean binary() {
    return of.binary();
  }

  @Override
  public boolean accepts(double label) {
    return of.accepts(label);
  }

  @Override
  public String labelRule() {
    return of.labelRule();
  }

  /** −log of the corrected probability of the label; of {@code exponential} its own loss. */
  @Override
  public double loss(double label, double... scores) {
    return of instanceof Exponential ? of.loss(label, scores) : logLoss(label, scores);
  }

  /** −log of the corrected probability of the label. */
  public double logLoss(double label, double... scores) {
    return -StrictMath.log(Math.max(Double.MIN_NORMAL, corrected(scores)[(int) label]));
  }

  private double[] corrected(double[] scores) {
    double[] probabilities = new double[of.classes()];
    probabilities(scores, probabilities);
    return probabilities;
  }

  /** The corrected probability of 1; of more classes the likeliest, of equal ones the lowest. */
  @Override
  public double prediction(double... scores) {
    double[] probabilities = corrected(scores);
    if (binary()) {
      return probabilities[1];
    }
    int likeliest = 0;
    for (int k = 1; k < probabilities.length; k++) {
      likeliest = probabilities[k] > probabilities[likeliest] ? k : likeliest;
    }
    return likeliest;
  }

  @Override
  public void probabilities(double[] scores, double[] target) {
    of.probabilities(scores, target);
    calibration.correct(target);
  }

  @Override
  public Objective unfitted() {
    return of.unfitted();
  }

  @Override
  public double[] initialScores(Rows rows) {
    return of.initialScores(rows);
  }

  @Override
  public boolean unbounded(Rows rows) {
    return of.unbounded(rows);
  }

  @Override
  public boolean anchorable() {
    return of.anchorable();
  }
}
