package io.holdfast.boosting.anchor;

/** The projection onto group indicators and columns together. Immutable; safe to share. */
public final class Mixed implements Projection {
  /*
   * Frisch and Waugh: the span of indicators E and columns X is that of E and of X centred within the
   * groups, which are orthogonal, so P = P_E + P_(X − P_E X).
   */
  private final GroupMeans groups;
  private final ColumnSpan within;

  /** A projection onto group indicators and finite columns; weights are those of the groups. */
  public Mixed(GroupMeans groups, double[][] columns, double[] weights) {
    this.groups = groups;
    within = new ColumnSpan(columns, weights, groups);
  }

  @Override
  public int rows() {
    return groups.rows();
  }

  @Override
  public int rank() {
    return groups.rank() + within.rank();
  }

  @Override
  public void project(double[] values, double[] target) {
    groups.project(values, target);
    within.addProjection(values, target);
  }

  @Override
  public void addCoupling(
      double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix) {
    groups.addCoupling(scale, weighted, columnOf, columns, matrix);
    within.addCoupling(scale, weighted, columnOf, columns, matrix);
  }

  @Override
  public void addFactor(double[] weighted, int[] columnOf, int columns, double[] target) {
    groups.addFactor(weighted, columnOf, columns, target);
    within.addFactor(weighted, columnOf, columns, groups.rank(), target);
  }
}
