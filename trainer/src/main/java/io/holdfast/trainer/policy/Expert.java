package io.holdfast.trainer.policy;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;

/**
 * One of the ensembles of {@link AutoPolicy}: trained on the newest rows at every turn, afresh or
 * by more trees. Immutable.
 *
 * @param memory how many rows it is trained on
 * @param every the rows of a turn
 * @param everyLate the rows of a turn at least, at a label delay of {@link #LATE} rows or more
 * @param rowsInLeaf rows in a leaf at least, unless the settings take fewer
 * @param ridge on leaf values, unless the settings take more
 * @param kind what it has of its own
 */
record Expert(
    int memory,
    int every,
    int everyLate,
    int rowsInLeaf,
    double ridge,
    Kind kind,
    Courses courses) {
  /** What an expert has of its own. */
  enum Kind {
    /** Nothing but its memory. */
    SLIDING,
    /** Its memory begins where the world changed last. */
    SINCE_CHANGE,
    /** Stands on a linear function of the features; of two classes, trees on it fit noise. */
    LINEAR,
    /** A training adds trees while the old ones fade: it knows of rows that memory has lost. */
    GROWING
  }

  /**
   * How an ensemble is grown. Immutable.
   *
   * @param rounds of boosting
   * @param rate the learning rate
   * @param leaves of a tree at most
   * @param bins of a feature at most
   * @param features the share of them that a tree may use
   */
  record Course(int rounds, double rate, int leaves, int bins, double features) {
    Course(int rounds, double rate, int leaves, int bins) {
      this(rounds, rate, leaves, bins, 1);
    }
  }

  /** By what is learned: two classes or several outputs, or one number. */
  record Courses(Course twoClasses, Course several, Course number) {}

  /*
   * Leaves of several values learn slower and cost more a bin: they get more rounds, a lower rate and
   * fewer bins. Numbers gain from three times the rounds at less than half the rate, which gains
   * classes nothing (docs/learning-under-shift.md). Trees of a short memory that may not use every
   * feature: of several classes from 0.2 points better to 0.4 worse, numbers 1% either way; SEA, of two
   * classes, lost 0.2.
   */
  private static final double SLOWER = 0.75;

  private static final double SOME = 0.7; // of the features

  private static final Courses SHORT =
      new Courses(
          new Course(14, 0.4, 16, 64),
          new Course(20, SLOWER * 0.4, 16, 16, SOME),
          new Course(40, 0.18, 16, 64, SOME));
  private static final Courses MIDDLE =
      new Courses(
          new Course(16, 0.22, 16, 64),
          new Course(30, SLOWER * 0.22, 31, 16, SOME),
          new Course(48, 0.12, 31, 128));
  private static final Courses LONG =
      new Courses(
          new Course(28, 0.2, 31, 128),
          new Course(40, SLOWER * 0.2, 31, 32),
          new Course(60, 0.12, 31, 128));
  private static final Courses LINEAR =
      new Courses(
          new Course(1, 0.2, 2, 64),
          new Course(10, SLOWER * 0.2, 16, 16),
          new Course(8, 0.2, 16, 64));
  private static final Courses GROWING =
      new Courses(
          new Course(50, 0.1, 31, 255), new Course(50, 0.1, 31, 64), new Course(50, 0.1, 31, 255));

  /**
   * Short, middle and long memory, a linear one for worlds that are, and one that grows for worlds
   * that come back. The long memory forgets what came before a change. Trees cost about the same a
   * row: rounds times memory over every. The figures were chosen on all streams of
   * docs/learning-under-shift.md together.
   */
  static final List<Expert> ALL =
      List.of(
          new Expert(512, 50, 150, 5, 1, Kind.SLIDING, SHORT),
          new Expert(2_000, 200, 300, 10, 2, Kind.SLIDING, MIDDLE),
          new Expert(8_000, 1_600, 2_000, 20, 2, Kind.SINCE_CHANGE, LONG),
          new Expert(2_000, 200, 300, 10, 2, Kind.LINEAR, LINEAR),
          new Expert(10_000, 1_000, 1_000, 20, 1, Kind.GROWING, GROWING));

  /** In {@link #ALL}, without the one that grows. */
  static final int SHORTEST = 0;

  static final int LONGEST = 2;

  /*
   * What is learned of late labels is as old as they are, so a tenth or two more hardly matters: on
   * fourteen streams with labels 1,000 rows late, turns of 150 and 300 rows and windows of up to 100
   * instead of 50, 200 and 20 change accuracy by 0.3 points at most, with a third less time and a
   * fifth of the versions (docs/learning-under-shift.md).
   */
  private static final double LATE = 1_000;

  /** How much longer turns are while the base follows the newest labels: that does most of it. */
  private static final int FOLLOWING = 3;

  private static final int FOLLOWING_LINEAR = 2;

  private static final LinearBase LINEAR_BASE = LinearBase.ridge(0.01);

  /** Rows of a changed world that are enough to forget the one before. */
  private static final int FEWEST_SINCE_CHANGE = 256;

  /** The power of the share of its memory that is younger than late labels. */
  private static final double DISTRUST = 6;

  /** Beyond so many numbers a linear function costs more than all the trees. */
  private static final int MOST_COEFFICIENTS = 256;

  boolean linear() {
    return kind == Kind.LINEAR;
  }

  boolean grows() {
    return kind == Kind.GROWING;
  }

  /** The model's settings, with what {@code auto} decides itself. */
  BoosterSettings settings(ModelSettings model, long seed) {
    BoosterSettings booster = model.booster();
    TreeLimits limits = booster.trees();
    Course course = course(booster.objective());
    return booster.toBuilder()
        .rounds(roundsWithin(model))
        .learningRate(course.rate())
        .trees(
            new TreeLimits(
                Math.min(course.leaves(), limits.maxLeaves()),
                limits.maxDepth(),
                Math.min(limits.minRows(), rowsInLeaf),
                limits.minHessian(),
                limits.minGain()))
        .penalties(
            new Penalties(
                booster.penalties().lambda1(),
                Math.max(ridge, booster.lambda()),
                booster.penalties().leafPrice()))
        .linearBase(linear() ? LINEAR_BASE : null)
        .sampling(
            new Sampling(
                booster.sampling().rows(),
                Math.min(course.features(), booster.sampling().features())))
        .maxBins(Math.min(course.bins(), booster.maxBins()))
        .seed(seed)
        .build();
  }

  /** Fewer rounds where all of them would not fit the budget of trees. */
  private int roundsWithin(ModelSettings model) {
    int treesOfRound = model.treesOfUpdate() / model.booster().rounds();
    Objective objective = model.booster().objective();
    int rounds = course(objective).rounds();
    long all = 0;
    for (Expert expert : ALL) {
      all += (long) expert.course(objective).rounds() * treesOfRound;
    }
    return all <= model.update().maxTrees()
        ? rounds
        : (int) Math.max(1, (long) rounds * model.update().maxTrees() / all);
  }

  private Course course(Objective objective) {
    if (objective.outputs() > 1) {
      return courses.several;
    }
    return objective.classes() > 0 ? courses.twoClasses : courses.number;
  }

  /** How it grows within the tree budget that the others leave. */
  GrownTrees grown(ModelSettings model) {
    int others = 0;
    for (Expert expert : ALL) {
      others += expert.grows() ? 0 : expert.roundsWithin(model);
    }
    return GrownTrees.of(model, roundsWithin(model), others);
  }

  /** Whether it is of use for these features. */
  boolean fits(List<Feature> features, int outputs) {
    if (!linear()) {
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
   * After how many rows it is trained again; none gets older than its memory.
   *
   * @param turns how many of its turns lie between two trainings
   * @param follows whether the base follows the newest labels
   * @param lag label delay in rows
   */
  int time(int turns, boolean follows, double lag) {
    if (grows()) {
      return every; // each time counts
    }
    int time = turns * every;
    int longer = time * (linear() ? FOLLOWING_LINEAR : FOLLOWING);
    int slower = follows ? Math.max(time, Math.min(longer, memory)) : time;
    return Math.max(slower, (int) (everyLate * lateness(lag)));
  }

  /** How late labels are: 0 at once, 1 from a delay of {@link #LATE} rows on. */
  static double lateness(double lag) {
    return Math.min(lag / LATE, 1);
  }

  /**
   * Takes weight off experts whose memory will be long gone when their scores count: losses on the
   * newest labels do not tell that the next rows come so much later. For labels that are numbers
   * alone: of eleven streams of classes it gained two up to 0.2 points of accuracy, and cost others
   * up to 0.5.
   *
   * @param weights of all and of what was inherited, which sum to 1 before and after, or are 0 if
   *     none is trained
   * @param lag label delay in rows
   */
  static void byMemory(double[] weights, double lag) {
    double sum = 0;
    for (int e = 0; e < weights.length; e++) {
      boolean ages = e < ALL.size() && !ALL.get(e).grows();
      double known = ages ? ALL.get(e).memory / (ALL.get(e).memory + 2 * lag) : 1;
      weights[e] *= StrictMath.pow(known, DISTRUST);
      sum += weights[e];
    }
    FadingLoss.normalise(weights, sum);
  }

  /** How many rows it is to forget, since the world was another; 0 if none. */
  long forgets(ChangePoint change) {
    return kind == Kind.SINCE_CHANGE ? change.last() : 0;
  }

  /** How many of {@code rows} rows it is trained on at most, if it forgets so many. */
  int memory(long rows, long forgotten) {
    return forgotten == 0
        ? memory
        : (int) Math.min(memory, Math.max(rows - forgotten, FEWEST_SINCE_CHANGE));
  }

  /** Whether it is to begin anew at {@code rows} rows, without those that it forgets. */
  boolean begins(long rows, long trained, long forgotten) {
    return rows - forgotten >= FEWEST_SINCE_CHANGE && yetToBegin(trained, forgotten);
  }

  /** Whether one trained last at {@code trained} rows knows too few of those it is to keep. */
  static boolean yetToBegin(long trained, long forgotten) {
    return forgotten > 0 && trained - forgotten < FEWEST_SINCE_CHANGE;
  }

  /**
   * Whether it is to be trained at {@code rows} rows: at its turn, and before its first turn since
   * it began whenever the rows since then have grown by half.
   *
   * @param before how many rows there were before the window
   * @param trained how many there were at its last training; 0 if it never was
   * @param time after how many rows it is trained again
   * @param forgotten how many rows it forgets
   */
  boolean due(long rows, long before, long trained, long time, long forgotten) {
    long least = forgotten == 0 ? 14 : FEWEST_SINCE_CHANGE;
    long known = Math.max(trained - forgotten, 0);
    return rows / time > before / time
        || begins(rows, trained, forgotten)
        || (known < every && 2 * (rows - forgotten) >= 3 * Math.max(known, least));
  }
}
