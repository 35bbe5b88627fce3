package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of the trees of the growing expert: half for each half-life of newer trees, and next
 * to nothing by the time they leave. A function of the trees alone, so nothing else need be
 * remembered. Immutable.
 *
 * @param first the trees it begins with
 * @param more the trees that a training adds
 * @param most the trees it has at most
 */
record GrownTrees(int first, int more, int most) {
  /** Rounds of boosting that a training adds. */
  static final int ROUNDS = 10;

  private static final int MOST_ROUNDS = 300;

  /** In trainings. */
  private static final double HALF_LIFE = 10;

  /**
   * Within the tree budget that the other experts leave.
   *
   * @param first its rounds when it is trained afresh
   * @param others the rounds of the other experts
   */
  static GrownTrees of(ModelSettings settings, int first, int others) {
    int treesOfRound = settings.treesOfUpdate() / settings.booster().rounds();
    int left = settings.update().maxTrees() - others * treesOfRound;
    return new GrownTrees(
        first * treesOfRound, ROUNDS * treesOfRound, Math.min(MOST_ROUNDS * treesOfRound, left));
  }

  /** Whether there is room to grow for a half-life; else it is trained afresh at every turn. */
  boolean pays() {
    return most >= first + HALF_LIFE * more;
  }

  /** What new trees are added to; the objective has what it learned from labels so far. */
  Model fading(Objective objective, List<Feature> features, AutoState.Part part) {
    return new Model(objective, features, part.base, weighted(part.segments, more));
  }

  /** The segments as they weigh after {@code coming} more trees; those over budget leave. */
  List<Segment> weighted(List<Segment> segments, int coming) {
    List<Segment> weighted = new ArrayList<>();
    int newer = coming;
    for (Segment segment : segments.reversed()) {
      int trees = segment.trees().size();
      if (newer + trees <= most) {
        weighted.addFirst(new Segment(segment.trees(), weight(newer)));
      }
      newer += trees;
    }
    return List.copyOf(weighted);
  }

  /** The older half also fades linearly: the first trees are the largest, and leave slowly. */
  private double weight(double newer) {
    double faded = StrictMath.pow(0.5, newer / (HALF_LIFE * more));
    return faded * Math.clamp(2 * (1 - newer / most), 1e-6, 1);
  }
}
