package io.holdfast.cli.options;

import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The configuration file, and which of its models is meant. */
public final class ConfigOptions {
  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model of the configuration that is meant (default: the only one).")
  private @Nullable String model;

  /** Whether a file was named, on the command line or in the environment. */
  public boolean given() {
    return config.given();
  }

  /** Whether a file was named on the command line. */
  boolean named() {
    return config.named();
  }

  /** The file; null if none was named. */
  public @Nullable Path path() {
    return config.path();
  }

  /** Reads the file, as {@link ConfigFile#settings} says. */
  public Settings settings() {
    return config.settings();
  }

  /**
   * The model that is meant.
   *
   * @throws CommandException if there is none of that name, or several and no name
   */
  public ModelSettings model(Settings settings) {
    return settings.model(modelName(settings));
  }

  /** The same, with keys set over those of the file. */
  public ModelSettings model(Map<String, String> changes) {
    String name = modelName(settings());
    return config.settings(name, changes).model(name);
  }

  private String modelName(Settings settings) {
    Map<String, ModelSettings> models = settings.models();
    if (model == null) {
      if (models.size() > 1) {
        throw CommandException.usage(
            "%s has several models, so name one with --model: %s",
            config, String.join(", ", models.keySet()));
      }
      return models.keySet().iterator().next();
    }
    if (!models.containsKey(model)) {
      throw CommandException.usage(
          "%s has no model %s%s; it has %s",
          config,
          model,
          Suggestion.closest(model, models.keySet())
              .map(close -> " (did you mean " + close + "?)")
              .orElse(""),
          String.join(", ", models.keySet()));
    }
    return model;
  }
}
