package io.holdfast.cli;

import io.holdfast.cli.data.DataFile;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags that say what a model is. Each sets a key of the configuration file, so names, defaults
 * and checks are the same; a mistake is said in terms of the flag.
 */
final class ModelOptions {
  /** Flags by the key that they set, below {@code holdfast.models.NAME}. */
  private static final Map<String, String> FLAG_OF_KEY =
      Map.ofEntries(
          Map.entry("label", "--label"),
          Map.entry("environment", "--environment"),
          Map.entry("weight", "--weight"),
          Map.entry("time", "--time"),
          Map.entry("id", "--id"),
          Map.entry("features.include", "--features"),
          Map.entry("features.exclude", "--exclude"),
          Map.entry("features.categorical", "--categorical"),
          Map.entry("objective", "--objective"),
          Map.entry("gamma", "--gamma"),
          Map.entry("trees.rounds", "--rounds"),
          Map.entry("trees.learningRate", "--learning-rate"),
          Map.entry("trees.maxLeaves", "--max-leaves"),
          Map.entry("trees.maxDepth", "--max-depth"),
          Map.entry("trees.minGain", "--min-gain"),
          Map.entry("trees.minRows", "--min-rows"),
          Map.entry("trees.minHessian", "--min-hessian"),
          Map.entry("trees.lambda", "--lambda"),
          Map.entry("trees.maxBins", "--max-bins"),
          Map.entry("seed", "--seed"),
          Map.entry("window.rows", "--window"),
          Map.entry("window.environments", "--window-environments"),
          Map.entry("window.memoryRows", "--memory"),
          Map.entry("update.maxTrees", "--max-trees"));

  private static final Set<String> COLUMN_KEYS =
      Set.of(
          "label",
          "environment",
          "weight",
          "time",
          "id",
          "features.include",
          "features.exclude",
          "features.categorical");

  private final Map<String, String> values = new LinkedHashMap<>();

  // --- columns

  @Option(
      names = "--label",
      order = 11,
      paramLabel = "COLUMN",
      description = "The column to predict. A row where it is empty is not learned from.")
  void label(@Nullable String column) {
    set("label", column);
  }

  @Option(
      names = "--environment",
      order = 12,
      paramLabel = "COLUMN",
      description = "The environment of a row: a season, a site, a customer group. Not a feature.")
  void environment(@Nullable String column) {
    set("environment", column);
  }

  @Option(
      names = "--weight",
      order = 13,
      paramLabel = "COLUMN",
      description = "What a row counts in training, above 0 (default: all rows count 1).")
  void weight(@Nullable String column) {
    set("weight", column);
  }

  @Option(
      names = "--time",
      order = 14,
      paramLabel = "COLUMN",
      description = "The time of a row. Not a feature.")
  void time(@Nullable String column) {
    set("time", column);
  }

  @Option(
      names = "--id",
      order = 15,
      paramLabel = "COLUMN",
      description = "A row's identity. Not a feature.")
  void id(@Nullable String column) {
    set("id", column);
  }

  @Option(
      names = "--features",
      order = 16,
      paramLabel = "COLUMN,...",
      description = "The features (default: every column that has no other role).")
  void features(@Nullable String columns) {
    set("features.include", columns);
  }

  @Option(
      names = "--exclude",
      order = 17,
      paramLabel = "COLUMN,...",
      description = "Columns that are no features.")
  void exclude(@Nullable String columns) {
    set("features.exclude", columns);
  }

  @Option(
      names = "--categorical",
      order = 18,
      paramLabel = "COLUMN,...",
      description = "Columns of numbers that are names; columns of text are without saying.")
  void categorical(@Nullable String columns) {
    set("features.categorical", columns);
  }

  // --- objective and trees

  @Option(
      names = "--objective",
      order = 19,
      paramLabel = "NAME",
      description = "squared, logistic or probit.")
  void objective(@Nullable String name) {
    set("objective", name);
  }

  @Option(
      names = "--gamma",
      order = 20,
      paramLabel = "NUMBER",
      description =
          "Protection against shifts between environments; 1 is plain boosting (default: 1).")
  void gamma(@Nullable String gamma) {
    set("gamma", gamma);
  }

