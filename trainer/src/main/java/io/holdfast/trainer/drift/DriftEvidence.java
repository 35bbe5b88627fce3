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
 * All that an assessment of drift may depend on, beside the settings. What has to be decoded first
 * is, when it is asked for: a small window need not pay for memory. Owned by the training thread.
 */
public interface DriftEvidence {
  /** The manifest of the version that training grows from, with what it remembers. */
  ModelManifest tip();

  /** What windows are compared with, and what came since it was made; null if that is memory. */
  @Nullable KeptReference kept();

  /** Its distribution functions; null if it is memory. */
  @Nullable ReferenceCurves reference();

  /** The tip's objective, with what it learned: a rebuild knows no other. */
  Objective objective();

  /** The columns of the decoded rows. */
  List<Feature> features();

  /** The rows of the replay buffer, in log order. */
  List<LabelledRow> replayed();

  /** The same, decoded. */
  Rows replay();

  /** Whether any of these rows is of an environment. */
  boolean remembers(String environment);

  /** How many of these rows came in windows after the tip's, of which no version came. */
  int unlearned();

  /**
   * At most that many of the newest rows with those of the window, oldest first, and none from
   * before a row that is no longer remembered. The window's come last.
   */
  List<LabelledRow> newest(int count);

  /** Any of the rows, decoded. */
  Rows decoded(List<LabelledRow> rows);

  /** The usable rows of the window, in log order. */
  List<LabelledRow> arrived();

  /** The same, decoded. */
  Rows window();

  /** The raw scores served for the window's rows, output by output. */
  double[] served();
}
