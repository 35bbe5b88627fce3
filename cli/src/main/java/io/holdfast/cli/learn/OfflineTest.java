package io.holdfast.cli.learn;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** How a model does on a file, in all and by environment, if it has such. */
public record OfflineTest(
    String file,
    @JsonUnwrapped Evaluation all,
    Map<String, Long> unseenCategories,
    @JsonInclude(Include.NON_EMPTY) Map<String, Long> unknownLabels,
    @JsonIgnore List<String> notes,
    List<InEnvironment> environments) {

  /** An evaluation of the rows of one environment, with its name. */
  public record InEnvironment(String environment, @JsonUnwrapped Evaluation figures) {
    public static List<InEnvironment> of(List<Evaluation> environments) {
      return environments.stream().map(one -> new InEnvironment(one.environment(), one)).toList();
    }
  }

  public static OfflineTest of(Model model, ModelSettings settings, HeldFile held) {
    FileRows read = FileRows.test(held.file(), settings, model.features());
    Rows rows = read.rows();
    List<Objective> objectives = Collections.nCopies(rows.size(), model.objective());
    double[] scores = Scorer.of(model).scores(rows);
    return new OfflineTest(
        held.file().name(),
        Evaluation.of(objectives, rows, scores, settings.classes()),
        held.unseen().counts(),
        read.unknown().counts(),
        read.unknown().notes(held.file().name(), ClassLabels.of(settings.classes())),
        InEnvironment.of(
            settings.environment() == null
                ? List.of()
                : Evaluation.byEnvironment(objectives, rows, scores, settings.classes())));
  }
}
