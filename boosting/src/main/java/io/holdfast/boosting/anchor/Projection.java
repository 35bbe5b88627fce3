package io.holdfast.boosting.anchor;

/**
 * The orthogonal projection P onto the column space of an anchor matrix, in the inner product of
 * the rows' weights W. Immutable; safe to share.
 *
 * <p>There is a factor Z (rows × rank), which need not be held, with P = Z Zᵀ W and Zᵀ W Z = I. P
 * is idempotent, and W P symmetric: {@link AnchorState} relies on it.
 */
public interface Projection {

  /** How many rows it projects. */
  int rows();

  /** The dimension of the space it projects onto. */
  int rank();

  /** Writes Pv to {@code target}, an array other than {@code values}; one entry a row. */
  void project(double[] values, double[] target);

  /**
   * Adds {@code scale · Fᵀ F} with {@code F = Zᵀ B} (rank × columns), the coupling between columns
   * that share an anchor. B (rows × columns) has {@code weighted[k][row]} in column {@code
   * columnOf[k][row]}; entries in one place add up. For leaves of one tree there is one pair of
   * arrays: the weighted hessians, and the leaf of each row.
   *
   * @param matrix {@code columns × columns}, row-major; only its lower triangle is changed
   */
  void addCoupling(
      double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix);

  /** Adds {@code F = Zᵀ B} (rank × columns, row-major), with one pair of arrays of B at a time. */
  void addFactor(double[] weighted, int[] columnOf, int columns, double[] target);
}
