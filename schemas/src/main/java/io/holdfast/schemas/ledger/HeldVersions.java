package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The versions of a model that its topic holds, and which of them leave when another one comes: a
 * function of those that are there. Owned by one thread.
 */
public final class HeldVersions {
  /*
   * How often each segment, and each other record, is named is counted as versions come and go, so that a version costs what
   * it names itself, however many are held.
   */
  private final TreeMap<Long, ModelManifest> manifests = new TreeMap<>();
  private final Map<Sha256Digest, Integer> names = new HashMap<>();
  private final Map<LedgerKey, Integer> keptNames = new HashMap<>();

  /** Takes a version, in place of another one of its number. */
  public void add(ModelManifest version) {
    remove(version.getVersion());
    manifests.put(version.getVersion(), version);
    for (ManifestSegment segment : NamedSegments.of(version)) {
      names.merge(segment.getSha256(), 1, Integer::sum);
    }
    for (LedgerKey key : NamedSegments.kept(version)) {
      keptNames.merge(key, 1, Integer::sum);
    }
  }

  /** Forgets a version, if it is there. */
  public void remove(long version) {
    ModelManifest gone = manifests.remove(version);
    if (gone != null) {
      for (ManifestSegment segment : NamedSegments.of(gone)) {
        names.computeIfPresent(
            segment.getSha256(), (digest, count) -> count > 1 ? count - 1 : null);
      }
      for (LedgerKey key : NamedSegments.kept(gone)) {
        keptNames.computeIfPresent(key, (kept, count) -> count > 1 ? count - 1 : null);
      }
    }
  }

  /**
   * The tombstones to write with {@code head}, which comes with a version above all that are held:
   * of all but the newest {@code retainVersions} versions, that one included, and of the segments,
   * bins and references that no other version names. What serves under the head, shadows, or is the
   * tip is kept however old it is.
   *
   * @return manifests first: a reader of a topic that is being compacted never finds one whose
   *     segments or other records went before it
   */
  public List<LedgerRecord> tombstones(ModelManifest newest, ModelHead head, int retainVersions) {
    int beyond = manifests.size() + 1 - retainVersions;
    if (beyond <= 0) {
      return List.of();
    }
    List<LedgerRecord> tombstones = new ArrayList<>();
    Map<Sha256Digest, Integer> gone = new LinkedHashMap<>();
    Map<LedgerKey, Integer> goneKept = new LinkedHashMap<>();
    Iterator<ModelManifest> oldest = manifests.values().iterator();
    for (int i = 0; i < beyond && oldest.hasNext(); i++) {
      ModelManifest version = oldest.next();
      if (!named(head, version.getVersion())) {
        tombstones.add(
            new LedgerRecord(
                new LedgerKey.VersionKey(head.getModel(), version.getVersion()), null));
        for (ManifestSegment segment : NamedSegments.of(version)) {
          gone.merge(segment.getSha256(), 1, Integer::sum);
        }
        for (LedgerKey key : NamedSegments.kept(version)) {
          goneKept.merge(key, 1, Integer::sum);
        }
      }
    }
    for (ManifestSegment segment : NamedSegments.of(newest)) {
      gone.remove(segment.getSha256());
    }
    NamedSegments.kept(newest).forEach(goneKept::remove);
    String model = head.getModel();
    unnamed(gone, names)
        .forEach(
            digest ->
                tombstones.add(
                    tombstone(new LedgerKey.SegmentKey(model, Digest.fromBytes(digest.bytes())))));
    unnamed(goneKept, keptNames).forEach(key -> tombstones.add(tombstone(key)));
    return List.copyOf(tombstones);
  }

  private static LedgerRecord tombstone(LedgerKey key) {
    return new LedgerRecord(key, null);
  }

  /** What is named by none but those that go. */
  private static <T> List<T> unnamed(Map<T, Integer> gone, Map<T, Integer> all) {
    List<T> unnamed = new ArrayList<>();
    gone.forEach(
        (name, times) -> {
          if (times.equals(all.get(name))) {
            unnamed.add(name);
          }
        });
    return unnamed;
  }

  private static boolean named(ModelHead head, long version) {
    Long shadow = head.getShadowVersion();
    return version == head.getVersion()
        || version == HeadRules.tipVersion(head)
        || (shadow != null && version == shadow);
  }
}
