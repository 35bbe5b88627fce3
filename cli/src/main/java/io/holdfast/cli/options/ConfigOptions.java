package io.holdfast.cli.options;

import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The configuration file, and which of its models is meant. */
public final class ConfigOptions extends ConfigFile {
  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model of the configuration that is meant (default: the only one).")
  private @Nullable String model;

  @Override
  boolean named() {
    return super.named() || (model != null && given());
  }

  public ModelSettings model(Settings settings) {
    return settings.model(modelName(settings));
  }

  /** The same, with keys set over those of the file. */
  public ModelSettings model(Map<String, String> changes) {
    String name = modelName(settings());
    return settings(name, changes).model(name);
  }

  private String modelName(Settings settings) {
    Map<String, ModelSettings> models = settings.models();
    if (model == null) {
      if (models.size() > 1) {
        throw CommandException.usage(
            "%s has several models, so name one with --model: %s",
            path(), String.join(", ", models.keySet()));
      }
      return models.keySet().iterator().next();
    }
    if (!models.containsKey(model)) {
      throw CommandException.usage(
          "%s has no model %s%s; it has %s",
          path(),
          model,
          Suggestion.aside(model, models.keySet()),
          String.join(", ", models.keySet()));
    }
    return model;
  }
}
