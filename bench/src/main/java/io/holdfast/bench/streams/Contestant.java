package io.holdfast.bench.streams;

import io.holdfast.cli.input.DataException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A learner by its name on the command line and in tables.
 *
 * @param takes the streams that it is for
 */
record Contestant(String name, Predicate<LabelledStream> takes, Maker maker) {
  private static final int WINDOW = 1_000;
  private static final int ROUNDS = 100;
  private static final int ROUNDS_CONTINUED = 10;

  private static final String HOLDFAST = "Holdfast";

  /** Makes a learner of a stream whose labels are {@code delay} rows late. */
  @FunctionalInterface
  interface Maker {
    StreamLearner of(LabelledStream stream, int delay);
  }

  /** All there are. */
  static List<Contestant> all() {
    return List.of(
        named(HOLDFAST),
        any("NoChange", (stream, _) -> new NoChange(stream)),
        any("Majority", (stream, _) -> new Majority(stream)),
        moa("HoeffdingTree", true, "trees.HoeffdingTree"),
        moa("ARF", true, "meta.AdaptiveRandomForest"),
        moa("LeveragingBag", true, "meta.LeveragingBag"),
        moa("SRP", true, "meta.StreamingRandomPatches"),
        any("SGBT", (stream, _) -> new MoaLearner(stream, "meta.StreamingGradientBoostedTrees")),
        moa("FIMT-DD", false, "trees.FIMTDD"),
        moa("ARF-Reg", false, "meta.AdaptiveRandomForestRegressor"),
        moa("SOKNL", false, "meta.SelfOptimisingKNearestLeaves"),
        any(
            "LightGBM-retrained",
            (stream, delay) -> new LightGbmWindows(stream, delay, WINDOW, ROUNDS, false)),
        any(
            "LightGBM-continued",
            (stream, delay) -> new LightGbmWindows(stream, delay, WINDOW, ROUNDS_CONTINUED, true)));
  }

  private static Contestant any(String name, Maker maker) {
    return new Contestant(name, stream -> true, maker);
  }

  private static Contestant moa(String name, boolean classes, String moa) {
    return new Contestant(
        name, stream -> stream.classifies() == classes, (stream, _) -> new MoaLearner(stream, moa));
  }

  /**
   * {@code Holdfast}, or with settings of its own instead {@code Holdfast[KEY=VALUE;KEY=VALUE]}.
   */
  private static Contestant holdfast(String name) {
    Map<String, String> changes = new HashMap<>();
    if (name.equals(HOLDFAST)) {
      changes.put("update.policy", "auto");
    } else {
      for (String pair : name.substring(HOLDFAST.length() + 1, name.length() - 1).split(";", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
          throw new DataException("a setting of a learner must be KEY=VALUE: %s", pair);
        }
        changes.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return any(name, (stream, delay) -> new HoldfastLearner(stream, changes));
  }

  /** The one of that name, or a DataException that names those there are. */
  static Contestant named(String name) {
    if (name.equals(HOLDFAST) || (name.startsWith(HOLDFAST + "[") && name.endsWith("]"))) {
      return holdfast(name);
    }
    return all().stream()
        .filter(contestant -> contestant.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "a learner must be one of %s: %s",
                    String.join(", ", all().stream().map(Contestant::name).toList()), name));
  }
}
