package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;
import java.util.Arrays;

/** The raw scores before any tree. Immutable; equal if all numbers are. */
public final class Base {
  private final double[] intercepts;

  private Base(double[] intercepts) {
    this.intercepts = intercepts;
    Check.that(intercepts.length >= 1, "a base must have at least 1 output: %s", intercepts.length);
    for (double intercept : intercepts) {
      Check.that(Double.isFinite(intercept), "base of a model must be finite: %s", intercept);
    }
  }

  /** The same for every row: one number an output. */
  public static Base constant(double... intercepts) {
    return new Base(intercepts.clone());
  }

  /** How many raw scores a row has. */
  public int outputs() {
    return intercepts.length;
  }

  /** The constant part of an output. */
  public double intercept(int output) {
    return intercepts[output];
  }

  /** Writes the base of a row to {@code target[0, outputs)}. */
  public void score(double[] features, double[] target) {
    System.arraycopy(intercepts, 0, target, 0, intercepts.length);
  }

  /** The base of a row, of the one output there is. */
  public double score(double[] features) {
    return intercepts[0];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Base that && Arrays.equals(intercepts, that.intercepts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(intercepts);
  }

  @Override
  public String toString() {
    return "Base" + Arrays.toString(intercepts);
  }
}
