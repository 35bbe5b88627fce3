package io.holdfast.boosting.objective;

/**
 * Losses and derivatives of a stretch of rows, one entry a row: the caller's scratch, reused block
 * by block. Not thread-safe.
 */
public final class DerivativeBlock {
  /** Rows of a block at most: few enough for its arrays to stay in the nearest cache. */
  public static final int ROWS = 512;

  /** The rows' labels: to be filled in, like their scores. */
  public final double[] labels = new double[ROWS];

  public final double[] scores = new double[ROWS];

  /** For what they weigh, if that is asked for. */
  public final double[] weights = new double[ROWS];

  /** L. */
  public final double[] loss = new double[ROWS];

  /** dL/df. */
  public final double[] first = new double[ROWS];

  /** d²L/df². */
  public final double[] second = new double[ROWS];

  /** d³L/df³; anything if it was not asked for. */
  public final double[] third = new double[ROWS];

  /** The curvature that trees grow on: see {@link ScalarObjective#growthCurvature}. */
  public final double[] growth = new double[ROWS];

  final Derivatives row;
  final double[] odds = new double[ROWS];
  final double[] scratch = new double[ROWS];

  /**
   * A block.
   *
   * @param withThird whether {@link #third} is asked for
   */
  public DerivativeBlock(boolean withThird) {
    row = new Derivatives(withThird);
  }
}
