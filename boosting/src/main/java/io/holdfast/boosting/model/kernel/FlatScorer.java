package io.holdfast.boosting.model.kernel;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.model.FlatTrees;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;

/** Walks a model's trees side by side. */
final class FlatScorer implements Scorer {
  private final Model model;
  private final FlatTrees trees;

  /**
   * A scorer of a model.
   *
   * @param trees those of its segments
   */
  FlatScorer(Model model, FlatTrees trees) {
    this.model = model;
    this.trees = trees;
  }

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
    trees.add(features, target, 0);
  }

  @Override
  public long bytes() {
    return trees.bytes();
  }
}
