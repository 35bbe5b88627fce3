package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.GammaSearch;
import io.holdfast.cli.data.DataException;
import io.holdfast.cli.data.DataFile;
import io.holdfast.schemas.feature.CategoryDictionary;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model fitted to a file at once, with the booster that the trainer uses.
 *
 * @param settings with the gamma that was chosen, if it was to be
 * @param training the rows it was fitted to
 * @param choice what gamma was chosen from; null if it was given
 */
public record OfflineFit(
    ModelSettings settings, FileRows training, @Nullable GammaChoice choice, Fit fit) {

  /**
   * Fits a model.
   *
   * @param search chooses gamma on the rows trained on; null to take that of the settings
   * @param heldOut rows that tell when to stop; null to grow all rounds
   * @throws DataException if a file cannot be read, or the objective does not take its labels
   */
  public static OfflineFit of(
      ModelSettings settings,
      DataFile file,
      @Nullable GammaSearch search,
      @Nullable HeldOut heldOut,
      FitListener listener) {
    List<Feature> bare = RecordLayout.features(settings, file.schema());
    CategoryDictionary dictionary = new CategoryDictionary(bare);
    FileRows training =
        FileRows.training(
            file, settings, bare, dictionary, heldOut == null ? FileRows.ALL : heldOut.trainedOn());
    List<Feature> features = dictionary.features();
    EarlyStopping stopping = heldOut == null ? null : heldOut.stopping(file, settings, features);
    try {
      BoosterSettings booster = settings.booster();
      GammaChoice choice =
          search == null ? null : search.choose(booster, features, training.rows());
      if (choice != null) {
        booster = choice.appliedTo(booster);
      }
      Model untrained = Booster.untrained(booster, features);
      Fit fit =
          new Booster(booster).extend(untrained, features, training.rows(), stopping, listener);
      return new OfflineFit(settings.with(booster), training, choice, fit);
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file.path(), e.getMessage());
    }
  }

  public Model model() {
    return fit.model();
  }

  /** Evaluates the model on a file. */
  public OfflineTest test(DataFile file) {
    return OfflineTest.of(model(), settings, file);
  }
}
