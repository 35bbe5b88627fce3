package io.holdfast.boosting;

import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.StepSize;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that determines training, beside the rows. Immutable.
 *
 * @param objective the loss
 * @param anchoring the anchor and its strength; {@link Anchoring#NONE} by default
 * @param rounds rounds to append, of one tree each or one a class; 100 by default
 * @param learningRate what each Newton step is multiplied by, in (0, 1]; 0.1 by default
 * @param trees how far a tree may grow; {@link TreeLimits#DEFAULT} by default
 * @param penalties what leaf values and leaves cost; a ridge of 1 by default
 * @param sampling what each tree's structure is learned from; everything by default
 * @param multiclass what a round appends for an objective of several raw scores; one tree by
 *     default
 * @param step how far a round goes; a Newton step by default
 * @param holdOut rows that each training keeps apart to tell when to stop; null, the default, for
 *     none
 * @param adaBoost that trees vote, as AdaBoost has them; null, the default, for gradient boosting
 * @param linearBase the linear function that a new model starts from; null, the default, for a
 *     constant
 * @param monotone +1 or −1 by the name of a numeric feature that the raw score may only rise or
 *     only fall in; empty by default
 * @param interactions groups by the name of a feature: the features of a tree are all of one group,
 *     those named by none being one more, so that features of two groups do not interact; empty by
 *     default
 * @param classWeights what rows of each class, in order, count when a model learns; empty by
 *     default, for 1 each
 * @param maxBins bins a feature at most, missing values not counted, 2 to 65535; 255 by default
 * @param threads that train, 1 or more; 1 by default; they change no result
 * @param seed of everything random, recorded in the version; 0 by default
 */
public record BoosterSettings(
    Objective objective,
    Anchoring anchoring,
    int rounds,
    double learningRate,
    TreeLimits trees,
    Penalties penalties,
    Sampling sampling,
    MulticlassTrees multiclass,
    StepSize step,
    @Nullable HoldOut holdOut,
    @Nullable AdaBoost adaBoost,
    @Nullable LinearBase linearBase,
    Map<String, Integer> monotone,
    Map<String, String> interactions,
    List<Double> classWeights,
    int maxBins,
    int threads,
    long seed) {
  public BoosterSettings {
    monotone = Collections.unmodifiableSortedMap(new TreeMap<>(monotone));
    interactions = Collections.unmodifiableSortedMap(new TreeMap<>(interactions));
    classWeights = List.copyOf(classWeights);
    Check.that(
        classWeights.isEmpty() || classWeights.size() == objective.classes(),
        "there must be a weight for each of the %s classes of %s: %s",
        objective.classes(),
        objective.name(),
        classWeights);
    Check.that(
        classWeights.stream().allMatch(one -> one > 0 && one < Double.POSITIVE_INFINITY),
        "the weights of classes must be finite and above 0: %s",
        classWeights);
    Check.that(rounds >= 1, "rounds must be at least 1: %s", rounds);
    Check.that(
        learningRate > 0 && learningRate <= 1,
        "learningRate must be above 0 and at most 1: %s",
        learningRate);
    Check.that(maxBins >= 2 && maxBins <= 65535, "maxBins must be 2 to 65535: %s", maxBins);
    Check.that(threads >= 1, "threads must be at least 1: %s", threads);
    Check.that(
        anchoring.gamma() == 1 || objective.anchorable(),
        "gamma must be 1 for %s, whose gradient has no slope for an anchor to work on (take huber"
            + " for a robust loss that has): %s",
        objective.name(),
        anchoring.gamma());
    checkOneScore(anchoring.splits(), "anchorSplits", objective);
    checkOneScore(!monotone.isEmpty(), "monotone features", objective);
    monotone.forEach(
        (feature, direction) ->
            Check.that(
                direction == 1 || direction == -1,
                "the direction of monotone feature %s must be 1 or -1: %s",
                feature,
                direction));
    if (adaBoost != null) {
      checkVotes(adaBoost, objective, anchoring, trees, sampling);
      Check.that(
          linearBase == null && monotone.isEmpty() && interactions.isEmpty(),
          "a linear base and monotone features or groups need gradient boosting: adaBoost is %s",
          adaBoost);
    }
  }

  private static void checkOneScore(boolean needed, String what, Objective objective) {
    Check.that(
        !needed || objective.outputs() == 1,
        "%s need an objective of one raw score, and %s has %s",
        what,
        objective.name(),
        objective.outputs());
  }

  private static void checkVotes(
      AdaBoost votes, Objective objective, Anchoring anchor, TreeLimits trees, Sampling sampling) {
    Check.that(
        objective instanceof Exponential || objective instanceof Softmax,
        "AdaBoost needs the objective exponential for two classes, softmax for more: %s",
        objective.name());
    Check.that(
        anchor.gamma() == 1 && sampling.equals(Sampling.ALL),
        "AdaBoost needs gamma 1 and all rows and features in each tree: %s, %s",
        anchor.gamma(),
        sampling);
    Check.that(
        trees.maxDepth() <= (votes.criterion() == Criterion.ERROR ? 1 : 16),
        "maxDepth must be at most 16 with AdaBoost, and 1 where splits are chosen by error: %s",
        trees.maxDepth());
  }

  /**
   * The rows as they count when a model learns from them; {@code kind} is said of a wrong label.
   */
  public Rows weighted(Rows rows, String kind) {
    if (classWeights.isEmpty()) {
      return rows;
    }
    objective.checkLabels(rows, kind);
    return rows.weighted(row -> rows.weight(row) * classWeights.get((int) rows.label(row)));
  }

  /** Settings with every default, to be changed. */
  public static Builder builder(Objective objective) {
    return new Builder(objective);
  }

  /** These settings, to be changed. */
  public Builder toBuilder() {
    Builder builder = new Builder(objective);
    builder.anchoring = anchoring;
    builder.rounds = rounds;
    builder.learningRate = learningRate;
    builder.trees = trees;
    builder.penalties = penalties;
    builder.sampling = sampling;
    builder.multiclass = multiclass;
    builder.step = step;
    builder.holdOut = holdOut;
    builder.adaBoost = adaBoost;
    builder.linearBase = linearBase;
    builder.monotone = new TreeMap<>(monotone);
    builder.interactions = new TreeMap<>(interactions);
    builder.classWeights = classWeights;
    builder.maxBins = maxBins;
    builder.threads = threads;
    builder.seed = seed;
    return builder;
  }

  /** Anchor strength; 1 is plain boosting. */
  public double gamma() {
    return anchoring.gamma();
  }

  /** Ridge penalty on leaf values. */
  public double lambda() {
    return penalties.lambda2();
  }

  /** Defaults are those of {@link BoosterSettings}. Not thread-safe. */
  public static final class Builder {
    private final Objective objective;
    private Anchoring anchoring = Anchoring.NONE;
    private int rounds = 100;
    private double learningRate = 0.1;
    private TreeLimits trees = TreeLimits.DEFAULT;
    private Penalties penalties = Penalties.ridge(1);
    private Sampling sampling = Sampling.ALL;
    private MulticlassTrees multiclass = MulticlassTrees.VECTOR;
    private StepSize step = StepSize.NEWTON;
    private @Nullable HoldOut holdOut;
    private @Nullable AdaBoost adaBoost;
    private @Nullable LinearBase linearBase;
    private SortedMap<String, Integer> monotone = new TreeMap<>();
    private SortedMap<String, String> interactions = new TreeMap<>();
    private List<Double> classWeights = List.of();
    private int maxBins = 255;
    private int threads = 1;
    private long seed;

    private Builder(Objective objective) {
      this.objective = objective;
    }

    public Builder gamma(double gamma) {
      anchoring = anchoring.withGamma(gamma);
      return this;
    }

    public Builder anchoring(Anchoring value) {
      anchoring = value;
      return this;
    }

    public Builder rounds(int value) {
      rounds = value;
      return this;
    }

    public Builder learningRate(double value) {
      learningRate = value;
      return this;
    }

    public Builder trees(TreeLimits value) {
      trees = value;
      return this;
    }

    public Builder penalties(Penalties value) {
      penalties = value;
      return this;
    }

    public Builder sampling(Sampling value) {
      sampling = value;
      return this;
    }

    public Builder multiclass(MulticlassTrees value) {
      multiclass = value;
      return this;
    }

    public Builder step(StepSize value) {
      step = value;
      return this;
    }

    public Builder holdOut(@Nullable HoldOut value) {
      holdOut = value;
      return this;
    }

    public Builder adaBoost(@Nullable AdaBoost value) {
      adaBoost = value;
      return this;
    }

    public Builder linearBase(@Nullable LinearBase value) {
      linearBase = value;
      return this;
    }

    public Builder monotone(String feature, int direction) {
      monotone.put(feature, direction);
      return this;
    }

    public Builder interactions(String feature, String group) {
      interactions.put(feature, group);
      return this;
    }

    public Builder classWeights(List<Double> value) {
      classWeights = value;
      return this;
    }

    public Builder maxBins(int value) {
      maxBins = value;
      return this;
    }

    public Builder threads(int value) {
      threads = value;
      return this;
    }

    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Refuses values out of bounds or at odds, in one sentence. */
    public BoosterSettings build() {
      return new BoosterSettings(
          objective,
          anchoring,
          rounds,
          learningRate,
          trees,
          penalties,
          sampling,
          multiclass,
          step,
          holdOut,
          adaBoost,
          linearBase,
          monotone,
          interactions,
          classWeights,
          maxBins,
          threads,
          seed);
    }
  }

  /** What a round appends for an objective of K raw scores; with one the two are the same. */
  public enum MulticlassTrees {
    /** K trees, each of which adds to the raw score of its class. */
    PER_CLASS,
    /** One tree whose leaves hold K values. */
    VECTOR
  }
}
