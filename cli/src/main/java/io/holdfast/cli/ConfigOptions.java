package io.holdfast.cli;

import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The configuration file, and which of its models is meant. */
final class ConfigOptions {
  private static final String VARIABLE = "HOLDFAST_CONFIG";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration file (default: the environment variable HOLDFAST_CONFIG).")
  private @Nullable Path config;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model of the configuration that is meant (default: the only one).")
  private @Nullable String model;

  /** Whether a file was named, on the command line or in the environment. */
  boolean given() {
    return file() != null;
  }

  /** Whether a file was named on the command line. */
  boolean named() {
    return config != null;
  }

  private @Nullable Path file() {
    String variable = System.getenv(VARIABLE);
    return config != null || variable == null ? config : Path.of(variable);
  }

  /**
   * Reads the file.
   *
   * @throws CommandException if none was named
   * @throws io.holdfast.schemas.settings.SettingsException if it is not right
   */
  Settings settings() {
    Path file = file();
    if (file == null) {
      throw CommandException.usage(
          "a configuration is needed: name its file with --config or in " + VARIABLE);
    }
    return Settings.read(file, System.getenv());
  }

  /**
   * The model that is meant.
   *
   * @throws CommandException if there is none of that name, or several and no name
   */
  ModelSettings model(Settings settings) {
    Map<String, ModelSettings> models = settings.models();
    if (model == null) {
      if (models.size() > 1) {
        throw CommandException.usage(
            "%s has several models, so name one with --model: %s",
            file(), String.join(", ", models.keySet()));
      }
      return models.values().iterator().next();
    }
    ModelSettings named = models.get(model);
    if (named == null) {
      throw CommandException.usage(
          "%s has no model %s%s; it has %s",
          file(),
          model,
          Suggestion.closest(model, models.keySet())
              .map(close -> " (did you mean " + close + "?)")
              .orElse(""),
          String.join(", ", models.keySet()));
    }
    return named;
  }
}
