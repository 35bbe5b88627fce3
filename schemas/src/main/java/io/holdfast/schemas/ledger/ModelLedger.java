package io.holdfast.schemas.ledger;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.LedgerException.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the topic says of one model. Not thread-safe. */
final class ModelLedger {
  private static final long MAX_UNNAMED_BYTES = 256L << 20;

  private final String model;
  private final int retainVersions;
  private final SegmentStore segments = new SegmentStore(MAX_UNNAMED_BYTES);
  private final TreeMap<Long, Held> manifests = new TreeMap<>();
  private @Nullable ModelHead pending;
  private @Nullable ModelHead head;
  private @Nullable LedgerVersion serving;

  private record Held(ModelManifest manifest, Digest hash) {}

  ModelLedger(String model, int retainVersions) {
    this.model = model;
    this.retainVersions = retainVersions;
  }

  void segment(Digest digest, byte[] bytes) throws LedgerException {
    LedgerLimits.read(bytes.length - 10L, LedgerLimits.SEGMENT_BYTES, "the bytes of a segment");
    Digest actual = LedgerCodec.digest(bytes);
    if (!actual.equals(digest)) {
      throw new LedgerException(
          Reason.HASH_MISMATCH,
          Sentence.of("the bytes under segment %s have the hash %s", digest, actual));
    }
    segments.put(digest, bytes);
  }

  void removeSegment(Digest digest) {
    segments.remove(digest);
  }

  void manifest(long version, byte[] bytes) throws LedgerException {
    ModelManifest manifest = LedgerCodec.manifest(bytes);
    if (!manifest.getModel().equals(model) || manifest.getVersion() != version) {
      throw new LedgerException(
          Reason.BAD_RECORD,
          Sentence.of(
              "the manifest under version %d of %s is of version %d of %s",
              version, model, manifest.getVersion(), manifest.getModel()));
    }
    VersionVerifier.checkAlone(manifest);
    Held held = new Held(manifest, LedgerCodec.digest(bytes));
    // Named before the old one is dropped: segments of both must not be dropped between.
    segments.name(manifest);
    Held old = manifests.put(version, held);
    if (old != null) {
      segments.unname(old.manifest);
    }
    while (manifests.size() > retainVersions) {
      removeManifest(oldestDroppable());
    }
  }

  /** The oldest version but the one that serves. */
  private long oldestDroppable() {
    Map.Entry<Long, Held> oldest = manifests.firstEntry();
    if (serving != null && oldest.getKey() == serving.number() && manifests.size() > 1) {
      return manifests.higherKey(oldest.getKey());
    }
    return oldest.getKey();
  }

  void removeManifest(long version) {
    Held old = manifests.remove(version);
    if (old != null) {
      segments.unname(old.manifest);
    }
  }

  /** Takes a head; it serves once it is verified. */
  void head(byte[] bytes) throws LedgerException {
    ModelHead newer = LedgerCodec.head(bytes);
    if (!newer.getModel().equals(model)) {
      throw new LedgerException(
          Reason.BAD_RECORD,
          Sentence.of("the head of %s names the model %s", model, newer.getModel()));
    }
    pending = newer;
  }

  @Nullable ModelHead pending() {
    return pending;
  }

  @Nullable ModelHead head() {
    return head;
  }

  @Nullable LedgerVersion serving() {
    return serving;
  }

  List<ModelManifest> manifests() {
    return manifests.values().stream().map(Held::manifest).toList();
  }

  Optional<Digest> hash(long version) {
    return Optional.ofNullable(manifests.get(version)).map(Held::hash);
  }

  int segmentsHeld() {
    return segments.size();
  }

  /**
   * Makes the pending head serve.
   *
   * @throws LedgerException if it cannot be verified; what served before serves on
   */
  LedgerVersion swap(ModelHead candidate) throws LedgerException {
    Digest hash = Digest.fromBytes(candidate.getHash().bytes());
    LedgerVersion version =
        serving != null && serving.hash().equals(hash) && serving.number() == candidate.getVersion()
            ? serving
            : verified(candidate.getVersion(), hash);
    serving = version;
    head = candidate;
    pending = null;
    return version;
  }

  /** A head that can never serve is forgotten, so that it is rejected once. */
  void forgetPending() {
    pending = null;
  }

  /** A version, whatever its hash. */
  LedgerVersion version(long version) throws LedgerException {
    Held held = manifests.get(version);
    if (held == null) {
      throw missing(version);
    }
    return verified(version, held.hash);
  }

  private LedgerVersion verified(long version, Digest hash) throws LedgerException {
    Held held = manifests.get(version);
    if (held == null) {
      throw missing(version);
    }
    if (!held.hash.equals(hash)) {
      throw new LedgerException(
          Reason.HASH_MISMATCH,
          Sentence.of(
              "version %d of %s has the hash %s, and the head names %s",
              version, model, held.hash, hash));
    }
    checkChain(held.manifest);
    for (ManifestSegment segment : held.manifest.getSegments()) {
      Digest digest = Digest.fromBytes(segment.getSha256().bytes());
      if (!segments.has(digest)) {
        throw new LedgerException(
            Reason.MISSING_SEGMENT,
            Sentence.of("version %d of %s lacks its segment %s", version, model, digest));
      }
    }
    return VersionVerifier.version(held.manifest, hash, segments::trees);
  }

  /** The oldest version held needs no parent: those before it may have been tidied away. */
  private void checkChain(ModelManifest manifest) throws LedgerException {
    if (manifest.getParentHash() == null || manifests.firstKey() == manifest.getVersion()) {
      return;
    }
    Digest parentHash = Digest.fromBytes(manifest.getParentHash().bytes());
    for (Held older : manifests.headMap(manifest.getVersion(), false).descendingMap().values()) {
      if (older.hash.equals(parentHash)) {
        VersionVerifier.checkFeatures(older.manifest, manifest);
        return;
      }
    }
    throw new LedgerException(
        Reason.BROKEN_CHAIN,
        Sentence.of(
            "version %d of %s grew from %s, which is no older version on the topic",
            manifest.getVersion(), model, parentHash));
  }

  private LedgerException missing(long version) {
    return new LedgerException(
        Reason.MISSING_MANIFEST,
        Sentence.of("version %d of %s is not on the topic", version, model));
  }
}
