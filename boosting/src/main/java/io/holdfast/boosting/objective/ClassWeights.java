package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/**
 * Weight of the two classes, both above 0: a class without rows counts as half a row of average
 * weight, which keeps initial scores finite.
 */
record ClassWeights(double zero, double one) {

  static ClassWeights of(Rows rows) {
    double zero = 0;
    double one = 0;
    for (int row = 0; row < rows.size(); row++) {
      if (rows.label(row) > 0) {
        one += rows.weight(row);
      } else {
        zero += rows.weight(row);
      }
    }
    double halfRow = 0.5 * (zero + one) / rows.size();
    if (one == 0) {
      return new ClassWeights(zero - halfRow, halfRow);
    }
    return zero == 0 ? new ClassWeights(halfRow, one - halfRow) : new ClassWeights(zero, one);
  }
}
