package io.holdfast.cli.options;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.SettingsVariants;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** A file of rows, with labels in them, the model that flags or configuration say, and variants. */
public record ModelledFile(DataFile file, ModelSettings settings, SettingsVariants variants) {

  /** Opens a file; a model that flags say is called {@code name}. */
  public static ModelledFile of(
      String name, DataSource path, ModelOptions flags, ConfigOptions config) {
    if (flags.isEmpty() && config.given()) {
      ModelSettings configured = config.model(config.settings());
      return new ModelledFile(
          DataFile.open(path, reading(configured)),
          configured.withLabelsInRecord(),
          keys -> config.model(keys).withLabelsInRecord());
    }
    CommandException.usageIf(
        config.named(), "a model is said by --config or by flags, not by both: leave one out");
    FileHeader header = FileHeader.of(path);
    SettingsVariants variants = keys -> flags.settings(name, header, keys);
    ModelSettings settings = variants.with(Map.of());
    return new ModelledFile(DataFile.open(path, reading(settings)), settings, variants);
  }

  /** How a model reads a file that decides what its columns hold. */
  public static Reading reading(ModelSettings settings) {
    Set<String> text = new LinkedHashSet<>(settings.features().categorical());
    if (settings.environment() != null) {
      text.add(settings.environment());
    }
    return new Reading(text, MissingWords.of(settings.features().missing()));
  }
}
