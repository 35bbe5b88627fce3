package io.holdfast.boosting.model;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.List;

/**
 * The raw scores before any tree: constants, and what a linear function of the features adds.
 * Immutable; equal if all numbers are.
 *
 * <p>A raw score is the intercept, to which the terms' contributions are added one after the other
 * in double arithmetic: that order defines its bits.
 */
public final class Base {
  private final double[] intercepts;
  private final List<LinearTerm> terms;
  private final LinearTerm[] inOrder; // the same: a list's checks were 1% of training

  private Base(double[] intercepts, List<LinearTerm> terms) {
    this.intercepts = intercepts;
    this.terms = terms;
    inOrder = terms.toArray(LinearTerm[]::new);
    Check.that(intercepts.length >= 1, "a base must have at least 1 output: %s", intercepts.length);
    for (double intercept : intercepts) {
      Check.that(Double.isFinite(intercept), "base of a model must be finite: %s", intercept);
    }
    int last = -1;
    for (LinearTerm term : terms) {
      Check.that(
          term.outputs() == intercepts.length,
          "a linear term must have as many outputs as its base, %s: %s",
          intercepts.length,
          term.outputs());
      Check.that(
          term.feature() > last,
          "linear terms must be in the order of features: %s after %s",
          term.feature(),
          last);
      last = term.feature();
    }
  }

  /** The same for every row: one number an output. */
  public static Base constant(double... intercepts) {
    return new Base(intercepts.clone(), List.of());
  }

  /** A linear function: one intercept an output, and terms in the order of features. */
  public static Base linear(double[] intercepts, List<? extends LinearTerm> terms) {
    return new Base(intercepts.clone(), List.copyOf(terms));
  }

  public int outputs() {
    return intercepts.length;
  }

  public double intercept(int output) {
    return intercepts[output];
  }

  /** What features add, in order; empty if the base is constant. */
  public List<LinearTerm> terms() {
    return terms;
  }

  /** Writes the base of a row to {@code target[0, outputs)}. */
  public void score(double[] features, double[] target) {
    System.arraycopy(intercepts, 0, target, 0, intercepts.length);
    for (LinearTerm term : inOrder) {
      for (int k = 0; k < intercepts.length; k++) {
        target[k] += term.contribution(features, k);
      }
    }
  }

  /** The base of a row, of the one output there is. */
  public double score(double[] features) {
    double score = intercepts[0];
    for (LinearTerm term : inOrder) {
      score += term.contribution(features, 0);
    }
    return score;
  }

  /** How many of a row's values are numbers beyond what a term was learned on, and are clipped. */
  public int clipped(double[] features) {
    int clipped = 0;
    for (LinearTerm term : inOrder) {
      clipped += term.clips(features) ? 1 : 0;
    }
    return clipped;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Base that
        && Arrays.equals(intercepts, that.intercepts)
        && terms.equals(that.terms);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(intercepts) * 31 + terms.hashCode();
  }

  @Override
  public String toString() {
    return "Base" + Arrays.toString(intercepts) + (terms.isEmpty() ? "" : terms);
  }
}
