package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;

/** The plain scorer, which walks the model's own trees: what every faster one must agree with. */
public final class TreeWalkScorer implements Scorer {
  private final Model model;

  public TreeWalkScorer(Model model) {
    this.model = model;
  }

  @Override
  public double score(double[] features) {
    Check.that(
        features.length == model.features().size(),
        "a row must have %s features: %s",
        model.features().size(),
        features.length);
    double score = model.base();
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        score += segment.decay() * tree.leafValue(tree.leafOf(features));
      }
    }
    return score;
  }
}
