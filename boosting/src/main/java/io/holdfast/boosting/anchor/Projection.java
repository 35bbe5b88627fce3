package io.holdfast.boosting.anchor;

/**
 * The orthogonal projection P onto the column space of an anchor matrix, in the inner product of
 * the rows' weights W. Immutable; safe to share.
 *
 * <p>P is idempotent, and WP is symmetric: that makes the penalty's derivatives what {@link
 * AnchorObjective} says they are.
 */
public interface Projection {

  /** How many rows it projects. */
  int rows();

  /** Writes Pv to {@code target}, an array other than {@code values}; one entry a row. */
  void project(double[] values, double[] target);

  /**
   * Adds {@code scale · Mᵀ D W P D M} to {@code matrix}, where M is the one-hot matrix of {@code
   * leafOf} and D is diagonal: the coupling between leaves that share an anchor.
   *
   * @param weighted the diagonal of WD, one entry a row
   * @param leafOf the leaf of each row, from 0 up to {@code leaves}
   * @param matrix {@code leaves × leaves}, row-major, symmetric
   */
  void addCoupling(double scale, double[] weighted, int[] leafOf, int leaves, double[] matrix);
}
