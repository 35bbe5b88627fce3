package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.LedgerCodec;
import io.holdfast.schemas.ledger.LedgerRecord;
import io.holdfast.schemas.ledger.LedgerVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * A version that is not on the model topic yet, and the head that will let it serve.
 *
 * @param encoded the version, its segments' and its manifest's records
 * @param head the head that names it
 */
public record NewVersion(LedgerCodec.Encoded encoded, ModelHead head) {

  /** The version. */
  public LedgerVersion version() {
    return encoded.version();
  }

  /** All records to publish, in order: new segments, manifest, head. */
  public List<LedgerRecord> records() {
    List<LedgerRecord> records = new ArrayList<>(encoded.records());
    records.add(LedgerCodec.encode(head));
    return List.copyOf(records);
  }
}
