package io.holdfast.cli.learn;

import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Settings that tuning tries; draw number k is a function of the settings' seed and k. */
public final class SearchSpace {
  private static final int PATIENCE = 100;

  private final ModelSettings given;
  private final SettingsVariants variants;
  private final List<String> policies;
  private final boolean anchored;

  private SearchSpace(ModelSettings given, SettingsVariants variants) {
    this.given = given;
    this.variants = variants;
    policies =
        Stream.of("append", "decay", "refit", "replace", "auto")
            .filter(policy -> settings(Map.of("update.policy", policy)).isPresent())
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

  /** So many settings drawn at random around the given ones. */
  public static List<Candidate> draw(ModelSettings given, SettingsVariants variants, int count) {
    SearchSpace space = new SearchSpace(given, variants);
    return IntStream.rangeClosed(1, count).mapToObj(space::draw).toList();
  }

  private Candidate draw(int number) {
    SplittableRandom random =
        new SplittableRandom(given.booster().seed() ^ number * 0x9E3779B97F4A7C15L).split();
    for (int draw = 0; draw < PATIENCE; draw++) {
      Map<String, String> keys = keys(random);
      Optional<ModelSettings> settings = settings(keys);
      if (settings.isPresent()) {
        StringJoiner name = new StringJoiner(" ", "#" + number + " ", "");
        keys.forEach((key, value) -> name.add(key.substring(key.indexOf('.') + 1) + "=" + value));
        return new Candidate(name.toString(), settings.get());
      }
    }
    throw new IllegalStateException("no settings near those of " + given.name() + " are allowed");
  }

  private Map<String, String> keys(SplittableRandom random) {
    Map<String, String> keys = new LinkedHashMap<>();
    int rows = whole(random, 50, 4_000);
    keys.put("window.rows", "" + rows);
    keys.put("window.maxRows", "" + 4 * rows);
    keys.put("window.memoryRows", "" + Math.min(50_000, rows * whole(random, 1, 20)));
    keys.put("trees.rounds", "" + whole(random, 2, 40));
    keys.put("trees.learningRate", "" + rounded(between(random, 0.02, 0.4)));
    keys.put("trees.maxLeaves", "" + whole(random, 4, 64));
    keys.put("trees.minRows", "" + whole(random, 5, 80));
    keys.put("trees.lambda", "" + rounded(between(random, 0.1, 100)));
    keys.put("update.maxTrees", "" + whole(random, 50, 1_000));
    String policy = policies.get(random.nextInt(policies.size()));
    keys.put("update.policy", policy);
    if (policy.equals("auto")) { // windows and memory are its own
      keys.keySet().removeIf(key -> key.startsWith("window."));
    }
    if (anchored && !given.strength().auto()) {
      keys.put("gamma", "" + List.of(1, 2, 4, 7, 12).get(random.nextInt(5)));
    }
    return keys;
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
