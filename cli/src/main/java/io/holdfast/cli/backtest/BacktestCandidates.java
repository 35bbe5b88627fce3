package io.holdfast.cli.backtest;

import static java.util.function.Predicate.not;

import io.holdfast.boosting.data.Feature;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.SettingsVariants;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.ModelOptions;
import io.holdfast.cli.options.ModelledFile;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The models of a backtest: one, or every combination of alternatives, and notes. */
record BacktestCandidates(
    DataFile file,
    ModelSettings given,
    SettingsVariants variants,
    List<Candidate> all,
    List<String> notes) {
  /** Flags that take alternatives, separated by commas. */
  private static final List<String> LISTED = List.of("update.policy", "gamma");

  static BacktestCandidates of(
      DataSource data, ModelOptions flags, ConfigOptions config, List<String> compared) {
    Map<String, List<String>> alternatives = alternatives(flags, compared);
    ModelledFile input = ModelledFile.of("backtest", data, flags, config, () -> {});
    List<Candidate> all = combined(alternatives, input.variants());
    List<Feature> features = RecordLayout.features(input.settings(), input.file().schema());
    input.file().checkFeatures(ModelColumns.fields(features));
    List<String> notes = new ArrayList<>(input.notes());
    notes.addAll(input.file().notes(ModelColumns.whole(features)));
    notes.addAll(RecordLayout.leftOut(input.settings(), input.file().schema()));
    return new BacktestCandidates(
        input.file(), all.getFirst().settings(), input.variants(), all, notes);
  }

  static List<Candidate> combined(
      ModelOptions flags, List<String> compared, SettingsVariants variants) {
    Map<String, List<String>> alternatives = alternatives(flags, compared);
    variants.with(Map.of()); // mistakes in flags are said first, and by flag
    return combined(alternatives, variants);
  }

  private static List<Candidate> combined(
      Map<String, List<String>> alternatives, SettingsVariants variants) {
    List<Candidate> all = new ArrayList<>();
    for (Map<String, String> keys : combinations(alternatives)) {
      ModelSettings settings = variants.with(keys);
      all.add(new Candidate(name(keys, settings), settings));
    }
    return List.copyOf(all);
  }

  /** Takes the alternatives out of flags and {@code KEY=VALUE,...}. */
  private static Map<String, List<String>> alternatives(ModelOptions flags, List<String> compared) {
    Map<String, List<String>> alternatives = new LinkedHashMap<>();
    for (String key : LISTED) {
      String value = flags.get(key);
      if (value != null && value.contains(",")) {
        alternatives.put(key, items(value));
        flags.set(key, items(value).getFirst());
      }
    }
    for (String text : compared) {
      int equals = text.indexOf('=');
      List<String> values = equals < 1 ? List.of() : items(text.substring(equals + 1));
      CommandException.usageIf(
          values.isEmpty(),
          "--compare must be a key of the model and its values, as in window.rows=500,1000: %s",
          text);
      alternatives.put(text.substring(0, equals), values);
    }
    return alternatives;
  }

  private static List<String> items(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(not(String::isEmpty))
        .toList();
  }

  private static String name(Map<String, String> keys, ModelSettings settings) {
    if (keys.isEmpty()) {
      return settings.update().policy();
    }
    List<String> parts = new ArrayList<>();
    keys.forEach(
        (key, value) -> parts.add(key.equals("update.policy") ? value : key + " " + value));
    return String.join(", ", parts);
  }

  private static List<Map<String, String>> combinations(Map<String, List<String>> alternatives) {
    List<Map<String, String>> combinations = List.of(Map.of());
    for (var one : alternatives.entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> before : combinations) {
        for (String value : one.getValue()) {
          Map<String, String> with = new LinkedHashMap<>(before);
          with.put(one.getKey(), value);
          longer.add(with);
        }
      }
      combinations = longer;
    }
    return combinations;
  }
}
