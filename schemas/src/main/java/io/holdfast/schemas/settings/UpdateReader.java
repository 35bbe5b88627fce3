package io.holdfast.schemas.settings;

import io.holdfast.schemas.settings.ModelSettings.Evict;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.ModelSettings.Update;
import io.holdfast.schemas.settings.ModelSettings.Upkeep;
import io.holdfast.schemas.settings.keys.UpdateKeys;
import java.util.Arrays;
import java.util.Locale;

/** Reads {@code update}. Stateless. */
final class UpdateReader {
  private static final int MOST_TREES = 100_000;

  private UpdateReader() {}

  /** How an eviction rule is called in the file. */
  static String nameOf(Evict evict) {
    return switch (evict) {
      case OLDEST -> "oldest";
      case LEAST_USEFUL -> "leastUseful";
      case DECAYED -> "decayed";
    };
  }

  /** The budget of trees is by default one for each tree that a round appends. */
  static Update read(Section model, int treesOfRound) {
    Section update = model.section("update");
    // The ensembles of auto hold no ladder, and do not vote.
    boolean auto = !model.has("ladder") && !"adaboost".equals(model.optionalText("booster"));
    String policy = update.read(UpdateKeys.POLICY, auto ? "auto" : "replace");
    Update read =
        new Update(
            policy,
            update.read(
                UpdateKeys.MAX_TREES,
                Math.min(UpdateKeys.MAX_TREES.byDefault() * treesOfRound, MOST_TREES)),
            Gate.valueOf(update.read(UpdateKeys.GATE).toUpperCase(Locale.ROOT)),
            update.read(UpdateKeys.MARGIN),
            update.read(UpdateKeys.HOLD_OUT),
            update.read(UpdateKeys.ERROR),
            upkeep(update, Upkeep.of(policy)));
    update.onlyIf(read.gate() == Gate.BETTER, "margin", "gate", "better");
    update.onlyIf(read.gate() == Gate.BETTER, "holdOut", "gate", "better");
    update.onlyIf(read.gate() == Gate.SHOWN, "error", "gate", "shown");
    update.onlyIf(policy.equals("decay"), "halfLife", "policy", "decay");
    update.onlyIf(policy.equals("refit"), "refitRate", "policy", "refit");
    update.onlyIf(!policy.equals("auto"), "evict", "policy", "another than auto");
    update.onlyIf(!policy.equals("auto"), "recentre", "policy", "another than auto");
    boolean keeps = Upkeep.KEEPING_BINS.contains(policy);
    update.onlyIf(keeps, "keepBins", "policy", "append, decay or refit");
    if (read.upkeep().evict() == Evict.DECAYED && !policy.equals("decay")) {
      update.problem(
          "%s is decayed, but trees lose weight only where %s is decay: take oldest or leastUseful",
          update.name("evict"), update.name("policy"));
    }
    update.rejectUnknown();
    return read;
  }

  private static Upkeep upkeep(Section update, Upkeep usual) {
    int halfLife = update.read(UpdateKeys.HALF_LIFE);
    double refitRate = update.read(UpdateKeys.REFIT_RATE);
    String evict = update.read(UpdateKeys.EVICT);
    return new Upkeep(
        halfLife,
        refitRate,
        Arrays.stream(Evict.values())
            .filter(e -> nameOf(e).equals(evict))
            .findFirst()
            .orElseThrow(),
        update.read(UpdateKeys.RECENTRE, usual.recentre()),
        update.read(UpdateKeys.KEEP_BINS, usual.keepBins()));
  }
}
