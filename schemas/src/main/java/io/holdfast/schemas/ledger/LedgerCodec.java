package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SKELETON: engine models to and from the records of the model topic. Stateless. */
@SuppressWarnings("DoNotCallSuggester")
public final class LedgerCodec {
  private LedgerCodec() {}

  /**
   * What the trainer gives for a new version; features, base, objective and segments come from the
   * model.
   */
  public record Draft(
      String model,
      long version,
      @Nullable LedgerVersion parent,
      Model trained,
      double gamma,
      List<io.holdfast.schemas.avro.OffsetRange> window,
      List<io.holdfast.schemas.avro.OffsetRange> memory,
      List<String> environments,
      long seed,
      String settings,
      java.util.Map<String, Double> metrics,
      String programVersion) {}

  /** A version and the records that publish it: new segments first, then the manifest. */
  public record Encoded(LedgerVersion version, List<LedgerRecord> records) {}

  /**
   * Encodes a version. Segments that the parent already has (the same instances) are named, not
   * written again; larger ones are split to at most 512 KiB.
   */
  public static Encoded encode(Draft draft) {
    throw new IllegalStateException("SKELETON " + draft);
  }

  /** The head record. */
  public static LedgerRecord encode(ModelHead head) {
    throw new IllegalStateException("SKELETON " + head);
  }

  /** SKELETON. */
  public static ModelManifest manifest(byte[] bytes) throws LedgerException {
    throw new LedgerException("SKELETON" + bytes.length);
  }
}
