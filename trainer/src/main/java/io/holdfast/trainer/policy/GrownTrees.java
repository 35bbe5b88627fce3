package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What the trees of the expert that grows weigh: half as much for each half-life of newer ones, and
 * by the time that they must leave next to nothing. A function of the trees that there are, so that
 * nothing else is to be remembered. Immutable.
 *
 * @param first how many trees it begins with
 * @param more how many come at a time
 * @param most how many there are at most
 */
record GrownTrees(int first, int more, int most) {
  /** Rounds of boosting at a time. */
  private static final int MORE = 10;

  /** The older half of them fades to nothing: without the largest at once it would be lost. */
  private static final int MOST = 300;

  /** In times that trees come. */
  private static final double HALF_LIFE = 10;

  /**
   * Within the budget of trees that other experts leave.
   *
   * @param first its rounds when it is trained afresh
   * @param others the rounds of the other experts
   */
  static GrownTrees of(ModelSettings settings, int first, int others) {
    int treesOfRound = settings.treesOfUpdate() / settings.booster().rounds();
    int left = settings.update().maxTrees() - others * treesOfRound;
    return new GrownTrees(
        first * treesOfRound, MORE * treesOfRound, Math.min(MOST * treesOfRound, left));
  }

  /** Whether there is room to grow for a half-life; else it is trained afresh at every turn. */
  boolean pays() {
    return most >= first + HALF_LIFE * more;
  }

  /** The rounds that bring the trees of one time. */
  int rounds() {
    return MORE;
  }

  /**
   * What new trees are added to.
   *
   * @param objective with what it has learned from labels so far
   */
  Model fading(Objective objective, List<Feature> features, AutoState.Part part) {
    return new Model(objective, features, part.base, weighted(part.segments, more));
  }

  /** The same, for the features of now and what the objective has learned so far. */
  Model fading(Lesson lesson, AutoState.Part part) {
    return fading(lesson.parent().objective(), lesson.features().get(), part);
  }

  /**
   * The segments as they weigh once so many trees have come after them. What is over budget then
   * leaves.
   */
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

  private double weight(double newer) {
    double faded = StrictMath.pow(0.5, newer / (HALF_LIFE * more));
    return faded * Math.max(1e-6, Math.min(1, 2 * (1 - newer / most)));
  }
}
