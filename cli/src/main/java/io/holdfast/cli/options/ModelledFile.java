package io.holdfast.cli.options;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.LearnedClasses;
import io.holdfast.cli.learn.SettingsVariants;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A file of rows, with labels in them, the model that flags or configuration say, and variants, all
 * with the classes that the labels name where nobody says them; and notes on these.
 */
public record ModelledFile(
    DataFile file, ModelSettings settings, SettingsVariants variants, List<String> notes) {
  private static final List<String> COUNTED = List.of("softmax", "ordinal");

  /**
   * Opens a file; a model that flags say is called {@code name}.
   *
   * @param counted is run once it is known how many classes there are, before flags are read
   */
  public static ModelledFile of(
      String name, DataSource path, ModelOptions flags, ConfigOptions config, Runnable counted) {
    if (flags.isEmpty() && config.given()) {
      ModelSettings configured = config.model(config.settings());
      DataFile file = DataFile.open(path, reading(configured));
      return of(
          file,
          keys -> (keys.isEmpty() ? configured : config.model(keys)).withLabelsInRecord(),
          LearnedClasses.of(file, configured, false));
    }
    CommandException.usageIf(
        config.named(), "a model is said by --config or by flags, not by both: leave one out");
    FileHeader header = FileHeader.of(path);
    SettingsVariants variants = keys -> flags.settings(name, header, keys);
    boolean unknown =
        COUNTED.contains(flags.get("objective")) && flags.get(ModelKeys.CLASSES.path()) == null;
    if (unknown) {
      String weights = flags.get(ModelKeys.CLASS_WEIGHTS.path());
      int few = weights == null ? 2 : Math.max(2, weights.split(",", -1).length);
      flags.set(ModelKeys.CLASSES.path(), String.valueOf(few)); // until they are counted
    }
    counted.run();
    ModelSettings settings = variants.with(Map.of());
    DataFile file = DataFile.open(path, reading(settings));
    LearnedClasses classes = LearnedClasses.of(file, settings, unknown);
    if (unknown) {
      flags.set(ModelKeys.CLASSES.path(), String.valueOf(Math.max(2, classes.count())));
      counted.run();
    }
    return of(file, variants, classes);
  }

  private static ModelledFile of(DataFile file, SettingsVariants variants, LearnedClasses learned) {
    SettingsVariants named =
        learned.names().isEmpty()
            ? variants
            : keys -> variants.with(keys).withClasses(learned.names());
    return new ModelledFile(file, named.with(Map.of()), named, learned.notes());
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
