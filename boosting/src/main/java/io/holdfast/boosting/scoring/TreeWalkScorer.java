package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;

/** The plain scorer, which walks the model's own trees: what every faster one must agree with. */
public final class TreeWalkScorer extends WalkScorer {

  /** A scorer that walks the trees of this model. */
  public TreeWalkScorer(Model model) {
    super(model);
  }

  @Override
  void add(double[] features, double[] target) {
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        tree.addTo(features, segment.decay(), target, 0);
      }
    }
  }
}
