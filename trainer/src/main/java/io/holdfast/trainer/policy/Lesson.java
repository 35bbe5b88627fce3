package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.drift.DriftAssessment;
import java.util.List;
import java.util.Map;

/**
 * All that the next model is a function of. Immutable.
 *
 * @param settings the model's settings
 * @param parent what training grows from
 * @param remembered the metrics of the parent's manifest
 * @param features the parent's features, with the categories that were met since
 * @param rows to train on, in log order
 * @param version the number of the version to be
 * @param drift what the shift of the window asks for
 */
public record Lesson(
    ModelSettings settings,
    Model parent,
    Map<String, Double> remembered,
    List<Feature> features,
    Rows rows,
    long version,
    DriftAssessment drift) {}
