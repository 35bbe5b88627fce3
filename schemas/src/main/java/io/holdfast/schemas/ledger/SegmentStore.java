package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.LedgerException.Reason;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The segments of one model that a version names or may yet name. Not thread-safe. */
final class SegmentStore {
  /*
   * Segments come before the manifest that names them. They stay as bytes until a version that is
   * to serve needs their trees, and are then decoded once for all versions. `names` counts the
   * manifests held that name a digest; what none names is kept in order of arrival up to a bound.
   */
  private final long maxUnnamedBytes;
  private final Map<Digest, Held> unnamed = new LinkedHashMap<>();
  private final Map<Digest, Held> named = new HashMap<>();
  private final Map<Digest, Integer> names = new HashMap<>();
  private long unnamedBytes;

  private static final class Held {
    private final int size;
    private byte @Nullable [] bytes;
    private @Nullable List<Tree> trees;

    Held(byte[] bytes) {
      this.bytes = bytes;
      this.size = bytes.length;
    }

    List<Tree> trees() throws LedgerException {
      if (trees == null && bytes != null) {
        trees = LedgerCodec.trees(bytes);
        bytes = null;
      }
      return trees == null ? List.of() : trees;
    }
  }

  SegmentStore(long maxUnnamedBytes) {
    this.maxUnnamedBytes = maxUnnamedBytes;
  }

  /** Takes a segment whose bytes have the digest. */
  void put(Digest digest, byte[] bytes) {
    if (named.containsKey(digest) || unnamed.containsKey(digest)) {
      return; // The same bytes: what is there may be decoded and shared already.
    }
    if (names.containsKey(digest)) {
      named.put(digest, new Held(bytes));
    } else {
      keepUnnamed(digest, new Held(bytes));
    }
  }

  void remove(Digest digest) {
    named.remove(digest);
    Held held = unnamed.remove(digest);
    unnamedBytes -= held == null ? 0 : held.size;
  }

  /** Notes that a manifest is held. */
  void name(ModelManifest manifest) {
    for (ManifestSegment segment : NamedSegments.of(manifest)) {
      Digest digest = Digest.fromBytes(segment.getSha256().bytes());
      if (names.merge(digest, 1, Integer::sum) == 1) {
        Held held = unnamed.remove(digest);
        if (held != null) {
          unnamedBytes -= held.size;
          named.put(digest, held);
        }
      }
    }
  }

  /** Notes that a manifest is held no longer; what it alone named is dropped. */
  void unname(ModelManifest manifest) {
    for (ManifestSegment segment : NamedSegments.of(manifest)) {
      Digest digest = Digest.fromBytes(segment.getSha256().bytes());
      if (names.merge(digest, -1, Integer::sum) == 0) {
        names.remove(digest);
        named.remove(digest);
      }
    }
  }

  boolean has(Digest digest) {
    return named.containsKey(digest);
  }

  /** The trees of a segment that a manifest names. */
  List<Tree> trees(Digest digest) throws LedgerException {
    Held held = named.get(digest);
    if (held == null) {
      throw new LedgerException(
          Reason.MISSING_SEGMENT, Sentence.of("segment %s is not on the topic", digest));
    }
    return held.trees();
  }

  int size() {
    return named.size() + unnamed.size();
  }

  private void keepUnnamed(Digest digest, Held held) {
    unnamed.put(digest, held);
    unnamedBytes += held.size;
    Iterator<Held> oldest = unnamed.values().iterator();
    while (unnamedBytes > maxUnnamedBytes && oldest.hasNext()) {
      unnamedBytes -= oldest.next().size;
      oldest.remove();
    }
  }
}
