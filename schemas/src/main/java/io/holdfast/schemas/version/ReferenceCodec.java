package io.holdfast.schemas.version;

import io.holdfast.schemas.avro.EnvironmentSketches;
import io.holdfast.schemas.avro.LogPlace;
import io.holdfast.schemas.avro.ManifestReference;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.QuantitySketch;
import io.holdfast.schemas.avro.ReferenceSketches;
import io.holdfast.schemas.reference.DistributionSketch;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.wire.Contracts;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Training references to and from their contract. Stateless. */
public final class ReferenceCodec {
  /** The layout that this program writes and reads. */
  private static final int FORMAT = 1;

  private ReferenceCodec() {}

  /** None if it might be larger than a record may be. */
  @SuppressWarnings("ReferenceEquality") // sketches are immutable: identity spares encoding them
  static PublishedPiece<KeptReference> publish(
      @Nullable KeptReference reference, @Nullable LedgerVersion parent) {
    if (reference == null || reference.sketches().bytes() > LedgerLimits.REFERENCE_BYTES) {
      return PublishedPiece.none();
    }
    KeptReference before = parent == null ? null : parent.kept().reference();
    return PublishedPiece.of(
        reference,
        parent == null ? null : named(parent.manifest()),
        before != null && before.sketches() == reference.sketches(),
        () -> Contracts.REFERENCE.encodeBody(record(reference.sketches())));
  }

  /** What the manifest says of a reference. */
  static @Nullable ManifestReference named(PublishedPiece<KeptReference> published) {
    KeptReference reference = published.piece();
    return reference == null || published.digest() == null
        ? null
        : new ManifestReference(
            published.digest().stored(),
            reference.rowsSince(),
            places(reference.alarm()),
            reference.rowsTested(),
            reference.rowsOfAlarms());
  }

  /** What a manifest names; null if it names none. */
  public static @Nullable Digest named(ModelManifest manifest) {
    ManifestReference named = manifest.getReference();
    return named == null ? null : Digest.of(named.getSha256());
  }

  /** What is kept by a manifest that names these sketches. */
  public static KeptReference kept(ModelManifest manifest, TrainingReference sketches)
      throws LedgerException {
    check(manifest, sketches);
    ManifestReference named = manifest.getReference();
    try {
      return new KeptReference(
          sketches,
          named.getRowsSince(),
          places(named.getAlarm()),
          named.getRowsTested(),
          named.getRowsOfAlarms());
    } catch (IllegalArgumentException e) {
      throw Reason.BAD_RECORD.because(
          "what version %d says of its reference is wrong: %s",
          manifest.getVersion(), e.getMessage());
    }
  }

  /** Checks that there is a sketch of each of a version's features. */
  static void check(ModelManifest manifest, TrainingReference sketches) throws LedgerException {
    if (sketches.quantities() != manifest.getFeatures().size() + 1) {
      throw Reason.INCOMPATIBLE_FEATURES.because(
          "version %d has %d features and a label, and its reference has sketches of %d"
              + " quantities",
          manifest.getVersion(), manifest.getFeatures().size(), sketches.quantities());
    }
  }

  private static ReferenceSketches record(TrainingReference sketches) {
    List<EnvironmentSketches> parts = new ArrayList<>();
    for (EnvironmentReference part : sketches.parts()) {
      List<QuantitySketch> quantities = new ArrayList<>(part.quantities().size());
      for (DistributionSketch quantity : part.quantities()) {
        int size = quantity.size();
        quantities.add(
            new QuantitySketch(
                quantity.exact(),
                IntStream.range(0, size).mapToObj(quantity::value).toList(),
                IntStream.range(0, size).mapToObj(quantity::weight).toList()));
      }
      parts.add(new EnvironmentSketches(part.environment(), part.rows(), quantities));
    }
    return new ReferenceSketches(
        FORMAT, sketches.seen(), places(sketches.through()), parts, sketches.others());
  }

  /** The sketches of a record value. */
  public static TrainingReference sketches(byte[] bytes) throws LedgerException {
    ReferenceSketches record =
        LedgerCodec.decode(
            Contracts.REFERENCE, bytes, LedgerLimits.REFERENCE_BYTES, "training reference");
    LedgerLimits.checkFormat(record.getFormat(), FORMAT, "training reference");
    try {
      List<EnvironmentReference> parts = new ArrayList<>(record.getParts().size());
      for (EnvironmentSketches part : record.getParts()) {
        List<DistributionSketch> quantities = new ArrayList<>(part.getQuantities().size());
        for (QuantitySketch quantity : part.getQuantities()) {
          quantities.add(
              new DistributionSketch(
                  quantity.getExact(),
                  quantity.getValues().stream().mapToDouble(Double::doubleValue).toArray(),
                  quantity.getWeights().stream().mapToLong(Long::longValue).toArray()));
        }
        parts.add(new EnvironmentReference(part.getEnvironment(), part.getRows(), quantities));
      }
      return new TrainingReference(
          record.getSeen(), places(record.getThrough()), parts, record.getOthers());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw Reason.BAD_RECORD.because("the training reference is none: %s", e.getMessage());
    }
  }

  private static List<LogPlace> places(SortedMap<Integer, Long> places) {
    List<LogPlace> list = new ArrayList<>(places.size());
    places.forEach((partition, offset) -> list.add(new LogPlace(partition, offset)));
    return list;
  }

  private static SortedMap<Integer, Long> places(List<LogPlace> list) {
    TreeMap<Integer, Long> places = new TreeMap<>();
    for (LogPlace place : list) {
      places.put(place.getPartition(), place.getOffset());
    }
    return places;
  }
}
