package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * A version that is not on the model topic yet.
 *
 * @param standing the model's state with it
 * @param tombstones of what leaves the topic when it comes
 */
public record NewVersion(
    LedgerCodec.Encoded encoded, Standing standing, List<LedgerRecord> tombstones) {
  public NewVersion {
    tombstones = List.copyOf(tombstones);
  }

  public ModelHead head() {
    return standing.head();
  }

  public LedgerVersion version() {
    return encoded.version();
  }

  /** All records to publish, in order: new segments, manifest, head, tombstones. */
  public List<LedgerRecord> records() {
    List<LedgerRecord> records = new ArrayList<>(encoded.records());
    records.addAll(LedgerCodec.records(head()));
    records.addAll(tombstones);
    return List.copyOf(records);
  }
}
