package io.holdfast.trainer.policy;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.LinearBase;
import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;

/**
 * One of the ensembles that {@link AutoPolicy} holds side by side: trained afresh, again and again,
 * on the newest rows. Immutable.
 *
 * @param memory how many rows it is trained on
 * @param every after how many rows it is trained again
 * @param rounds of boosting
 * @param roundsOfSeveral of boosting, for an objective of several raw scores
 * @param rate the learning rate
 * @param leaves of a tree at most
 * @param leavesOfSeveral of a tree at most, for an objective of several raw scores
 * @param rowsInLeaf at least
 * @param ridge on leaf values at least
 * @param linear whether its trees stand on a linear function of the features
 * @param bins of a feature at most
 */
record Expert(
    int memory,
    int every,
    int rounds,
    int roundsOfSeveral,
    double rate,
    int leaves,
    int leavesOfSeveral,
    int rowsInLeaf,
    double ridge,
    boolean linear,
    int bins) {
  /*
   * Short, middle and long memory, and a linear one for worlds that are. What each costs a row (rounds times memory over every) is about the same. The
   * figures were chosen on all streams of docs/learning-under-shift.md together.
   */
  static final List<Expert> ALL =
      List.of(
          new Expert(512, 50, 14, 20, 0.4, 16, 16, 5, 1, false, 64),
          new Expert(2_000, 200, 16, 30, 0.22, 16, 31, 10, 2, false, 64),
          new Expert(8_000, 1_600, 28, 40, 0.2, 31, 31, 20, 2, false, 128),
          new Expert(2_000, 200, 8, 10, 0.2, 16, 16, 10, 2, true, 64));

  /**
   * Leaves of several values learn slower and cost more a bin: they get more rounds, a lower rate
   * and fewer bins.
   */
  private static final double RATE_OF_SEVERAL = 0.75;

  private static final int BINS_OF_SEVERAL = 4; // times fewer

  private static final LinearBase LINEAR = LinearBase.ridge(0.01);

  /** Beyond so many numbers a linear function costs more than all the trees. */
  private static final int MOST_COEFFICIENTS = 256;

  /** How it is trained: what the settings do not leave to {@code auto} is as they say. */
  BoosterSettings settings(ModelSettings model, long seed) {
    BoosterSettings booster = model.booster();
    TreeLimits limits = booster.trees();
    boolean several = booster.objective().outputs() > 1;
    return booster.toBuilder()
        .rounds(roundsWithin(model))
        .learningRate(several ? RATE_OF_SEVERAL * rate : rate)
        .trees(
            new TreeLimits(
                Math.min(several ? leavesOfSeveral : leaves, limits.maxLeaves()),
                limits.maxDepth(),
                Math.min(limits.minRows(), rowsInLeaf),
                limits.minHessian(),
                limits.minGain()))
        .penalties(
            new Penalties(
                booster.penalties().lambda1(),
                Math.max(ridge, booster.lambda()),
                booster.penalties().leafPrice()))
        .linearBase(linear ? LINEAR : null)
        .maxBins(Math.min(several ? bins / BINS_OF_SEVERAL : bins, booster.maxBins()))
        .seed(seed)
        .build();
  }

  /** Fewer rounds where all of them would not fit the budget of trees. */
  private int roundsWithin(ModelSettings model) {
    int treesOfRound = model.treesOfUpdate() / model.booster().rounds();
    int outputs = model.booster().objective().outputs();
    long all = 0;
    for (Expert expert : ALL) {
      all += (long) expert.roundsOf(outputs) * treesOfRound;
    }
    return all <= model.update().maxTrees()
        ? roundsOf(outputs)
        : (int) Math.max(1, (long) roundsOf(outputs) * model.update().maxTrees() / all);
  }

  private int roundsOf(int outputs) {
    return outputs > 1 ? roundsOfSeveral : rounds;
  }

  /** Whether it is of use for such features. */
  boolean fits(List<Feature> features, int outputs) {
    if (!linear) {
      return true;
    }
    long coefficients = 0;
    for (Feature feature : features) {
      coefficients +=
          feature instanceof Feature.Categorical categorical ? categorical.categories().size() : 1;
    }
    return coefficients * outputs <= MOST_COEFFICIENTS;
  }

  /**
   * After how many rows it is trained again, at its pace: none is older than its memory.
   *
   * @param turns how many of its turns it takes to come round
   * @param follows whether the base follows the newest labels: it then tells most of what trees
   *     would have to be trained for
   */
  int time(int turns, boolean follows) {
    int time = turns * every;
    return follows ? Math.max(time, Math.min(2 * time, memory)) : time;
  }

  /**
   * Whether it is to be trained, now that {@code rows} rows came: at its turn, and before its first
   * turn each time that the rows have grown by half.
   *
   * @param before how many rows there were before the window
   * @param trained how many there were when it was trained last; 0 if it never was
   * @param time after how many rows it is trained again
   */
  boolean due(long rows, long before, long trained, long time) {
    return rows / time > before / time
        || (trained < every && 2 * rows >= 3 * Math.max(trained, 14));
  }
}
