package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The versions of a model that its topic holds, and which of them leave when another one comes: a
 * function of those that are there. Owned by one thread.
 */
public final class HeldVersions {
  private final TreeMap<Long, ModelManifest> manifests = new TreeMap<>();

  /** How many versions name a piece: a version costs what it names, however many are held. */
  private final Map<LedgerKey.PieceKey, Integer> names = new HashMap<>();

  /** Takes a version, in place of another one of its number. */
  public void add(ModelManifest version) {
    remove(version.getVersion());
    manifests.put(version.getVersion(), version);
    NamedSegments.pieces(version, true).forEach(key -> names.merge(key, 1, Integer::sum));
  }

  /** Forgets a version, if it is there. */
  public void remove(long version) {
    ModelManifest gone = manifests.remove(version);
    if (gone != null) {
      for (LedgerKey.PieceKey key : NamedSegments.pieces(gone, true)) {
        names.computeIfPresent(key, (_, count) -> count > 1 ? count - 1 : null);
      }
    }
  }

  /**
   * Whether {@code version}, which need not be held, is {@code ancestor} or grew from it, as far as
   * is known here.
   */
  public boolean grewFrom(ModelManifest version, long ancestor) {
    ModelManifest at = version;
    while (at != null && at.getVersion() > ancestor) {
      at = manifests.get(at.getParentVersion());
    }
    return at != null && at.getVersion() == ancestor;
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
    List<LedgerRecord> tombstones = new ArrayList<>();
    Map<LedgerKey.PieceKey, Integer> gone = new LinkedHashMap<>();
    manifests.values().stream()
        .limit(Math.max(0, manifests.size() + 1 - retainVersions))
        .filter(version -> !HeadRules.names(head).contains(version.getVersion()))
        .forEach(
            version -> {
              var key = new LedgerKey.VersionKey(head.getModel(), version.getVersion());
              tombstones.add(new LedgerRecord(key, null));
              NamedSegments.pieces(version, true).forEach(one -> gone.merge(one, 1, Integer::sum));
            });
    NamedSegments.pieces(newest, true).forEach(gone::remove);
    addPieces(gone, tombstones);
    return List.copyOf(tombstones);
  }

  /**
   * The tombstones of versions that leave at once, and of the segments, bins and references that
   * neither those that stay nor {@code made}, which come in their place, name.
   */
  public List<LedgerRecord> tombstones(
      String model, Set<Long> leaving, Collection<ModelManifest> made) {
    List<LedgerRecord> tombstones = new ArrayList<>();
    Map<LedgerKey.PieceKey, Integer> gone = new LinkedHashMap<>();
    manifests.forEach(
        (number, version) -> {
          if (leaving.contains(number)) {
            tombstones.add(new LedgerRecord(new LedgerKey.VersionKey(model, number), null));
            NamedSegments.pieces(version, true).forEach(one -> gone.merge(one, 1, Integer::sum));
          }
        });
    made.forEach(version -> NamedSegments.pieces(version, true).forEach(gone::remove));
    addPieces(gone, tombstones);
    return List.copyOf(tombstones);
  }

  /** Of pieces that so many versions named that leave, those that no other names. */
  private void addPieces(Map<LedgerKey.PieceKey, Integer> gone, List<LedgerRecord> tombstones) {
    gone.forEach(
        (key, times) -> {
          if (times.equals(names.get(key))) {
            tombstones.add(new LedgerRecord(key, null));
          }
        });
  }
}
