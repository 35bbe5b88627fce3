package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;

/** The plain scorer, which walks the model's own trees: what every faster one must agree with. */
public class TreeWalkScorer implements Scorer {
  final Model model;

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
        features.length == width(), "a row must have %s features: %s", width(), features.length);
    model.base().score(features, target);
    add(features, target);
  }

  /** Adds what the trees say of a row to its raw scores. */
  void add(double[] features, double[] target) {
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        tree.addTo(features, segment.decay(), target, 0);
      }
    }
  }
}
