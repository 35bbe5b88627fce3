package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;

/** Scores rows one by one: the base, and what trees add to it. */
abstract class WalkScorer implements Scorer {
  final Model model;

  WalkScorer(Model model) {
    this.model = model;
  }

  /** Adds what the trees say of a row to its raw scores. */
  abstract void add(double[] features, double[] target);

  @Override
  public int outputs() {
    return model.base().outputs();
  }

  @Override
  public int width() {
    return model.features().size();
  }

  @Override
  public double score(double[] features) {
    Check.that(outputs() == 1, "a model of %s raw scores gives them by array only", outputs());
    double[] target = new double[1];
    score(features, target);
    return target[0];
  }

  @Override
  public void score(double[] features, double[] target) {
    Check.that(
        features.length == width(), "a row must have %s features: %s", width(), features.length);
    model.base().score(features, target);
    add(features, target);
  }
}
