package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.drift.DriftAssessment;
import io.holdfast.trainer.rows.WindowRows;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that the next model is a function of. Immutable.
 *
 * @param remembered the metrics of the parent's manifest
 * @param features the parent's features, with the categories of all rows decoded so far
 * @param version the number of the version to be
 * @param lag label delay in versions: how many versions ago the median row of the window was served
 * @param kept the bins that new trees are grown on while they fit the rows; null to find new ones
 */
public record UpdateContext(
    ModelSettings settings,
    Model parent,
    Map<String, Double> remembered,
    Supplier<List<Feature>> features,
    WindowRows rows,
    long version,
    long lag,
    DriftAssessment drift,
    @Nullable KeptBins kept) {

  /** Of everything random in the version. */
  long seed() {
    return TrainingRun.seed(settings, version);
  }
}
