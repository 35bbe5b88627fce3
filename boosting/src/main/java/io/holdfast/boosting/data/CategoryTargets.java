package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;

/**
 * What many categories are grouped by: entry {@code k · rows + i} is the gradient, or hessian, of
 * output {@code k} of row {@code i}, weight included. Arrays may be longer, and are not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CategoryTargets(double[] gradients, double[] hessians, int outputs) {
  public CategoryTargets {
    Check.that(outputs >= 1, "outputs must be at least 1: %s", outputs);
  }

  /** The labels as numbers. */
  public static CategoryTargets ofLabels(Rows rows) {
    double[] gradients = new double[rows.size()];
    double[] hessians = new double[rows.size()];
    for (int row = 0; row < gradients.length; row++) {
      hessians[row] = rows.weight(row);
      gradients[row] = -rows.weight(row) * rows.label(row);
    }
    return new CategoryTargets(gradients, hessians, 1);
  }

  /** The labels as classes, from 0 to {@code classes - 1}. */
  public static CategoryTargets ofClasses(Rows rows, int classes) {
    if (classes == 2) {
      return ofLabels(rows);
    }
    int size = rows.size();
    double[] gradients = new double[Math.multiplyExact(classes, size)];
    double[] hessians = new double[gradients.length];
    for (int k = 0; k < classes; k++) {
      for (int row = 0; row < size; row++) {
        hessians[k * size + row] = rows.weight(row);
        gradients[k * size + row] = rows.label(row) == k ? -rows.weight(row) : 0;
      }
    }
    return new CategoryTargets(gradients, hessians, classes);
  }
}
