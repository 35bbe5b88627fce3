package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.drift.DriftAssessment;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that the next model is a function of. Immutable.
 *
 * @param settings the model's settings
 * @param parent what training grows from
 * @param remembered the metrics of the parent's manifest
 * @param features the parent's features, with the categories of all rows that were decoded so far
 * @param rows to train on
 * @param version the number of the version to be
 * @param lag how many versions ago the rows of the window were served, in the middle: how late
 *     labels are
 * @param drift what the shift of the window asks for
 * @param kept the bins that new trees are grown on, for as long as they are good; null if they are
 *     found anew
 */
public record Lesson(
    ModelSettings settings,
    Model parent,
    Map<String, Double> remembered,
    Supplier<List<Feature>> features,
    LessonRows rows,
    long version,
    long lag,
    DriftAssessment drift,
    @Nullable KeptBins kept) {

  /** What everything random in the version comes from. */
  long seed() {
    return TrainingRun.seed(settings, version);
  }
}
