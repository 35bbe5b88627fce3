package io.holdfast.cli.models;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.FeatureBins;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.NamedSegments;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bins or a reference that a version names for training to go on with. Immutable. */
record KeptRecord(String kind, Digest sha256, int features, long rows, @Nullable Integer bytes) {

  /** Those of a version; of one that cannot be verified, what they are made of is not known. */
  static List<KeptRecord> of(ModelTopic topic, ModelManifest manifest) {
    Kept kept = kept(topic, manifest);
    List<KeptRecord> records = new ArrayList<>();
    for (LedgerKey key : NamedSegments.kept(manifest)) {
      @Nullable Integer bytes = size(topic.bytes(key));
      switch (key) {
        case LedgerKey.BinsKey bins -> records.add(bins(bins.digest(), kept.bins(), bytes));
        case LedgerKey.ReferenceKey reference ->
            records.add(reference(reference.digest(), kept.reference(), bytes));
        case LedgerKey.SegmentKey _,
            LedgerKey.VersionKey _,
            LedgerKey.HeadKey _,
            LedgerKey.HistoryKey _ -> {}
      }
    }
    return records;
  }

  private static Kept kept(ModelTopic topic, ModelManifest manifest) {
    try {
      return topic.ledger().version(manifest.getModel(), manifest.getVersion()).kept();
    } catch (LedgerException e) {
      return Kept.NONE; // what is wrong is said of the version
    }
  }

  static @Nullable Integer size(int bytes) {
    return bytes < 0 ? null : bytes;
  }

  private static KeptRecord bins(Digest digest, @Nullable Bins bins, @Nullable Integer bytes) {
    return new KeptRecord(
        "bins",
        digest,
        bins == null ? 0 : bins.features().size(),
        bins == null ? 0 : bins.features().stream().mapToLong(FeatureBins::rows).max().orElse(0),
        bytes);
  }

  private static KeptRecord reference(
      Digest digest, @Nullable KeptReference reference, @Nullable Integer bytes) {
    return new KeptRecord(
        "reference",
        digest,
        reference == null ? 0 : reference.sketches().quantities() - 1,
        reference == null ? 0 : reference.sketches().rows(),
        bytes);
  }
}
