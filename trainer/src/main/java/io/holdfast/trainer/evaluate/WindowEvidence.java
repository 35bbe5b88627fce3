package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.drift.DriftEvidence;
import io.holdfast.trainer.drift.ReferenceCurves;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evidence of a window's decoded rows. Owned by the training thread. */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record WindowEvidence(
    LedgerVersion version, @Nullable ReferenceCurves reference, WindowRows rows, double[] served)
    implements DriftEvidence {
  @Override
  public ModelManifest tip() {
    return version.manifest();
  }

  @Override
  public @Nullable KeptReference kept() {
    return version.kept().reference();
  }

  @Override
  public Objective objective() {
    return version.model().objective();
  }

  @Override
  public List<Feature> features() {
    return rows.features();
  }

  @Override
  public List<LabelledRow> replayed() {
    return rows.replayed();
  }

  @Override
  public Rows replay() {
    return rows.replay();
  }

  @Override
  public boolean remembers(String environment) {
    return rows.remembers(environment);
  }

  @Override
  public int unlearned() {
    Map<Integer, Long> ends = new HashMap<>();
    tip().getWindow().forEach(range -> ends.put(range.getPartition(), range.getTo()));
    return ends.isEmpty() ? 0 : rows.from(ends); // one without a window was made of no rows
  }

  @Override
  public List<LabelledRow> newest(int count) {
    return rows.unbroken(count);
  }

  @Override
  public Rows decoded(List<LabelledRow> labelled) {
    return rows.decoded(labelled);
  }

  @Override
  public List<LabelledRow> arrived() {
    return rows.arrived();
  }

  @Override
  public Rows window() {
    return rows.whole();
  }
}
