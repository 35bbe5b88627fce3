package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;

/**
 * All that an assessment of drift may depend on, beside the settings. Immutable.
 *
 * @param tip the manifest of the version that training grows from, with what it remembers
 * @param features the columns of the decoded rows
 * @param replayed the rows of the replay buffer, in log order
 * @param replay the same, decoded
 * @param arrived the usable rows of the window, in log order
 * @param window the same, decoded
 * @param objective the tip's, with what it learned: served scores are judged by it, whatever
 *     version served them, for a rebuild knows no other
 * @param served the raw scores served for the window's rows, output by output
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record DriftEvidence(
    ModelManifest tip,
    List<Feature> features,
    List<LabelledRow> replayed,
    Rows replay,
    List<LabelledRow> arrived,
    Rows window,
    Objective objective,
    double[] served) {}
