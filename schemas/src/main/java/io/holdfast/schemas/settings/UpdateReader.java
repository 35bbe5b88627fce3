package io.holdfast.schemas.settings;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.Evict;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.ModelSettings.Update;
import io.holdfast.schemas.settings.ModelSettings.Upkeep;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Reads {@code update}: the one place that holds the defaults and bounds of its keys. */
final class UpdateReader {
  private static final int DEFAULT_TREES = 500;
  private static final int MAX_TREES = 100_000;
  private static final int MAX_HALF_LIFE = 1_000_000_000;

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

  private static final List<String> EVICTS = List.of("oldest", "leastUseful", "decayed");

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
    return EVICTS.get(evict.ordinal());
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

  /**
   * A budget of {@code DEFAULT_TREES} for each tree that a round appends, unless said otherwise.
   */
  Update read(int treesOfRound) {
    String policy = update.choice("policy", usualPolicy, Update.POLICIES);
    Update read =
        new Update(
            policy,
            update.integer(
                "maxTrees", Math.min(DEFAULT_TREES * treesOfRound, MAX_TREES), 1, MAX_TREES),
            Gate.valueOf(
                update
                    .choice("gate", "always", List.of("always", "better", "manual"))
                    .toUpperCase(Locale.ROOT)),
            update.number("margin", Update.DEFAULT_MARGIN, margin -> margin >= 0, "of 0 or more"),
            update.number(
                "holdOut",
                Update.DEFAULT_HOLD_OUT,
                share -> share > 0 && share < 1,
                "above 0 and below 1"),
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
        update.integer("halfLife", usual.halfLife(), 1, MAX_HALF_LIFE),
        update.number(
            "refitRate", usual.refitRate(), rate -> rate >= 0 && rate <= 1, "from 0 to 1"),
        Evict.values()[EVICTS.indexOf(update.choice("evict", nameOf(usual.evict()), EVICTS))],
        update.flag("recentre", usual.recentre()),
        update.flag("keepBins", usual.keepBins()));
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
