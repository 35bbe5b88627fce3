package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;

/** Scores a row by the base of a model and then its trees. */
abstract class ModelScorer implements Scorer {
  final Model model;
  final Base base;
  final int width;

  ModelScorer(Model model) {
    this.model = model;
    base = model.base();
    width = model.features().size();
  }

  @Override
  public final int outputs() {
    return base.outputs();
  }

  @Override
  public final int width() {
    return width;
  }

  @Override
  public final double score(double[] features) {
    check(features, 1);
    return add(features, base.score(features));
  }

  @Override
  public final void score(double[] features, double[] target) {
    check(features, outputs());
    base.score(features, target);
    addTo(features, target);
  }

  /** The score after the trees, one value each, have added to {@code score}. */
  abstract double add(double[] features, double score);

  /** Adds the values of the trees to {@code target[0, outputs)}. */
  abstract void addTo(double[] features, double[] target);

  private void check(double[] features, int asked) {
    if (features.length != width) { // the call itself would allocate
      Check.that(false, "a row must have %s features: %s", width, features.length);
    }
    if (outputs() != asked) {
      Check.that(false, "a model of %s raw scores gives them by array only", outputs());
    }
  }
}
