package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.GammaLadder;
import io.holdfast.boosting.select.GammaSearch;
import io.holdfast.boosting.select.GammaSearch.SearchListener;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.boosting.select.GroupDro;
import io.holdfast.boosting.select.WorstEnvironmentLeaves;
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

  /** Rows to fit to, which decide what columns hold, to test on, and to tell when to stop. */
  public record Files(
      DataFile training, List<DataSource> tests, @Nullable HeldOut heldOut, Leniency leniency) {}

  public record Watch(SearchListener search, FitListener fit) {}

  /** Fits a model; a null {@code search} takes the gamma of the settings. */
  public static OfflineFit of(
      ModelSettings settings,
      Files files,
      @Nullable GammaSearch search,
      Robustly robustly,
      Watch watch) {
    DataFile file = files.training();
    HeldOut heldOut = files.heldOut();
    List<Feature> bare = RecordLayout.features(settings, file.schema());
    file.checkFeatures(ModelColumns.fields(bare));
    List<String> notes = new ArrayList<>(file.notes(ModelColumns.whole(bare)));
    notes.addAll(RecordLayout.leftOut(settings, file.schema()));
    CategoryDictionary dictionary = new CategoryDictionary(bare);
    FileRows training =
        FileRows.training(
            file, settings, bare, dictionary, heldOut == null ? FileRows.ALL : heldOut.trainedOn());
    dictionary
        .leftOut()
        .forEach(
            (field, values) ->
                notes.add(CategoryDictionary.leftOutNote(ColumnName.of(field), values)));
    List<Feature> features = dictionary.features();
    ModelColumns columns = ModelColumns.toTest(features, settings, files.leniency());
    HeldOut.Stopping stopping =
        heldOut == null ? null : heldOut.stopping(file, settings, features, columns);
    List<HeldFile> tests = new ArrayList<>();
    files.tests().forEach(path -> tests.add(columns.open(path)));
    notes.addAll(stopping == null ? List.of() : stopping.notes());
    tests.forEach(test -> notes.addAll(test.unseen().notes()));
    try {
      BoosterSettings booster = settings.booster();
      GammaChoice choice =
          search == null ? null : search.choose(booster, features, training.rows(), watch.search());
      if (choice != null) {
        booster = choice.appliedTo(booster);
      }
      EarlyStopping early = stopping == null ? null : stopping.early();
      Fit fit = fit(booster, features, training.rows(), early, robustly, watch.fit());
      Double strength = fit.linearStrength();
      if (strength != null) {
        notes.add(
            Sentence.of("the linear base has strength %.4g, chosen by cross-validation", strength));
      }
      ModelSettings fitted = choice == null ? settings.with(booster) : settings.withChosen(booster);
      List<OfflineTest> results =
          tests.stream().map(test -> OfflineTest.of(fit.model(), fitted, test)).toList();
      results.forEach(test -> notes.addAll(test.notes()));
      return new OfflineFit(fitted, training, choice, fit, results, List.copyOf(notes));
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  private static Fit fit(
      BoosterSettings settings,
      List<Feature> features,
      Rows rows,
      @Nullable EarlyStopping stopping,
      Robustly robustly,
      FitListener listener) {
    if (robustly instanceof Robustly.GroupDro(double step)) {
      GroupDro.Weighted weighted = new GroupDro(step, 1).fit(settings, features, rows, listener);
      return new Fit(
          weighted.model(),
          weighted.losses(),
          List.of(),
          settings.rounds(),
          0,
          List.of(),
          null,
          null);
    }
    Model untrained = Booster.untrained(settings, features);
    Fit fit = new Booster(settings).extend(untrained, features, rows, stopping, listener);
    if (!(robustly instanceof Robustly.WorstLeaves(int turns))) {
      return fit;
    }
    Model moved = new WorstEnvironmentLeaves(turns, 0.5, 1).of(settings, fit.model(), rows).model();
    List<AnchorLoss> losses = new ArrayList<>(fit.losses());
    losses.set(fit.bestRound(), loss(moved, rows));
    return new Fit(
        moved,
        losses,
        fit.validationLosses(),
        fit.bestRound(),
        fit.safeguards(),
        fit.leftOut(),
        fit.linearStrength(),
        null);
  }

  /** The plain loss: the anchor has no part in what these do. */
  private static AnchorLoss loss(Model model, Rows rows) {
    double[] scores = Scorer.of(model).scores(rows);
    Evaluation all = Evaluation.of(model.objective(), rows, scores);
    return new AnchorLoss(all.loss() * rows.size(), 0);
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

  public Model model() {
    return fit.model();
  }
}
