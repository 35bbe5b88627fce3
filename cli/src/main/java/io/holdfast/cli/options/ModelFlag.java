package io.holdfast.cli.options;

import java.util.List;

/**
 * A flag that says what a model is, by setting a key of the configuration file: names, defaults and
 * checks are the same there and here.
 *
 * @param group what it is listed under
 * @param name with its hyphens
 * @param key below {@code holdfast.models.NAME}
 * @param argument what its value is called in help texts; empty if it takes none
 * @param value what a flag without an argument sets the key to
 * @param description one sentence, with the default
 */
public record ModelFlag(
    Group group, String name, String key, String argument, String value, String description) {

  /** Headings of help texts, in their order. */
  public enum Group {
    COLUMNS("Columns"),
    OBJECTIVE("What is learned"),
    ANCHOR("What it is protected against"),
    TREES("Trees"),
    START("Where they start, and how they are grown"),
    WINDOWS("Windows");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }

  private static final String COLUMN = "COLUMN";
  private static final String COLUMN_LIST = "COLUMN,...";
  private static final String DIRECTIONS = "COLUMN=WAY,...";
  private static final String NUMBER = "NUM";
  private static final String COUNT = "N";
  private static final String NAME = "NAME";
  private static final String ROWS = "ROWS";

  /** All flags, in the order of help texts. */
  static final List<ModelFlag> ALL =
      List.of(
          // --- columns
          of(
              Group.COLUMNS,
              "--label",
              "label",
              COLUMN,
              "What to predict; a row where it is empty is not learned from."),
          of(
              Group.COLUMNS,
              "--environment",
              "environment",
              COLUMN,
              "The environment of a row: a season, a site, a customer group."),
          of(
              Group.COLUMNS,
              "--weight",
              "weight",
              COLUMN,
              "What a row counts, above 0 (default: all rows count 1)."),
          of(Group.COLUMNS, "--time", "time", COLUMN, "The time of a row."),
          of(Group.COLUMNS, "--id", "id", COLUMN, "A row's identity."),
          of(
              Group.COLUMNS,
              "--features",
              "features.include",
              COLUMN_LIST,
              "The features (default: every column that is nothing else)."),
          of(
              Group.COLUMNS,
              "--exclude",
              "features.exclude",
              COLUMN_LIST,
              "Columns that are no features."),
          of(
              Group.COLUMNS,
              "--categorical",
              "features.categorical",
              COLUMN_LIST,
              "Numbers that are names; text is without saying."),
          of(
              Group.COLUMNS,
              "--dates",
              "features.dates",
              COLUMN_LIST,
              "Dates: take hour, weekday and month."),
          of(
              Group.COLUMNS,
              "--missing",
              "features.missing",
              "WORD,...",
              "Words that say that there is no value, beside NA, null, ? and the like."),
          // --- objective
          of(
              Group.OBJECTIVE,
              "--objective",
              "objective",
              NAME,
              "Of a number: squared, absolute, huber, quantile; of one above 0: gamma, or from 0"
                  + " on: poisson, tweedie; of one between 0 and 1: beta; of 0 or 1: logistic,"
                  + " probit, exponential; of classes 0, 1, ...: softmax, or ordinal if they have"
                  + " an order."),
          of(
              Group.OBJECTIVE,
              "--classes",
              "classes",
              COUNT,
              "How many classes softmax and ordinal have."),
          of(
              Group.OBJECTIVE,
              "--link",
              "link",
              NAME,
              "Of ordinal: logit or probit (default: logit)."),
          of(
              Group.OBJECTIVE,
              "--delta",
              "delta",
              NUMBER,
              "Of huber: the error from which on errors count linearly."),
          of(
              Group.OBJECTIVE,
              "--alpha",
              "alpha",
              NUMBER,
              "Of quantile: the share of labels that are to be below."),
          of(
              Group.OBJECTIVE,
              "--precision",
              "precision",
              NUMBER,
              "Of beta: known, or auto to estimate it (default: auto)."),
          of(
              Group.OBJECTIVE,
              "--power",
              "power",
              NUMBER,
              "Of tweedie: above 1, below 2 (default: 1.5)."),
          // --- anchor
          of(
              Group.ANCHOR,
              "--gamma",
              "gamma",
              NUMBER,
              "Against shifts of the anchor: 1 is plain, auto is chosen (default: 1)."),
          of(
              Group.ANCHOR,
              "--gamma-by",
              "gammaBy",
              "worst|mean",
              "Of auto: which loss of environments left out decides (default: worst)."),
          of(
              Group.ANCHOR,
              "--anchors",
              "anchors",
              COLUMN_LIST,
              "Numbers that may shift, in place of --environment or beside it."),
          flag(
              Group.ANCHOR,
              "--anchors-uncentred",
              "anchorIntercept",
              "false",
              "Do not centre --anchors; only without --environment."),
          flag(
              Group.ANCHOR,
              "--anchor-splits",
              "anchorSplits",
              "true",
              "Choose splits by what they gain under the anchor, too."),
          of(
              Group.ANCHOR,
              "--ladder",
              "ladder.gammas",
              "NUMBER,...",
              "Gammas that leaf values are found for beside --gamma's, ascending."),
          of(
              Group.ANCHOR,
              "--serve",
              "ladder.serve",
              NUMBER,
              "Whose leaf values score; in windows also adaptive (default: --gamma's)."),
          // --- trees
          of(
              Group.TREES,
              "--rounds",
              "trees.rounds",
              COUNT,
              "Rounds of trees: of backtest a window's (default: 10), of fit all (default: 100, or"
                  + " 1000 if rows tell when to stop)."),
          of(
              Group.TREES,
              "--learning-rate",
              "trees.learningRate",
              NUMBER,
              "What each step is multiplied by, up to 1 (default: 0.1)."),
          of(
              Group.TREES,
              "--max-leaves",
              "trees.maxLeaves",
              COUNT,
              "Leaves of a tree at most (default: 31)."),
          of(
              Group.TREES,
              "--max-depth",
              "trees.maxDepth",
              COUNT,
              "Splits from root to leaf at most (default: 6), of fit 64."),
          of(
              Group.TREES,
              "--min-rows",
              "trees.minRows",
              COUNT,
              "Rows in a leaf at least (default: 20)."),
          of(
              Group.TREES,
              "--min-hessian",
              "trees.minHessian",
              NUMBER,
              "Sum of hessians in a leaf at least (default: 0.001)."),
          of(
              Group.TREES,
              "--min-gain",
              "trees.minGain",
              NUMBER,
              "What a split must gain, half of LightGBM's scale (default: 0)."),
          of(
              Group.TREES,
              "--leaf-price",
              "trees.leafPrice",
              NUMBER,
              "What the leaf that a split adds costs (default: 0)."),
          of(
              Group.TREES,
              "--lambda",
              "trees.lambda",
              NUMBER,
              "Ridge penalty on leaf values (default: 1)."),
          of(
              Group.TREES,
              "--lambda1",
              "trees.lambda1",
              NUMBER,
              "Lasso penalty on leaf values (default: 0)."),
          of(
              Group.TREES,
              "--sample-rows",
              "trees.sampling.rows",
              NUMBER,
              "Share of rows that a tree's splits are chosen by (default: 1)."),
          of(
              Group.TREES,
              "--sample-features",
              "trees.sampling.features",
              NUMBER,
              "Share of features that a tree may use (default: 1)."),
          of(
              Group.TREES,
              "--monotone",
              "trees.monotone",
              DIRECTIONS,
              "The WAY that scores may go with it: increasing or decreasing."),
          of(
              Group.TREES,
              "--multiclass",
              "trees.multiclass",
              NAME,
              "Of softmax: vector or perClass trees (default: vector)."),
          of(
              Group.TREES,
              "--max-bins",
              "trees.maxBins",
              COUNT,
              "Bins of a feature at most (default: 255)."),
          // --- start
          of(
              Group.START,
              "--booster",
              "booster",
              NAME,
              "gradient or adaboost (default: gradient)."),
          of(
              Group.START,
              "--criterion",
              "adaboost.criterion",
              NAME,
              "Of adaboost: splits by gini or error (default: gini)."),
          flag(
              Group.START,
              "--resample",
              "adaboost.resample",
              "true",
              "Of adaboost: rounds learn from rows drawn by weight."),
          of(
              Group.START,
              "--base",
              "base",
              NAME,
              "What trees are added to: constant or linear (default: constant)."),
          of(
              Group.START,
              "--linear-strength",
              "linear.strength",
              NUMBER,
              "Penalty of the linear base (default: 1)."),
          of(
              Group.START,
              "--linear-l1-ratio",
              "linear.l1Ratio",
              NUMBER,
              "From 0, ridge, to 1, lasso (default: 0)."),
          of(
              Group.START,
              "--seed",
              "seed",
              COUNT,
              "Of everything random; equal seeds give equal models (default: 1)."),
          of(
              Group.START,
              "--threads",
              "threads",
              COUNT,
              "That train; they change no result (default: 1)."),
          // --- windows
          of(
              Group.WINDOWS,
              "--window",
              "window.rows",
              ROWS,
              "Labelled rows that make a window (default: 1), or 1000 by another policy than"
                  + " auto."),
          of(
              Group.WINDOWS,
              "--window-environments",
              "window.environments",
              COUNT,
              "Environments that a window waits for (default: 1)."),
          of(
              Group.WINDOWS,
              "--memory",
              "window.memoryRows",
              ROWS,
              "Older rows that are trained on again (default: 10000), or ten windows if that is"
                  + " more."),
          of(
              Group.WINDOWS,
              "--memory-windows",
              "window.memoryWindows",
              COUNT,
              "Windows that they are of at most (default: 50)."),
          of(
              Group.WINDOWS,
              "--policy",
              "update.policy",
              NAME,
              "append, decay, refit, replace or auto (default: auto)."),
          of(
              Group.WINDOWS,
              "--max-trees",
              "update.maxTrees",
              COUNT,
              "Trees at most (default: 500)."),
          of(
              Group.WINDOWS,
              "--evict",
              "update.evict",
              NAME,
              "Which leave over that: oldest, leastUseful or decayed (default: oldest)."),
          of(
              Group.WINDOWS,
              "--half-life",
              "update.halfLife",
              ROWS,
              "Rows until a tree weighs half, by --policy decay (default: 10000)."),
          of(
              Group.WINDOWS,
              "--refit-rate",
              "update.refitRate",
              NUMBER,
              "Share of new leaf values, by --policy refit (default: 0.1)."),
          of(
              Group.WINDOWS,
              "--recentre",
              "update.recentre",
              NAME,
              "Whether windows move the base: true or false (default: append does not)."),
          of(
              Group.WINDOWS,
              "--keep-bins",
              "update.keepBins",
              NAME,
              "Whether bins are kept until they move: true or false (default: true)."),
          of(
              Group.WINDOWS,
              "--drift",
              "drift.action",
              NAME,
              "What becomes of drift: nothing, report, shorten or replace (default: nothing)."));

  private static ModelFlag of(
      Group group, String name, String key, String argument, String description) {
    return new ModelFlag(group, name, key, argument, "", description);
  }

  private static ModelFlag flag(
      Group group, String name, String key, String value, String description) {
    return new ModelFlag(group, name, key, "", value, description);
  }

  boolean takesArgument() {
    return !argument.isEmpty();
  }

  /** Whether the argument is a column, or several. */
  boolean namesColumns() {
    return argument.equals(COLUMN) || argument.equals(COLUMN_LIST);
  }

  /** Whether the argument is columns, each with a word about it. */
  boolean directsColumns() {
    return argument.equals(DIRECTIONS);
  }
}
