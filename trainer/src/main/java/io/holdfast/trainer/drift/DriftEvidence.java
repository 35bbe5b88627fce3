package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that drift detection depends on, beside the settings. Rows are decoded on demand, so that a
 * small window need not pay for memory. Owned by the training thread.
 */
public interface DriftEvidence {
  /** The manifest of the version that training grows from. */
  ModelManifest tip();

  /** The reference that windows are compared with; null if that is memory. */
  @Nullable KeptReference kept();

  /** The distribution functions of {@link #kept}. */
  @Nullable ReferenceCurves reference();

  /** The tip's objective, with what it learned. */
  Objective objective();

  /** The columns of the decoded rows. */
  List<Feature> features();

  /** The rows of the replay buffer, in log order. */
  List<LabelledRow> replayed();

  /** {@link #replayed}, decoded. */
  Rows replay();

  /** Whether any row of the replay buffer is of an environment. */
  boolean remembers(String environment);

  /** How many rows of the replay buffer came in windows after the tip's, without a version. */
  int unlearned();

  /**
   * At most {@code count} of the newest rows, oldest first, and none from before a row that is no
   * longer remembered. The window's come last.
   */
  List<LabelledRow> newest(int count);

  /** Any of the rows, decoded. */
  Rows decoded(List<LabelledRow> rows);

  /** The usable rows of the window, in log order. */
  List<LabelledRow> arrived();

  /** {@link #arrived}, decoded. */
  Rows window();

  /** The raw scores served for the window's rows, output by output. */
  double[] served();
}
