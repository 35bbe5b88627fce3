package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;

/** The plain scorer, which walks the model's own trees: what every faster one must agree with. */
public class TreeWalkScorer extends ModelScorer {
  /** A scorer that walks the trees of this model. */
  public TreeWalkScorer(Model model) {
    super(model);
  }

  @Override
  double add(double[] features, double score) {
    double[] target = {score};
    addTo(features, target);
    return target[0];
  }

  @Override
  void addTo(double[] features, double[] target) {
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        tree.addTo(features, segment.decay(), target, 0);
      }
    }
  }
}
