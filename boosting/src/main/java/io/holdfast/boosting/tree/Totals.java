package io.holdfast.boosting.tree;

/** Sums over the rows of a leaf. */
record Totals(double gradient, double hessian, int rows) {
  static final Totals ZERO = new Totals(0, 0, 0);

  Totals minus(Totals part) {
    return new Totals(gradient - part.gradient, hessian - part.hessian, rows - part.rows);
  }
}