  @Option(
      names = "--rounds",
      order = 21,
      paramLabel = "N",
      description = "Trees to grow: in all by fit, a window by backtest (default: 10).")
  void rounds(@Nullable String rounds) {
    set("trees.rounds", rounds);
  }

  @Option(
      names = "--learning-rate",
      order = 22,
      paramLabel = "NUMBER",
      description = "What each tree's step is multiplied by, up to 1 (default: 0.1).")
  void learningRate(@Nullable String rate) {
    set("trees.learningRate", rate);
  }

  @Option(
      names = "--max-leaves",
      order = 23,
      paramLabel = "N",
      description = "Leaves of a tree at most (default: 31).")
  void maxLeaves(@Nullable String leaves) {
    set("trees.maxLeaves", leaves);
  }

  @Option(
      names = "--max-depth",
      order = 24,
      paramLabel = "N",
      description = "Splits from root to leaf at most (default: 6).")
  void maxDepth(@Nullable String depth) {
    set("trees.maxDepth", depth);
  }

  @Option(
      names = "--min-gain",
      order = 25,
      paramLabel = "NUMBER",
      description =
          "What a split must gain, half of what LightGBM calls min_gain_to_split (default: 0).")
  void minGain(@Nullable String gain) {
    set("trees.minGain", gain);
  }

  @Option(
      names = "--min-rows",
      order = 26,
      paramLabel = "N",
      description = "Rows in a leaf at least (default: 20).")
  void minRows(@Nullable String rows) {
    set("trees.minRows", rows);
  }

  @Option(
      names = "--min-hessian",
      order = 27,
      paramLabel = "NUMBER",
      description = "Sum of hessians in a leaf at least (default: 0.001).")
  void minHessian(@Nullable String hessian) {
    set("trees.minHessian", hessian);
  }

  @Option(
      names = "--lambda",
      order = 28,
      paramLabel = "NUMBER",
      description = "Ridge penalty on leaf values (default: 1).")
  void lambda(@Nullable String lambda) {
    set("trees.lambda", lambda);
  }

  @Option(
      names = "--max-bins",
      order = 29,
      paramLabel = "N",
      description = "Bins of a feature at most (default: 255).")
  void maxBins(@Nullable String bins) {
    set("trees.maxBins", bins);
  }

  @Option(
      names = "--seed",
      order = 30,
      paramLabel = "N",
      description = "Of everything random; equal seeds give equal models (default: 1).")
  void seed(@Nullable String seed) {
    set("seed", seed);
  }

  /** Sets a key; null is a flag that was not given. */
  void set(String key, @Nullable String value) {
    if (value != null) {
      values.put(key, value);
    }
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether a key was set. */
  @Nullable String get(String key) {
    return values.get(key);
  }

  /** What a key is called in messages. */
  static String flag(String key) {
    return FLAG_OF_KEY.getOrDefault(key, key);
  }

  /** Columns whose values are names even if they look like numbers. */
  Set<String> textColumns() {
    Set<String> columns = new LinkedHashSet<>(names("features.categorical"));
    columns.addAll(names("environment"));
    return columns;
  }

  private List<String> names(String key) {
    String value = values.get(key);
    List<String> names = new ArrayList<>();
    for (String name : value == null ? new String[0] : value.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }

  /**
   * The settings of a model for the rows of a file.
   *
   * @throws CommandException if a flag names a column that the file does not have
   * @throws io.holdfast.schemas.settings.SettingsException if a flag has a wrong value
   */
  ModelSettings settings(String name, DataFile data) {
    Map<String, String> keys = new LinkedHashMap<>(values);
    for (String key : values.keySet()) {
      if (COLUMN_KEYS.contains(key)) {
        List<String> fields = new ArrayList<>();
        for (String column : names(key)) {
          fields.add(Columns.field(data, column, flag(key)));
        }
        keys.put(key, String.join(",", fields));
      }
    }
    return ModelSettings.of(name, keys, ModelOptions::flag);
  }
}
