package io.holdfast.cli.learn;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.GammaLadder;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.cli.coverage.OfflineUncertainty;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.cli.learn.ModelColumns.Leniency;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.CategoryDictionary;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A model fitted to a file, with the gamma in {@code settings}; no {@code choice} if it was given.
 */
public record OfflineFit(
    ModelSettings settings,
    FileRows training,
    @Nullable GammaChoice choice,
    Fit fit,
    List<OfflineTest> tests,
    List<String> notes) {

  /**
   * Rows to fit to, which decide what columns hold, to test on, and to tell when to stop; {@code
   * timed} if the times of the first are wanted.
   */
  public record Files(
      DataFile training,
      List<DataSource> tests,
      @Nullable HeldOut heldOut,
      Leniency leniency,
      boolean timed) {}

  /** The labelled rows of a file, what its columns are to a model, and notes on both. */
  public record Data(List<Feature> features, FileRows rows, List<String> notes) {
    /** Reads rows of some environments, with their times if they are wanted. */
    public static Data read(
        ModelSettings settings, DataFile file, Predicate<String> environments, boolean timed) {
      List<Feature> bare = RecordLayout.features(settings, file.schema());
      file.checkFeatures(ModelColumns.fields(bare));
      List<String> notes = new ArrayList<>(file.notes(ModelColumns.whole(bare)));
      notes.addAll(RecordLayout.leftOut(settings, file.schema()));
      CategoryDictionary dictionary = new CategoryDictionary(bare);
      FileRows rows = FileRows.training(file, settings, bare, dictionary, environments, timed);
      dictionary
          .leftOut()
          .forEach(
              (field, values) ->
                  notes.add(CategoryDictionary.leftOutNote(ColumnName.of(field), values)));
      return new Data(dictionary.features(), rows, List.copyOf(notes));
    }
  }

  /** Fits a model. */
  public static OfflineFit of(Recipe recipe, Files files, Recipe.Watch watch) {
    ModelSettings settings = recipe.settings();
    DataFile file = files.training();
    HeldOut heldOut = files.heldOut();
    Data data =
        Data.read(
            settings, file, heldOut == null ? FileRows.ALL : heldOut.trainedOn(), files.timed());
    FileRows training = data.rows();
    List<Feature> features = data.features();
    List<String> notes = new ArrayList<>(data.notes());
    ModelColumns columns = ModelColumns.toTest(features, settings, files.leniency());
    HeldOut.Stopping stopping =
        heldOut == null ? null : heldOut.stopping(file, settings, features, columns);
    List<HeldFile> tests = new ArrayList<>();
    files.tests().forEach(path -> tests.add(columns.open(path)));
    notes.addAll(stopping == null ? List.of() : stopping.notes());
    tests.forEach(test -> notes.addAll(test.unseen().notes()));
    try {
      EarlyStopping early = stopping == null ? null : stopping.early();
      Recipe.Made made = recipe.fit(features, training.rows(), early, watch);
      Fit fit = made.fit();
      Double strength = fit.linearStrength();
      if (strength != null) {
        notes.add(
            Sentence.of("the linear base has strength %.4g, chosen by cross-validation", strength));
      }
      ModelSettings fitted = made.settings();
      List<OfflineTest> results =
          tests.stream().map(test -> OfflineTest.of(fit.model(), fitted, test)).toList();
      results.forEach(test -> notes.addAll(test.notes()));
      return new OfflineFit(fitted, training, made.choice(), fit, results, List.copyOf(notes));
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  /** The same trees with the leaf values of the ladder's other gammas. */
  List<GammaVariant> rungs() {
    List<GammaVariant> rungs = new ArrayList<>();
    if (!settings.strength().ladder().isEmpty()) {
      BoosterSettings booster = settings.booster();
      rungs.addAll(
          new GammaLadder(settings.strength().ladder()).of(booster, model(), training.rows()));
      rungs.removeIf(rung -> rung.gamma() == booster.gamma());
    }
    return rungs;
  }

  /** How sure its scores are, as far as that is asked for and there are rows enough to tell. */
  OfflineUncertainty.Learned sure() {
    BoosterSettings booster =
        settings.booster().toBuilder().rounds(Math.max(1, fit.bestRound())).build();
    return OfflineUncertainty.of(settings, booster, model().features(), training.rows());
  }

  public Model model() {
    return fit.model();
  }
}
