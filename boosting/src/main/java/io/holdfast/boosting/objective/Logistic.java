package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Exponentials;
import io.holdfast.boosting.numeric.Sigmoid;

/** −log σ(±f) for labels 1 and 0; the prediction is σ(f), the probability of the label 1. */
public record Logistic() implements BinaryObjective {
  private static final double SMALL = 0.1;
  private static final double STEEP = 0x1p60; // scores below its inverse have odds of 1
  private static final long ONE = Double.doubleToRawLongBits(1);

  /*
   * Everything is made of the odds e^−|f| of the less likely label and of f′ = ∓f, what speaks
   * against the label: L = max(f′, 0) + log(1 + odds), dL/df = ±σ(f′). Labels and signs of scores
   * cannot be guessed, so nothing branches on them.
   */
  @Override
  public double loss(double label, double score) {
    return Math.max(against(label, score), 0) + Exponentials.logOnePlus(odds(score));
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double odds = odds(score);
    double against = against(label, score);
    double more = 1 / (1 + odds);
    double second = odds * more * more;
    target.set(
        Math.max(against, 0) + Exponentials.logOnePlus(odds),
        (1 - 2 * label) * (likelier(against, odds) / (1 + odds)),
        second,
        target.withThird ? -second * halfTanh(score, odds, more) : 0);
  }

  /*
   * A block goes through each step as a whole: the compiler then makes vectors of those that neither
   * branch nor look into a table.
   */
  @Override
  public void derivatives(DerivativeBlock block, int count) {
    double[] labels = block.labels;
    double[] scores = block.scores;
    double[] odds = block.odds;
    double[] loss = block.loss;
    double[] first = block.first;
    double[] second = block.second;
    for (int k = 0; k < count; k++) {
      first[k] = -Math.abs(scores[k]);
    }
    Exponentials.exp(first, count, odds, block.scratch);
    Exponentials.logOnePlus(odds, count, loss, block.scratch);
    for (int k = 0; k < count; k++) {
      double sign = 1 - 2 * labels[k];
      double against = sign * scores[k];
      double more = 1 / (1 + odds[k]);
      double likelier = Math.max(odds[k], Math.min(against * STEEP, 1)); // as the one of a row
      loss[k] += Math.max(against, 0);
      first[k] = sign * (likelier / (1 + odds[k]));
      second[k] = odds[k] * more * more;
    }
    if (block.row.withThird) {
      for (int k = 0; k < count; k++) {
        double more = 1 / (1 + odds[k]);
        block.third[k] = -second[k] * halfTanh(scores[k], odds[k], more);
      }
    }
    System.arraycopy(second, 0, block.growth, 0, count);
  }

  private static double odds(double score) {
    return Exponentials.exp(-Math.abs(score));
  }

  /** tanh(f/2); where 1 − e^−|f| would cancel, by its series. */
  private static double halfTanh(double score, double odds, double more) {
    if (Math.abs(score) < SMALL) {
      double x = score * score;
      double tail = 1 / 240.0 + x * (-17 / 40320.0 + x * (31 / 725760.0));
      return score * (0.5 + x * (-1 / 24.0 + x * tail));
    }
    return Math.copySign((1 - odds) * more, score);
  }

  private static double against(double label, double score) {
    return (1 - 2 * label) * score;
  }

  /** The odds if {@code x} is negative, else 1. */
  private static double likelier(double x, double odds) {
    long negative = Double.doubleToRawLongBits(x) >> (Long.SIZE - 1); // all bits, or none
    long bits = Double.doubleToRawLongBits(odds);
    return Double.longBitsToDouble((bits & negative) | (ONE & ~negative));
  }

  @Override
  public double prediction(double score) {
    return Sigmoid.of(score);
  }

  @Override
  public double initialScore(Rows rows) {
    double[] classes = LabelSummary.classWeights(rows, 2);
    return StrictMath.log(classes[1] / classes[0]);
  }
}
