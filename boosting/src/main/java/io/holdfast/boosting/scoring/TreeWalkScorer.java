package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;

/**
 * The plain scorer, which walks the model's own trees. Faster ones override how the trees add, and
 * must agree with it.
 */
public class TreeWalkScorer implements Scorer {
  final Model model;
  final Base base;
  final int width;

  /** A scorer that walks the trees of this model. */
  public TreeWalkScorer(Model model) {
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
  double add(double[] features, double score) {
    double[] target = {score};
    addTo(features, target);
    return target[0];
  }

  /** Adds the values of the trees to {@code target[0, outputs)}. */
  void addTo(double[] features, double[] target) {
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        tree.addTo(features, segment.decay(), target, 0);
      }
    }
  }

  private void check(double[] features, int asked) {
    if (features.length != width) { // the call itself would allocate
      Check.that(false, "a row must have %s features: %s", width, features.length);
    }
    if (outputs() != asked) {
      Check.that(false, "a model of %s raw scores gives them by array only", outputs());
    }
  }
}
