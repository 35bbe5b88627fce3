package io.holdfast.trainer.policy;

/**
 * How many of its turns an ensemble waits between two trainings: more and more, as long as that
 * costs nothing. Owned by one thread.
 */
final class RetrainInterval {
  /*
   * Compares the losses of rows in the first half of the time between two trainings with those in
   * the second half. The difference times the ensemble's weight is what training twice as often could
   * gain: while that is negligible the interval doubles, else it halves. After a rise of the loss the
   * ensemble is trained at every turn until its memory holds only rows since the rise.
   */
  /** At most so many turns: no ensemble gets older than its memory. */
  static final int SLOWEST = 4;

  /** In units of the log of a probability, a row. */
  private static final double TOLERANCE = 0.005;

  private static final double FADE = StrictMath.pow(0.5, 1.0 / 1_000);
  private static final double FEWEST_ROWS = 20;

  private final String turnsKey;
  private final Half young;
  private final Half old;
  private int turns = 1;

  /** Fading sums over rows. */
  private static final class Half {
    private final String lossKey;
    private final String rowsKey;
    private double loss;
    private double rows;

    private Half(String key) {
      lossKey = key + ".loss";
      rowsKey = key + ".rows";
    }

    private void multiply(double lossFactor, double rowsFactor) {
      loss *= lossFactor;
      rows *= rowsFactor;
    }

    private double mean() {
      return loss / rows;
    }

    private void exchange(StateFields fields) {
      loss = fields.exchange(lossKey, loss);
      rows = fields.exchange(rowsKey, rows);
    }
  }

  RetrainInterval(String keyPrefix) {
    turnsKey = keyPrefix + "turns";
    young = new Half(keyPrefix + "young");
    old = new Half(keyPrefix + "old");
  }

  void exchange(StateFields fields) {
    turns = (int) fields.exchange(turnsKey, turns);
    young.exchange(fields);
    old.exchange(fields);
  }

  int turns() {
    return turns;
  }

  /**
   * Takes the loss of a row.
   *
   * @param age rows since the last training
   * @param every the rows of a turn
   */
  void lost(double loss, long age, int every) {
    young.multiply(FADE, FADE);
    old.multiply(FADE, FADE);
    Half half = 2 * age < (long) turns * every ? young : old;
    half.loss += FadingLoss.bounded(loss);
    half.rows++;
  }

  /** Adapts the interval after a training of an ensemble of this weight. */
  void trained(double weight) {
    if (young.rows >= FEWEST_ROWS && old.rows >= FEWEST_ROWS) {
      double gain = weight * (old.mean() - young.mean());
      turns = gain > TOLERANCE ? Math.max(1, turns / 2) : Math.min(SLOWEST, 2 * turns);
    }
  }

  /** Begins anew at every turn. */
  void hurry() {
    turns = 1;
    young.multiply(0, 0);
    old.multiply(0, 0);
  }

  /** Multiplies all losses by {@code factor}. */
  void rescale(double factor) {
    young.multiply(factor, 1);
    old.multiply(factor, 1);
  }
}
