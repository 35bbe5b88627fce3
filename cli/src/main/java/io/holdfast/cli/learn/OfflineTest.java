package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;

/** How a model does on a file, in all and by environment. */
public record OfflineTest(HeldFile held, Evaluation all, List<Evaluation> environments) {

  static OfflineTest of(Model model, ModelSettings settings, HeldFile held) {
    Rows rows = FileRows.test(held.file(), settings, model.features()).rows();
    double[] scores = Scorer.of(model).scores(rows);
    return new OfflineTest(
        held,
        Evaluation.of(model.objective(), rows, scores),
        Evaluation.byEnvironment(model.objective(), rows, scores));
  }

  public DataFile file() {
    return held.file();
  }
}
