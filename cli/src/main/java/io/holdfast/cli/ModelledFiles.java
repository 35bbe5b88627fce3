package io.holdfast.cli;

import io.holdfast.boosting.data.Feature;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.learn.SettingsVariants;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.settings.ModelSettings;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Files of rows and the model that is meant for them: said by flags, or one of the configuration.
 *
 * @param files in the order that they were named
 * @param settings with labels in the rows, wherever they come from on Kafka
 * @param variants of the model for these rows
 */
record ModelledFiles(List<DataFile> files, ModelSettings settings, SettingsVariants variants) {

  /**
   * Opens files and makes sense of the model.
   *
   * @param name of a model that flags say
   * @throws CommandException if both say a model, or a flag names a column that is not there
   * @throws io.holdfast.schemas.settings.SettingsException if the model is not right
   * @throws io.holdfast.cli.data.DataException if a file cannot be read
   */
  static ModelledFiles of(String name, List<Path> paths, ModelOptions flags, ConfigOptions config) {
    if (flags.isEmpty() && config.given()) {
      ModelSettings configured = config.model(config.settings());
      return new ModelledFiles(
          DataFile.openAll(paths, textColumns(configured)),
          configured.withLabelsInRecord(),
          keys -> config.model(keys).withLabelsInRecord());
    }
    if (config.named()) {
      throw CommandException.usage(
          "a model is said by --config or by flags, not by both: leave one out");
    }
    FileHeader header = FileHeader.of(paths.getFirst());
    SettingsVariants variants = keys -> flags.settings(name, header, keys);
    ModelSettings settings = variants.with(Map.of());
    return new ModelledFiles(DataFile.openAll(paths, textColumns(settings)), settings, variants);
  }

  /** Which columns of the first file are hardly meant to be features as they are: sentences. */
  List<String> doubts() {
    DataFile rows = files.getFirst();
    return rows.doubts(
        RecordLayout.features(settings, rows.schema()).stream()
            .map(Feature::name)
            .collect(Collectors.toSet()));
  }

  /** Columns of a model whose values are names even if they look like numbers. */
  static Set<String> textColumns(ModelSettings settings) {
    Set<String> columns = new LinkedHashSet<>(settings.features().categorical());
    if (settings.environment() != null) {
      columns.add(settings.environment());
    }
    return columns;
  }
}
