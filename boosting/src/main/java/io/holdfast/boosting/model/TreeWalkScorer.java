package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;

/** The plain scorer, which walks the model's own trees: what every faster one must agree with. */
public final class TreeWalkScorer implements Scorer {
  private final Model model;

  /** A scorer that walks the trees of this model. */
  public TreeWalkScorer(Model model) {
    this.model = model;
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
        features.length == model.features().size(),
        "a row must have %s features: %s",
        model.features().size(),
        features.length);
    model.base().score(features, target);
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        int leaf = tree.leafOf(features);
        for (int k = 0; k < tree.outputs(); k++) {
          target[tree.output() + k] += segment.decay() * tree.leafValue(leaf, k);
        }
      }
    }
  }
}
