package io.holdfast.cli.tune;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.cli.learn.SettingsVariants;
import io.holdfast.cli.tune.Trials.Candidate;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Settings that tuning tries; draw number k is a function of the settings' seed and k. */
final class SearchSpace {
  private static final int PATIENCE = 100;

  private final ModelSettings given;
  private final SettingsVariants variants;
  private final boolean stream;
  private final List<String> policies;
  private final boolean anchored;

  /** Around the given settings: of a model that learns from a stream, or of a single fit. */
  SearchSpace(ModelSettings given, SettingsVariants variants, boolean stream) {
    this.given = given;
    this.variants = variants;
    this.stream = stream;
    policies =
        Stream.of("append", "decay", "refit", "replace", "auto")
            .filter(policy -> stream && settings(Map.of("update.policy", policy)).isPresent())
            .toList();
    anchored =
        given.booster().objective().anchorable()
            && (given.environment() != null || !given.anchors().isEmpty());
  }

  /** The given settings with these keys; empty if they do not go together. */
  private Optional<ModelSettings> settings(Map<String, String> keys) {
    try {
      return Optional.of(variants.with(keys));
    } catch (SettingsException e) {
      return Optional.empty();
    }
  }

  /** The given settings for 0, else the drawn ones of that number. */
  Candidate draw(int number) {
    if (number == 0) {
      return new Candidate(0, Map.of(), given);
    }
    SplittableRandom random =
        new SplittableRandom(given.booster().seed() ^ number * 0x9E3779B97F4A7C15L).split();
    for (int draw = 0; draw < PATIENCE; draw++) {
      Map<String, String> keys = keys(random);
      Optional<ModelSettings> settings = settings(keys);
      if (settings.isPresent()) {
        return new Candidate(number, Collections.unmodifiableMap(keys), settings.get());
      }
    }
    throw new IllegalStateException("no settings near those of " + given.name() + " are allowed");
  }

  private Map<String, String> keys(SplittableRandom random) {
    Map<String, String> keys = new LinkedHashMap<>();
    int rows = whole(random, 50, 4_000);
    if (stream) {
      keys.put("window.rows", "" + rows);
      keys.put("window.maxRows", "" + 4 * rows);
      keys.put("window.memoryRows", "" + Math.min(50_000, rows * whole(random, 1, 20)));
      keys.put("trees.rounds", "" + whole(random, 2, 40));
    } else {
      int rounds = given.booster().rounds();
      int most = given.booster().holdOut() == null ? 5 * rounds : rounds;
      int drawn = whole(random, Math.max(2, rounds / 5), Math.max(2, most));
      keys.put("trees.rounds", "" + drawn);
      int each = given.booster().multiclass() == MulticlassTrees.PER_CLASS ? outputs() : 1;
      if (drawn * each > given.update().maxTrees()) {
        keys.put("update.maxTrees", "" + drawn * each);
      }
    }
    keys.put("trees.learningRate", "" + rounded(between(random, 0.02, 0.4)));
    keys.put("trees.maxLeaves", "" + whole(random, 4, 64));
    keys.put("trees.minRows", "" + whole(random, 5, 80));
    keys.put("trees.lambda", "" + rounded(between(random, 0.1, 100)));
    if (stream) {
      keys.put("update.maxTrees", "" + whole(random, 50, 1_000));
      String policy = policies.get(random.nextInt(policies.size()));
      keys.put("update.policy", policy);
      if (policy.equals("auto")) { // windows and memory are its own
        keys.keySet().removeIf(key -> key.startsWith("window."));
      }
    }
    if (anchored && !given.strength().auto()) {
      keys.put("gamma", "" + List.of(1, 2, 4, 7, 12).get(random.nextInt(5)));
    }
    return keys;
  }

  private int outputs() {
    return given.booster().objective().outputs();
  }

  /** Log-uniform. */
  private static double between(SplittableRandom random, double least, double most) {
    return least * StrictMath.pow(most / least, random.nextDouble());
  }

  private static int whole(SplittableRandom random, int least, int most) {
    return (int) Math.rint(between(random, least, most));
  }

  /** To two digits, so that a person can read it. */
  private static String rounded(double value) {
    return new BigDecimal(value).round(new MathContext(2)).stripTrailingZeros().toPlainString();
  }
}
