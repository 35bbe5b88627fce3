package io.holdfast.boosting.objective;

/** {@link Derivatives} of up to {@link #ROWS} rows: the caller's scratch. Not thread-safe. */
public final class DerivativeBlock {
  /** Few enough for the arrays to stay in the nearest cache. */
  public static final int ROWS = 512;

  /** To be filled in, like scores. */
  public final double[] labels = new double[ROWS];

  public final double[] scores = new double[ROWS];

  /** To be filled in if they are asked for. */
  public final double[] weights = new double[ROWS];

  public final double[] loss = new double[ROWS];
  public final double[] first = new double[ROWS];
  public final double[] second = new double[ROWS];
  public final double[] third = new double[ROWS];
  public final double[] growth = new double[ROWS];

  final Derivatives row;
  final double[] odds = new double[ROWS];
  final double[] scratch = new double[ROWS];

  /** A block; without {@code withThird}, {@link #third} is anything. */
  public DerivativeBlock(boolean withThird) {
    row = new Derivatives(withThird);
  }
}
