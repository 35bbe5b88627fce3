package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
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
 * @param training the rows it was fitted to
 */
public record OfflineFit(ModelSettings settings, FileRows training, Fit fit) {

  /** How a model does on a file. */
  public record Test(DataFile file, FileRows rows, Evaluation all, List<Evaluation> environments) {}

  /**
   * Fits a model.
   *
   * @param heldOut rows that tell when to stop; null to grow all rounds
   * @throws DataException if a file cannot be read, or the objective does not take its labels
   */
  public static OfflineFit of(
      ModelSettings settings, DataFile file, @Nullable HeldOut heldOut, FitListener listener) {
    List<Feature> bare = RecordLayout.features(settings, file.schema());
    CategoryDictionary dictionary = new CategoryDictionary(bare);
    FileRows training =
        FileRows.training(
            file,
            settings,
            bare,
            dictionary,
            heldOut == null ? FileRows.ALL : heldOut.trainedOn());
    List<Feature> features = dictionary.features();
    EarlyStopping stopping =
        heldOut == null ? null : heldOut.stopping(file, settings, features);
    Model untrained = Booster.untrained(settings.booster(), features);
    try {
      Fit fit =
          new Booster(settings.booster())
              .extend(untrained, features, training.rows(), stopping, listener);
      return new OfflineFit(settings, training, fit);
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file.path(), e.getMessage());
    }
  }

  public Model model() {
    return fit.model();
  }

  /** How many rows the file had, with a label or without. */
  public long rowsRead() {
    return training.rows().size() + training.withoutLabel();
  }

  /** Evaluates the model on a file. */
  public Test test(DataFile file) {
    FileRows read = FileRows.test(file, settings, model().features());
    Rows rows = read.rows();
    double[] scores = scores(model(), rows);
    return new Test(
        file,
        read,
        Evaluation.of(model().objective(), rows, scores),
        Evaluation.byEnvironment(model().objective(), rows, scores));
  }

  static double[] scores(Model model, Rows rows) {
    return Scorer.of(model).scores(rows);
  }
}
