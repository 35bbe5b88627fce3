package io.holdfast.cli.options;

import io.holdfast.schemas.settings.keys.TreeKeys;

/** Defaults of flags where they are of a single fit. Owned by one thread. */
public final class FitDefaults {
  private static final int DEFAULT_MAX_TREES = 500;
  private static final String ROUNDS = "100";
  private static final String ROUNDS_TO_STOP_AMONG = "1000";
  private static final String MAX_DEPTH = "64";

  private final ModelOptions flags;

  public FitDefaults(ModelOptions flags) {
    this.flags = flags;
  }

  /**
   * The defaults, ten rounds and a depth of 6, are for a window; a single fit gets more.
   *
   * @param validated whether rows are given that tell when to stop
   */
  public void take(boolean validated) {
    if (flags.isEmpty()) {
      return;
    }
    if (flags.get("trees.rounds") == null) {
      String stopAfter = flags.get(TreeKeys.STOP_AFTER.path());
      boolean stops = validated || (stopAfter != null && !stopAfter.equals("0"));
      flags.set("trees.rounds", stops ? ROUNDS_TO_STOP_AMONG : ROUNDS);
    }
    if (flags.get("trees.maxDepth") == null && !"adaboost".equals(flags.get("booster"))) {
      flags.set("trees.maxDepth", MAX_DEPTH);
    }
  }

  /** The tree budget is for models that grow window by window; a fit is as long as it is asked. */
  public void raiseTreeBudget() {
    String rounds = flags.get("trees.rounds");
    if (rounds != null && rounds.matches("[0-9]{3,5}")) {
      String classes = flags.get("classes");
      boolean forEach =
          "softmax".equals(flags.get("objective"))
              && "perClass".equals(flags.get("trees.multiclass"));
      int names = classes == null ? 1 : classes.split(",", -1).length;
      long each =
          forEach && classes != null && classes.matches("[0-9]{1,4}")
              ? Long.parseLong(classes)
              : forEach ? names : 1;
      flags.set(
          "update.maxTrees",
          String.valueOf(each * Math.max(DEFAULT_MAX_TREES, Long.parseLong(rounds))));
    }
  }
}
