package io.holdfast.cli.exchange;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.options.Version;
import io.holdfast.cli.print.Json;
import io.holdfast.exchange.ModelImport;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignModel;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model of another program as version 0 of one of ours, with the records that publish it and
 * notes on what is otherwise than there.
 */
public record ImportedVersion(String program, LedgerCodec.Encoded encoded, List<String> notes) {
  private static final String NAME = "imported";
  static final String LABEL = "label";

  /** Reads the version of a model file of ours, or of one of another program. */
  public static LedgerVersion read(Path file) throws IOException {
    return Files.isRegularFile(file) && ModelImport.isForeign(file)
        ? of(file, LABEL, List.of()).encoded().version()
        : OfflineModel.read(file);
  }

  /**
   * Reads a file of another program, as a model that predicts the column {@code label}; {@code
   * classes} are names in place of the file's own, or none.
   */
  static ImportedVersion of(Path file, String label, List<String> classes) throws IOException {
    ForeignModel foreign;
    try {
      foreign = ModelImport.read(file);
    } catch (ExchangeException e) {
      throw new DataException("%s", e.getMessage());
    }
    try {
      String settings =
          ModelSettings.ofTrainingJson(
                  NAME,
                  json(foreign.model(), label, classes.isEmpty() ? foreign.classes() : classes))
              .trainingJson();
      LedgerCodec.Encoded encoded =
          LedgerCodec.encode(
              LedgerCodec.Draft.first(NAME, foreign.model(), 1, 0, settings, Version.number()));
      return new ImportedVersion(foreign.program(), encoded, foreign.notes());
    } catch (SettingsException | IllegalArgumentException e) {
      throw new DataException("%s cannot be taken over: %s", file, e.getMessage());
    }
  }

  private static void checkCount(List<String> classes, Objective objective) {
    if (classes.size() != objective.classes()) {
      throw new SettingsException(
          Sentence.of(
              "--classes must name the %d classes of objective %s: %s",
              objective.classes(), objective.name(), String.join(", ", classes)));
    }
  }

  /** What settings say of it: the rest is at its default. */
  private static String json(Model model, String label, List<String> classes) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("objective", model.objective().name());
    model
        .objective()
        .parameters()
        .forEach(
            (key, value) ->
                settings.put(key, key.equals("classes") ? (Object) value.intValue() : value));
    if (!classes.isEmpty()) {
      checkCount(classes, model.objective());
      settings.put("classes", classes);
    }
    settings.put("label", label);
    List<String> categorical =
        model.features().stream()
            .filter(Feature.Categorical.class::isInstance)
            .map(Feature::name)
            .toList();
    settings.put("features", Map.of("categorical", categorical));
    return Json.line(settings);
  }
}
