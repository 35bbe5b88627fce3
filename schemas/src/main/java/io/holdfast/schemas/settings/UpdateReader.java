package io.holdfast.schemas.settings;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.Evict;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.ModelSettings.Update;
import io.holdfast.schemas.settings.ModelSettings.Upkeep;
import io.holdfast.schemas.settings.keys.UpdateKeys;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** Reads {@code update}, and says what the defaults of other keys are under its policy. */
final class UpdateReader {
  /** {@code auto} holds the longest of its memories against shorter ones, however small windows. */
  private static final int AUTO_MEMORY_ROWS = 10_000;

  private static final int WINDOW_ROWS = 1_000;

  /**
   * Most of the windows of {@code auto} change the base alone, and the sooner, the better: a row
   * closes one if its label was not foretold.
   */
  private static final int AUTO_WINDOW_ROWS = 1;

  /** Its windows may grow. */
  private static final int AUTO_MAX_ROWS = 100;

  /** What tells more than a version a second is how fast labels come. */
  private static final Duration AUTO_MIN_INTERVAL = Duration.ofSeconds(1);

  private static final int MOST_TREES = 100_000;

  private final Section update;
  private final String usualPolicy;

  UpdateReader(Section model) {
    update = model.section("update");
    // The ensembles of auto hold no ladder, and do not vote.
    boolean auto = !model.has("ladder") && !"adaboost".equals(model.optionalText("booster"));
    usualPolicy = auto ? "auto" : "replace";
  }

  /** How an eviction rule is called in the file. */
  static String nameOf(Evict evict) {
    return switch (evict) {
      case OLDEST -> "oldest";
      case LEAST_USEFUL -> "leastUseful";
      case DECAYED -> "decayed";
    };
  }

  private Evict evict() {
    String name = update.read(UpdateKeys.EVICT);
    return EnumSet.allOf(Evict.class).stream()
        .filter(evict -> nameOf(evict).equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** How many rows close a window, unless said otherwise. */
  static int windowRows(Update update) {
    return update.policy().equals("auto") ? AUTO_WINDOW_ROWS : WINDOW_ROWS;
  }

  /** How many rows close a window at least whatever they are, unless said otherwise. */
  static int maxRows(Update update) {
    return update.policy().equals("auto") ? AUTO_MAX_ROWS : 0;
  }

  /** How far apart windows end at least, unless said otherwise. */
  static Duration minInterval(Update update) {
    return update.policy().equals("auto") ? AUTO_MIN_INTERVAL : Duration.ZERO;
  }

  /** How many rows a policy remembers at least, unless said otherwise. */
  static int memoryRows(Update update) {
    return update.policy().equals("auto") ? AUTO_MEMORY_ROWS : 0;
  }

  /** The usual budget for each tree that a round appends, unless said otherwise. */
  Update read(int treesOfRound) {
    String policy = update.read(UpdateKeys.POLICY, usualPolicy);
    Update read =
        new Update(
            policy,
            update.read(
                UpdateKeys.MAX_TREES,
                Math.min(UpdateKeys.MAX_TREES.byDefault() * treesOfRound, MOST_TREES)),
            Gate.valueOf(update.read(UpdateKeys.GATE).toUpperCase(Locale.ROOT)),
            update.read(UpdateKeys.MARGIN),
            update.read(UpdateKeys.HOLD_OUT),
            upkeep(Upkeep.of(policy)));
    for (String key : List.of("margin", "holdOut")) {
      needless(key, read.gate() == Gate.BETTER, "gate", "better");
    }
    needless("halfLife", policy.equals("decay"), "policy", "decay");
    needless("refitRate", policy.equals("refit"), "policy", "refit");
    needless("evict", !policy.equals("auto"), "policy", "another than auto");
    needless("recentre", !policy.equals("auto"), "policy", "another than auto");
    needless("keepBins", Upkeep.KEEPING_BINS.contains(policy), "policy", "append, decay or refit");
    if (read.upkeep().evict() == Evict.DECAYED && !policy.equals("decay")) {
      update.problem(
          Sentence.of(
              "%s is decayed, but trees lose weight only where %s is decay: take oldest or"
                  + " leastUseful",
              update.name("evict"), update.name("policy")));
    }
    update.rejectUnknown();
    return read;
  }

  private Upkeep upkeep(Upkeep usual) {
    return new Upkeep(
        update.read(UpdateKeys.HALF_LIFE),
        update.read(UpdateKeys.REFIT_RATE),
        evict(),
        update.read(UpdateKeys.RECENTRE, usual.recentre()),
        update.read(UpdateKeys.KEEP_BINS, usual.keepBins()));
  }

  private void needless(String key, boolean meaningful, String other, String value) {
    if (update.has(key) && !meaningful) {
      update.problem(
          Sentence.of(
              "%s has no meaning unless %s is %s: leave it out",
              update.name(key), update.name(other), value));
    }
  }
}
