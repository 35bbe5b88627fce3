package io.holdfast.schemas.settings.keys;

import static io.holdfast.schemas.settings.keys.Key.Flag.Group.TREES;
import static io.holdfast.schemas.settings.keys.Kind.Real.NOT_NEGATIVE;
import static io.holdfast.schemas.settings.keys.Kind.Real.SHARE;
import static io.holdfast.schemas.settings.keys.Kind.Real.between;

import io.holdfast.schemas.settings.keys.Key.Flag;
import java.util.List;
import java.util.Map;

/** The settings of a model's trees, below {@code trees}. */
public final class TreeKeys {
  private static final KeyTable KEYS = new KeyTable();

  public static final Key<Integer> ROUNDS =
      KEYS.whole("trees.rounds", 10, 1, 10_000, "Rounds for each window: a tree each")
          .more(
              "Or one for each class (`multiclass`). `fit` without `--config` has 100, or 1,000"
                  + " where rows tell when to stop")
          .flag(TREES, "--rounds", "N")
          .help("Rounds of a window (default: 10); of fit 100, or 1000 if rows end it");
  public static final Key<Double> LEARNING_RATE =
      KEYS.of("trees.learningRate", 0.1, SHARE, "What each step is multiplied by, up to 1")
          .flag(TREES, "--learning-rate", "NUM");
  public static final Key<Integer> MAX_LEAVES =
      KEYS.whole("trees.maxLeaves", 31, 2, 4_096, "Leaves of a tree at most")
          .flag(TREES, "--max-leaves", "N");
  public static final Key<Integer> MAX_DEPTH =
      KEYS.whole("trees.maxDepth", 6, 1, 64, "Splits from root to leaf at most")
          .flag(TREES, "--max-depth", "N")
          .help("Splits from root to leaf at most (default: 6), of fit 64");

  /** The same setting where trees vote: stumps unless said otherwise. */
  public static final Key<Integer> DEPTH_OF_VOTES =
      new Key<>(MAX_DEPTH.path(), new Kind.Whole(1, 16), MAX_DEPTH.sentence()).usual(1);

  public static final Key<Integer> MIN_ROWS =
      KEYS.whole("trees.minRows", 20, 1, Integer.MAX_VALUE, "Rows in a leaf at least")
          .flag(TREES, "--min-rows", "N");
  public static final Key<Double> MIN_HESSIAN =
      KEYS.of("trees.minHessian", 0.001, NOT_NEGATIVE, "Sum of hessians in a leaf at least")
          .flag(TREES, "--min-hessian", "NUM");
  public static final Key<Double> MIN_GAIN =
      KEYS.of(
              "trees.minGain",
              0.0,
              NOT_NEGATIVE,
              "What a split must gain, half of LightGBM's scale")
          .more("The factor ½ of [math.md](math.md)")
          .flag(TREES, "--min-gain", "NUM");
  public static final Key<Double> LEAF_PRICE =
      KEYS.of("trees.leafPrice", 0.0, NOT_NEGATIVE, "What the leaf that a split adds costs")
          .flag(TREES, "--leaf-price", "NUM");
  public static final Key<Double> LAMBDA =
      KEYS.of("trees.lambda", 1.0, NOT_NEGATIVE, "Ridge penalty on leaf values")
          .more("Raise it for small windows and noisy labels")
          .flag(TREES, "--lambda", "NUM");
  public static final Key<Double> LAMBDA1 =
      KEYS.of("trees.lambda1", 0.0, NOT_NEGATIVE, "Lasso penalty on leaf values")
          .flag(TREES, "--lambda1", "NUM");
  public static final Key<Double> SAMPLE_ROWS =
      KEYS.of("trees.sampling.rows", 1.0, SHARE, "Share of rows that a tree's splits are chosen by")
          .more("Leaf values are learned from all")
          .flag(TREES, "--sample-rows", "NUM");
  public static final Key<Double> SAMPLE_FEATURES =
      KEYS.of("trees.sampling.features", 1.0, SHARE, "Share of features that a tree may use")
          .flag(TREES, "--sample-features", "NUM");
  public static final Key<Map<String, Integer>> MONOTONE =
      KEYS.of(
              "trees.monotone",
              new Kind.Directions(),
              "The way that scores may go with a feature: increasing or decreasing")
          .usually("none")
          .more("`{ price: decreasing, size: increasing }`; not for `softmax`")
          .flag(TREES, "--monotone", Flag.DIRECTIONS)
          .help("The WAY that scores may go with it: increasing or decreasing");
  public static final Key<Map<String, String>> INTERACTIONS =
      KEYS.of("trees.interactions", new Kind.Groups(), "Groups that features interact within")
          .usually("none")
          .more("`{ price: money, size: money }`")
          .flag(TREES, "--interactions", Flag.GROUPS)
          .help("COLUMN=NAME,...: features of two groups do not interact");
  public static final Key<String> MULTICLASS =
      KEYS.choice("trees.multiclass", "Of softmax: vector or perClass trees", "vector", "perClass")
          .more(
              "A tree with a value a class in each leaf, or a tree for each class"
                  + " ([why](benchmarks.md#choices-of-defaults))")
          .flag(TREES, "--multiclass", "NAME");
  public static final Key<String> STEP =
      KEYS.choice(
              "trees.step", "How far a round goes: newton or lineSearch", "newton", "lineSearch")
          .more("`lineSearch`: to where the loss is least, four Newton steps away at most")
          .flag(TREES, "--step", "NAME");
  public static final Key<Integer> STOP_AFTER =
      KEYS.whole(
              "trees.stopAfter",
              0,
              0,
              10_000,
              "Rounds without gain on rows kept out that end it; 0 never")
          .flag(TREES, "--stop-after", "N");
  public static final Key<Double> KEPT_OUT =
      KEYS.of("trees.keptOut", 0.2, between(0, 1), "Of stopAfter: the share of rows kept out")
          .flag(TREES, "--kept-out", "NUM");
  public static final Key<String> STOP_BY =
      KEYS.choice("trees.stopBy", "Of stopAfter: mean or worst environment", "mean", "worst");
  public static final Key<Integer> MAX_BINS =
      KEYS.whole("trees.maxBins", 255, 2, 65_535, "Bins of a feature at most")
          .more("Columns with no more values are split exactly")
          .flag(TREES, "--max-bins", "N");

  static final List<Key<?>> ALL = KEYS.all();

  private TreeKeys() {}
}
