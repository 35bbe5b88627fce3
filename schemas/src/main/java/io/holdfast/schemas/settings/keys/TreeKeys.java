package io.holdfast.schemas.settings.keys;

import io.holdfast.schemas.settings.keys.Key.Flag;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import java.util.List;
import java.util.Map;

/** The settings of a model's trees, below {@code trees}. */
public final class TreeKeys {
  public static final Key<Integer> ROUNDS =
      Key.whole("trees.rounds", 10, 1, 10_000, "Rounds for each window: a tree each")
          .more(
              "Or one for each class (`multiclass`). `fit` without `--config` has 100, or 1,000"
                  + " where rows tell when to stop")
          .flag(
              Group.TREES,
              "--rounds",
              "N",
              "Rounds of a window (default: 10); of fit 100, or 1000 if rows end it");
  public static final Key<Double> LEARNING_RATE =
      Key.of("trees.learningRate", Kind.Real.SHARE, "What each step is multiplied by, up to 1")
          .usual(0.1)
          .flag(Group.TREES, "--learning-rate", "NUM");
  public static final Key<Integer> MAX_LEAVES =
      Key.whole("trees.maxLeaves", 31, 2, 4_096, "Leaves of a tree at most")
          .flag(Group.TREES, "--max-leaves", "N");
  public static final Key<Integer> MAX_DEPTH =
      Key.whole("trees.maxDepth", 6, 1, 64, "Splits from root to leaf at most")
          .flag(
              Group.TREES,
              "--max-depth",
              "N",
              "Splits from root to leaf at most (default: 6), of fit 64");

  /** The same setting where trees vote: stumps unless said otherwise. */
  public static final Key<Integer> DEPTH_OF_VOTES =
      Key.whole(MAX_DEPTH.path(), 1, 1, 16, MAX_DEPTH.sentence());

  public static final Key<Integer> MIN_ROWS =
      Key.whole("trees.minRows", 20, 1, Integer.MAX_VALUE, "Rows in a leaf at least")
          .flag(Group.TREES, "--min-rows", "N");
  public static final Key<Double> MIN_HESSIAN =
      Key.of("trees.minHessian", Kind.Real.NOT_NEGATIVE, "Sum of hessians in a leaf at least")
          .usual(0.001)
          .flag(Group.TREES, "--min-hessian", "NUM");
  public static final Key<Double> MIN_GAIN =
      Key.of(
              "trees.minGain",
              Kind.Real.NOT_NEGATIVE,
              "What a split must gain, half of LightGBM's scale")
          .usual(0.0)
          .more("The factor ½ of [math.md](math.md)")
          .flag(Group.TREES, "--min-gain", "NUM");
  public static final Key<Double> LEAF_PRICE =
      Key.of("trees.leafPrice", Kind.Real.NOT_NEGATIVE, "What the leaf that a split adds costs")
          .usual(0.0)
          .flag(Group.TREES, "--leaf-price", "NUM");
  public static final Key<Double> LAMBDA =
      Key.of("trees.lambda", Kind.Real.NOT_NEGATIVE, "Ridge penalty on leaf values")
          .usual(1.0)
          .more("Raise it for small windows and noisy labels")
          .flag(Group.TREES, "--lambda", "NUM");
  public static final Key<Double> LAMBDA1 =
      Key.of("trees.lambda1", Kind.Real.NOT_NEGATIVE, "Lasso penalty on leaf values")
          .usual(0.0)
          .flag(Group.TREES, "--lambda1", "NUM");
  public static final Key<Double> SAMPLE_ROWS =
      Key.of(
              "trees.sampling.rows",
              Kind.Real.SHARE,
              "Share of rows that a tree's splits are chosen by")
          .usual(1.0)
          .more("Leaf values are learned from all")
          .flag(Group.TREES, "--sample-rows", "NUM");
  public static final Key<Double> SAMPLE_FEATURES =
      Key.of("trees.sampling.features", Kind.Real.SHARE, "Share of features that a tree may use")
          .usual(1.0)
          .flag(Group.TREES, "--sample-features", "NUM");
  public static final Key<Map<String, Integer>> MONOTONE =
      Key.of(
              "trees.monotone",
              new Kind.Directions(),
              "The way that scores may go with a feature: increasing or decreasing")
          .usually("none")
          .more("`{ price: decreasing, size: increasing }`; not for `softmax`")
          .flag(
              Group.TREES,
              "--monotone",
              Flag.DIRECTIONS,
              "The WAY that scores may go with it: increasing or decreasing");
  public static final Key<String> MULTICLASS =
      Key.choice("trees.multiclass", "Of softmax: vector or perClass trees", "vector", "perClass")
          .more(
              "A tree with a value a class in each leaf, or a tree for each class"
                  + " ([why](benchmarks.md#choices-of-defaults))")
          .flag(Group.TREES, "--multiclass", "NAME");
  public static final Key<String> STEP =
      Key.choice("trees.step", "How far a round goes: newton or lineSearch", "newton", "lineSearch")
          .more("`lineSearch`: to where the loss is least, four Newton steps away at most")
          .flag(Group.TREES, "--step", "NAME");
  public static final Key<Integer> STOP_AFTER =
      Key.whole(
              "trees.stopAfter",
              0,
              0,
              10_000,
              "Rounds without gain on rows kept out that end it; 0 never")
          .flag(Group.TREES, "--stop-after", "N");
  public static final Key<Double> KEPT_OUT =
      Key.of("trees.keptOut", Kind.Real.between(0, 1), "Of stopAfter: the share of rows kept out")
          .usual(0.2)
          .flag(Group.TREES, "--kept-out", "NUM");
  public static final Key<Integer> MAX_BINS =
      Key.whole("trees.maxBins", 255, 2, 65_535, "Bins of a feature at most")
          .more("A column with no more distinct values than that is split exactly")
          .flag(Group.TREES, "--max-bins", "N");

  /** All, in the order of the documentation. */
  static final List<Key<?>> ALL =
      List.of(
          ROUNDS,
          LEARNING_RATE,
          MAX_LEAVES,
          MAX_DEPTH,
          MIN_ROWS,
          MIN_HESSIAN,
          MIN_GAIN,
          LEAF_PRICE,
          LAMBDA,
          LAMBDA1,
          SAMPLE_ROWS,
          SAMPLE_FEATURES,
          MONOTONE,
          MULTICLASS,
          STEP,
          STOP_AFTER,
          KEPT_OUT,
          MAX_BINS);

  private TreeKeys() {}
}
