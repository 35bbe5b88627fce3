package io.holdfast.schemas.version;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.FeatureBins;
import io.holdfast.schemas.avro.BinEdges;
import io.holdfast.schemas.avro.FeatureEdges;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.wire.Contracts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Engine bins to and from their contract. Stateless. */
public final class BinsCodec {
  /** The layout that this program writes and reads. */
  private static final int FORMAT = 1;

  private static final int BYTES_A_THRESHOLD = Double.BYTES;
  private static final int BYTES_A_COUNT = 5; // of an int, at its longest
  private static final int BYTES_A_FEATURE = 5 + 2 * (5 + 1); // its place, and lengths and ends
  private static final int OVERHEAD_BYTES = 2 * 5 + 5 + 1;

  private BinsCodec() {}

  /** None if they might be larger than a record may be. */
  @SuppressWarnings("ReferenceEquality") // bins are immutable: identity spares encoding them
  static PublishedPiece<Bins> publish(@Nullable Bins bins, @Nullable LedgerVersion parent) {
    if (bins == null || bytes(bins) > LedgerLimits.BINS_BYTES) {
      return PublishedPiece.none();
    }
    return PublishedPiece.of(
        bins,
        parent == null ? null : named(parent.manifest()),
        parent != null && bins == parent.bins(),
        () -> Contracts.BINS.encodeBody(edges(bins)));
  }

  /** What a manifest names; null if it names none. */
  public static @Nullable Digest named(ModelManifest manifest) {
    return manifest.getBins() == null ? null : Digest.of(manifest.getBins());
  }

  private static long bytes(Bins bins) {
    long bytes = OVERHEAD_BYTES;
    for (FeatureBins feature : bins.features()) {
      bytes += BYTES_A_FEATURE;
      bytes += (long) (BYTES_A_THRESHOLD + BYTES_A_COUNT) * (feature.bins() + 1);
    }
    return bytes;
  }

  private static BinEdges edges(Bins bins) {
    List<FeatureEdges> features = new ArrayList<>(bins.features().size());
    for (FeatureBins feature : bins.features()) {
      features.add(
          new FeatureEdges(
              feature.feature(),
              IntStream.range(0, feature.bins() - 1).mapToObj(feature::threshold).toList(),
              IntStream.rangeClosed(0, feature.bins()).mapToObj(feature::count).toList()));
    }
    return new BinEdges(FORMAT, bins.maxBins(), features);
  }

  /** The bins of a record value. */
  public static Bins bins(byte[] bytes) throws LedgerException {
    BinEdges edges =
        LedgerCodec.decode(Contracts.BINS, bytes, LedgerLimits.BINS_BYTES, "record of bins");
    LedgerLimits.checkFormat(edges.getFormat(), FORMAT, "record of bins");
    try {
      List<FeatureBins> features = new ArrayList<>(edges.getFeatures().size());
      for (FeatureEdges feature : edges.getFeatures()) {
        features.add(
            new FeatureBins(
                feature.getFeature(),
                feature.getThresholds().stream().mapToDouble(Double::doubleValue).toArray(),
                feature.getCounts().stream().mapToInt(Integer::intValue).toArray()));
      }
      return new Bins(edges.getMaxBins(), features);
    } catch (IllegalArgumentException e) {
      throw Reason.BAD_RECORD.because("the bins are none: %s", e.getMessage());
    }
  }

  /** Checks that bins are of a version's numeric features. */
  public static void check(ModelManifest manifest, Bins bins) throws LedgerException {
    List<ManifestFeature> features = manifest.getFeatures();
    for (FeatureBins of : bins.features()) {
      if (of.feature() >= features.size() || features.get(of.feature()).getCategorical()) {
        throw Reason.INCOMPATIBLE_FEATURES.because(
            "version %d has bins of feature %d, which is no numeric feature of it",
            manifest.getVersion(), of.feature());
      }
    }
  }
}
