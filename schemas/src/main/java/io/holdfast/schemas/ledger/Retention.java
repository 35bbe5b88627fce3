package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which versions leave the model topic. Stateless and pure: what is kept is a function of what is
 * there.
 */
public final class Retention {
  private Retention() {}

  /**
   * The tombstones to write with {@code head}: of all but the newest {@code retainVersions}
   * versions, and of the segments that no other version names. What serves under the head, shadows,
   * or is the tip is kept however old it is.
   *
   * @param versions all versions of the model that the topic holds, the one published with the head
   *     included, ascending
   * @return manifests first: a reader of a topic that is being compacted never finds one whose
   *     segments went before it
   */
  public static List<LedgerRecord> tombstones(
      List<ModelManifest> versions, ModelHead head, int retainVersions) {
    int beyond = versions.size() - retainVersions;
    if (beyond <= 0) {
      return List.of();
    }
    Set<Long> named = new HashSet<>(List.of(head.getVersion(), HeadRules.tipVersion(head)));
    Long shadow = head.getShadowVersion();
    if (shadow != null) {
      named.add(shadow);
    }
    List<ModelManifest> kept = new ArrayList<>();
    List<LedgerRecord> tombstones = new ArrayList<>();
    Set<Sha256Digest> orphans = new LinkedHashSet<>();
    for (int i = 0; i < versions.size(); i++) {
      ModelManifest version = versions.get(i);
      if (i < beyond && !named.contains(version.getVersion())) {
        tombstones.add(
            new LedgerRecord(
                new LedgerKey.VersionKey(head.getModel(), version.getVersion()), null));
        NamedSegments.of(version).forEach(segment -> orphans.add(segment.getSha256()));
      } else {
        kept.add(version);
      }
    }
    for (ModelManifest version : kept) {
      if (orphans.isEmpty()) {
        break; // as a rule the very next one still names them
      }
      NamedSegments.of(version).forEach(segment -> orphans.remove(segment.getSha256()));
    }
    for (Sha256Digest orphan : orphans) {
      tombstones.add(
          new LedgerRecord(
              new LedgerKey.SegmentKey(head.getModel(), Digest.fromBytes(orphan.bytes())), null));
    }
    return List.copyOf(tombstones);
  }
}
