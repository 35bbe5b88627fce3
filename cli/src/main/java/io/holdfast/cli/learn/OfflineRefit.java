package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.leaf.LeafRefit;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.Collections;
import java.util.List;

/** A model whose leaf values were learned again from a file, as {@code decay} and gamma say. */
public record OfflineRefit(
    LedgerVersion from,
    FileRows training,
    LeafRefit.Refitted refitted,
    double decay,
    double gamma,
    Evaluation before,
    Evaluation after) {

  /** What a model was fitted with; throws DataException if its manifest does not say. */
  public static ModelSettings settings(LedgerVersion model, Object file) {
    try {
      return ModelSettings.ofTrainingJson(
          model.manifest().getModel(), model.manifest().getSettings());
    } catch (SettingsException e) {
      throw new DataException(
          "the model in %s does not say what it was fitted with: %s", file, e.getMessage());
    }
  }

  /** Refits a model with a decay from 0 to 1; a gamma of 1 is the plain refit. */
  public static OfflineRefit of(
      ModelSettings settings, LedgerVersion from, DataFile file, double decay, double gamma) {
    Model model = from.model();
    FileRows training = FileRows.training(file, settings, model.features());
    try {
      BoosterSettings booster = settings.booster().toBuilder().gamma(gamma).build();
      LeafRefit.Refitted refitted = new Booster(booster).refit(model, training.rows(), decay);
      return new OfflineRefit(
          from,
          training,
          refitted,
          decay,
          gamma,
          evaluation(model, training.rows(), settings.classes()),
          evaluation(refitted.model(), training.rows(), settings.classes()));
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  public Model model() {
    return refitted.model();
  }

  private static Evaluation evaluation(Model model, Rows rows, List<String> classes) {
    List<Objective> objectives = Collections.nCopies(rows.size(), model.objective());
    return Evaluation.of(objectives, rows, Scorer.of(model).scores(rows), classes);
  }
}
