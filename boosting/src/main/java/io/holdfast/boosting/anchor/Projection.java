package io.holdfast.boosting.anchor;

/**
 * The orthogonal projection P onto the column space of an anchor matrix, in the inner product of
 * the rows' weights W. Immutable; safe to share.
 *
 * <p>Every projection has a factor Z (rows × rank) with P = Z Zᵀ W and Zᵀ W Z = I, though none
 * needs to hold it: P is idempotent, and W P is symmetric. That makes the penalty's derivatives
 * what {@link AnchorState} says they are.
 */
public interface Projection {

  /** How many rows it projects. */
  int rows();

  /** The dimension of the space it projects onto. */
  int rank();

  /** Writes Pv to {@code target}, an array other than {@code values}; one entry a row. */
  void project(double[] values, double[] target);

  /**
   * Adds {@code scale · Fᵀ F} with {@code F = Zᵀ B} (rank × columns) to the lower triangle of
   * {@code matrix}: the coupling between columns that share an anchor. B (rows × columns) is given
   * by its entries: {@code weighted[k][row]} stands in column {@code columnOf[k][row]}, and what
   * stands in the same place is added up.
   *
   * <p>For leaves of one tree there is one pair of arrays: the weighted hessians, and the leaf of
   * each row.
   *
   * @param columns how many columns B has
   * @param matrix {@code columns × columns}, row-major; only entries whose row is not below their
   *     column are changed
   */
  void addCoupling(
      double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix);

  /**
   * Adds {@code F = Zᵀ B} (rank × columns, row-major) to {@code target}, B being given as above by
   * one pair of arrays: for a B of more columns than it is wise to hold at once.
   */
  void addFactor(double[] weighted, int[] columnOf, int columns, double[] target);
}
