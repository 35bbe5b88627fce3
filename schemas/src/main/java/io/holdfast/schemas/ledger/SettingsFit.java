package io.holdfast.schemas.ledger;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.List;
import java.util.Optional;

/**
 * Whether settings still fit a model that was begun with other ones. A model's objective and
 * features are decided once, with version 0; what else the settings say may change between windows.
 * Stateless.
 */
public final class SettingsFit {
  private SettingsFit() {}

  /** Checks the settings against the version that serves. */
  public static void check(ModelSettings settings, LedgerVersion serving) {
    Model model = serving.model();
    // What was learned is the version's own; what was configured must be the same.
    if (!model.objective().unfitted().equals(settings.booster().objective().unfitted())) {
      throw mismatch(
          settings,
          serving,
          "objective",
          ModelSettings.described(settings.booster().objective()),
          ModelSettings.described(model.objective()));
    }
    List<String> classes = serving.classes().names();
    if (!classes.isEmpty() && !classes.equals(settings.classes())) {
      String configured = String.join(", ", settings.classes());
      throw mismatch(
          settings,
          serving,
          "classes",
          configured.isEmpty() ? "no list of names" : configured,
          String.join(", ", classes));
    }
    for (Feature feature : model.features()) {
      String name = feature.name();
      if (covers(settings.features().exclude(), name)) {
        throw mismatch(settings, serving, "features.exclude", name, "that feature");
      }
      if (!settings.features().include().isEmpty()
          && !covers(settings.features().include(), name)) {
        throw mismatch(
            settings,
            serving,
            "features.include",
            String.join(", ", settings.features().include()),
            "the feature " + name);
      }
      if (feature instanceof Feature.Numeric && covers(settings.features().categorical(), name)) {
        throw mismatch(settings, serving, "features.categorical", name, "it as a number");
      }
    }
    for (String path : settings.features().include()) {
      if (model.features().stream().noneMatch(feature -> covers(List.of(path), feature.name()))) {
        throw mismatch(settings, serving, "features.include", path, "no such feature");
      }
    }
  }

  /** The same as a sentence; empty if they fit. */
  public static Optional<String> problem(ModelSettings settings, LedgerVersion serving) {
    try {
      check(settings, serving);
      return Optional.empty();
    } catch (SettingsException e) {
      return Optional.of(String.join("; ", e.problems()));
    }
  }

  private static boolean covers(List<String> paths, String name) {
    return paths.stream().anyMatch(path -> name.equals(path) || name.startsWith(path + "."));
  }

  private static SettingsException mismatch(
      ModelSettings settings, LedgerVersion serving, String key, String value, String found) {
    return new SettingsException(
        Sentence.of(
            "holdfast.models.%s.%s is %s, but version %d on the model topic was trained with %s:"
                + " put the setting back, or give the model a new name.",
            settings.name(), key, value, serving.number(), found));
  }
}
