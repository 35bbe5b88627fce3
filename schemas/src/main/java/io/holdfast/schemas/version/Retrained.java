package io.holdfast.schemas.version;

import io.holdfast.schemas.avro.ForgottenRows;
import io.holdfast.schemas.avro.ManifestForgetting;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.RetrainedVersion;
import io.holdfast.schemas.wire.Contracts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Versions that were trained again as if some rows had never been there. They follow the newest
 * version, so each has a number of its own, and says which it would have had, with which hash.
 * Stateless and pure.
 */
public final class Retrained {
  private Retrained() {}

  /** What a version of that parent must not be learned from either; null if that is nothing. */
  static @Nullable ManifestForgetting inherited(@Nullable LedgerVersion parent) {
    ManifestForgetting forgetting = parent == null ? null : parent.manifest().getForgetting();
    return forgetting == null ? null : new ManifestForgetting(forgetting.getRows(), null);
  }

  /** The rows that a version must not be learned from, in the order in which that was asked. */
  public static List<ForgottenRows> rows(ModelManifest manifest) {
    ManifestForgetting forgetting = manifest.getForgetting();
    return forgetting == null ? List.of() : forgetting.getRows();
  }

  /** What a version would be without the rows; null if it was trained in the ordinary way. */
  public static @Nullable RetrainedVersion of(ModelManifest manifest) {
    ManifestForgetting forgetting = manifest.getForgetting();
    return forgetting == null ? null : forgetting.getRetrained();
  }

  /** A version as training goes on from it where nothing was ever forgotten: with its own hash. */
  public static LedgerVersion origin(LedgerVersion version) {
    return Retrained.rows(version.manifest()).isEmpty()
        ? version
        : with(version, plain(version.manifest()).build(), version.hash());
  }

  /**
   * A version that was trained without {@code rows}, under another number.
   *
   * @param records all that published it; a copy of a version that is on the topic has none
   * @param parent of the new number; the version itself for a copy
   */
  public static LedgerCodec.Encoded published(
      LedgerVersion trained,
      List<LedgerRecord> records,
      long number,
      LedgerVersion parent,
      List<ForgottenRows> rows) {
    var forgetting =
        new ManifestForgetting(
            List.copyOf(rows), new RetrainedVersion(trained.number(), trained.hash().stored()));
    ModelManifest manifest =
        ordered(trained.manifest())
            .setFormat(ManifestCodec.FORMAT)
            .setVersion(number)
            .setParentVersion(parent.number())
            .setParentHash(parent.hash().stored())
            .setForgetting(forgetting)
            .build();
    byte[] body = ManifestCodec.body(manifest);
    List<LedgerRecord> all = new ArrayList<>();
    for (LedgerRecord record : records) {
      if (!(record.key() instanceof LedgerKey.VersionKey)) {
        all.add(record);
      }
    }
    all.add(
        new LedgerRecord(
            new LedgerKey.VersionKey(manifest.getModel(), number),
            Contracts.MANIFEST.framed(manifest, body)));
    return new LedgerCodec.Encoded(with(trained, manifest, Digest.of(body)), List.copyOf(all));
  }

  /**
   * What {@code stored}, a version that was trained again, would be without the rows; its hash is
   * computed, and right if it is the one that {@link #of} says.
   *
   * @param parent as {@link #parent} gives it
   */
  public static LedgerVersion trained(LedgerVersion stored, LedgerVersion parent) {
    RetrainedVersion would = of(stored.manifest());
    if (would == null) {
      return stored;
    }
    boolean copy = Digest.of(would.getHash()).equals(parent.hash());
    ModelManifest.Builder manifest = plain(stored.manifest()).setVersion(would.getVersion());
    if (copy) {
      manifest.setFormat(parent.manifest().getFormat());
      manifest.setParentVersion(parent.manifest().getParentVersion());
      manifest.setParentHash(parent.manifest().getParentHash());
      manifest.setForgetting(parent.manifest().getForgetting());
    } else {
      manifest.setParentVersion(parent.number()).setParentHash(parent.hash().stored());
    }
    ModelManifest built = manifest.build();
    return with(stored, built, Digest.of(ManifestCodec.body(built)));
  }

  /**
   * The parent that a version had where the rows were never there: one that was trained again for
   * the same rows has its other number and hash.
   */
  public static LedgerVersion parent(LedgerVersion stored, LedgerVersion parent) {
    RetrainedVersion would = of(parent.manifest());
    if (would == null || !rows(parent.manifest()).equals(rows(stored.manifest()))) {
      return parent;
    }
    ModelManifest manifest = plain(parent.manifest()).setVersion(would.getVersion()).build();
    return with(parent, manifest, Digest.of(would.getHash()));
  }

  private static ModelManifest.Builder plain(ModelManifest manifest) {
    return ordered(manifest)
        .setFormat(ManifestCodec.format(manifest.getUncertainty(), manifest.getCalibration(), null))
        .setForgetting(null);
  }

  /** With maps in the order in which they are written. */
  private static ModelManifest.Builder ordered(ModelManifest manifest) {
    return ModelManifest.newBuilder(manifest)
        .setObjectiveParameters(new TreeMap<>(manifest.getObjectiveParameters()))
        .setMetrics(Figures.of(manifest.getMetrics()))
        .setRungs(
            manifest.getRungs().stream()
                .map(
                    rung ->
                        new ManifestRung(
                            rung.getGamma(),
                            new TreeMap<>(rung.getObjectiveParameters()),
                            rung.getSegments()))
                .toList());
  }

  private static LedgerVersion with(LedgerVersion version, ModelManifest manifest, Digest hash) {
    return new LedgerVersion(
        manifest,
        hash,
        version.segments(),
        version.grown(),
        version.rungs(),
        version.kept(),
        version.uncertainty());
  }
}
