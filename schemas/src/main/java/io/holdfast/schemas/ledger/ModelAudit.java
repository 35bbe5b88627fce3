package io.holdfast.schemas.ledger;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.LedgerAudit.Kind;
import io.holdfast.schemas.ledger.LedgerAudit.Summary;
import io.holdfast.schemas.ledger.LedgerAudit.Violation;
import io.holdfast.schemas.version.BinsCodec;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.ReferenceCodec;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.schemas.version.VersionVerifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The audit of one model. Not thread-safe. */
final class ModelAudit {
  /*
   * What a cleaned topic still holds: of versions and segments all that retention did not delete; of
   * heads the present one and the history's newest. A version that is not there was deleted, and the
   * tombstone may be gone too; but retention deletes the oldest first, and spares only what the head
   * of that moment names. It works with every version that is trained. So a hole is explained if its
   * tombstone is seen, or if nothing older than the hole is there but what heads named since then.
   */
  private final String model;
  private final List<Violation> violations = new ArrayList<>();
  private final TreeMap<Long, Held> present = new TreeMap<>();
  private final TreeMap<Long, Digest> seen = new TreeMap<>();
  private final TreeSet<Long> deleted = new TreeSet<>();
  private final Map<LedgerKey.PieceKey, Piece> pieces = new HashMap<>();
  private final TreeMap<Long, ModelHead> history = new TreeMap<>();
  private final Set<Long> named = new HashSet<>();
  private final List<Absent> absent = new ArrayList<>();
  private final List<Nowhere> nowhere = new ArrayList<>();
  private @Nullable ModelHead head;
  private long heads;
  private long lastSequence;

  private record Held(ModelManifest manifest, Digest hash, long offset) {}

  private record Piece(int bytes, long offset) {}

  /** A segment, bins or a reference that were not there when a head named a version of them. */
  private record Absent(LedgerKey.PieceKey piece, Violation violation) {}

  /** A version that was not there when a head named it. */
  private record Nowhere(long version, boolean gone, Violation violation) {}

  /** Verifies a version as a scorer does. */
  @FunctionalInterface
  interface Verification {
    LedgerVersion version(long version) throws LedgerException;
  }

  ModelAudit(String model) {
    this.model = model;
  }

  void apply(long offset, LedgerKey key, byte @Nullable [] value) {
    try {
      switch (key) {
        case LedgerKey.PieceKey piece -> piece(offset, piece, value);
        case LedgerKey.VersionKey version -> version(offset, version.version(), value);
        case LedgerKey.HistoryKey past -> past(offset, past.sequence(), value);
        case LedgerKey.HeadKey _ -> head(offset, value);
      }
    } catch (LedgerException e) {
      Kind kind = e.reason() == Reason.HASH_MISMATCH ? Kind.HASH_MISMATCH : Kind.BAD_RECORD;
      violation(offset, kind, "%s: %s", key, e.getMessage());
    }
  }

  private void piece(long offset, LedgerKey.PieceKey key, byte @Nullable [] value)
      throws LedgerException {
    if (value == null) {
      pieces.remove(key);
      return;
    }
    Digest actual = LedgerCodec.digest(value);
    if (!actual.equals(key.digest())) {
      throw Reason.HASH_MISMATCH.because("its bytes have the hash %s", actual);
    }
    Object _ =
        switch (key) {
          case LedgerKey.SegmentKey _ -> LedgerCodec.trees(value);
          case LedgerKey.BinsKey _ -> BinsCodec.bins(value);
          case LedgerKey.ReferenceKey _ -> ReferenceCodec.sketches(value);
        };
    pieces.put(key, new Piece(value.length, offset));
  }

  private void version(long offset, long number, byte @Nullable [] value) throws LedgerException {
    if (value == null) {
      present.remove(number);
      deleted.add(number);
      if (head != null && HeadRules.names(head).contains(number)) {
        violation(offset, Kind.DELETED, "version %d was deleted while the head names it", number);
      }
      return;
    }
    ModelManifest manifest = LedgerCodec.manifest(value);
    if (!manifest.getModel().equals(model) || manifest.getVersion() != number) {
      violation(
          offset,
          Kind.BAD_RECORD,
          "the manifest under version %d is of version %d of %s",
          number,
          manifest.getVersion(),
          manifest.getModel());
      return;
    }
    VersionVerifier.checkAlone(manifest);
    Digest hash = LedgerCodec.digest(value);
    Digest before = seen.put(number, hash);
    if (before != null && !before.equals(hash)) {
      violation(
          offset,
          Kind.PUBLISHED_TWICE,
          "version %d was published with the hash %s, and before with %s",
          number,
          hash,
          before);
    }
    if (before == null) {
      parent(offset, manifest);
    }
    present.put(number, new Held(manifest, hash, offset));
  }

  /** A version grows from the tip of its moment. */
  private void parent(long offset, ModelManifest manifest) {
    Sha256Digest bytes = manifest.getParentHash();
    if (bytes == null || head == null || Retrained.of(manifest) != null) {
      return; // what there was before the first head that is left is checked at the end
    }
    Digest parent = Digest.of(bytes);
    if (!HeadRules.tipHash(head).equals(parent)) {
      violation(
          offset,
          Kind.BRANCH,
          "version %d grew from %s while version %d with the hash %s was the tip",
          manifest.getVersion(),
          parent,
          HeadRules.tipVersion(head),
          HeadRules.tipHash(head));
    }
  }

  private void past(long offset, long sequence, byte @Nullable [] value) throws LedgerException {
    if (value == null) {
      history.remove(sequence);
      if (sequence > lastSequence + 1 - LedgerCodec.RETAIN_HEADS) {
        violation(
            offset,
            Kind.DELETED,
            "head %d was deleted, and it is one of the newest %d",
            sequence,
            LedgerCodec.RETAIN_HEADS);
      }
      return;
    }
    ModelHead past = LedgerCodec.head(value);
    if (!past.getModel().equals(model) || past.getSequence() != sequence) {
      violation(
          offset,
          Kind.BAD_RECORD,
          "the head under number %d is number %d of %s",
          sequence,
          past.getSequence(),
          past.getModel());
      return;
    }
    if (lastSequence > 0 && sequence != lastSequence + 1) {
      violation(
          offset,
          Kind.LOST_HEAD,
          sequence <= lastSequence
              ? "head %d was written after head %d: it took the place of another"
              : "head %d came after head %d: those between are lost",
          sequence,
          lastSequence);
    }
    lastSequence = Math.max(lastSequence, sequence);
    history.put(sequence, past);
    take(offset, past);
  }

  private void head(long offset, byte @Nullable [] value) throws LedgerException {
    if (value == null) {
      violation(offset, Kind.DELETED, "the head was deleted");
      return;
    }
    ModelHead next = LedgerCodec.head(value);
    if (!next.getModel().equals(model)) {
      violation(offset, Kind.BAD_RECORD, "the head is one of %s", next.getModel());
      return;
    }
    if (next.getSequence() > 0) {
      if (!next.equals(history.get(next.getSequence()))) {
        violation(offset, Kind.LOST_HEAD, "head %d is not in the history", next.getSequence());
      }
    } else {
      take(offset, next); // written before heads were numbered
    }
    head = next;
    heads++;
  }

  /** A head says nothing that cannot be read at its moment. */
  private void take(long offset, ModelHead next) {
    head = next;
    if (next.getReason() == HeadReason.TRAINED || next.getReason() == HeadReason.GATED) {
      named.clear();
    }
    named.addAll(HeadRules.names(next));
    checkNamed(offset, next, next.getVersion(), Digest.of(next.getHash()));
    checkNamed(offset, next, HeadRules.tipVersion(next), HeadRules.tipHash(next));
    Long shadow = next.getShadowVersion();
    Sha256Digest shadowHash = next.getShadowHash();
    if (shadow != null && shadowHash != null) {
      checkNamed(offset, next, shadow, Digest.of(shadowHash));
    }
  }

  private void checkNamed(long offset, ModelHead by, long version, Digest hash) {
    Held held = present.get(version);
    if (held == null) {
      String detail =
          Sentence.of("head %d names version %d, which was not there", by.getSequence(), version);
      nowhere.add(
          new Nowhere(
              version,
              seen.containsKey(version),
              new Violation(offset, model, Kind.HEAD_OF_NOTHING, detail)));
      return;
    }
    if (!held.hash.equals(hash)) {
      violation(
          offset,
          Kind.HEAD_OF_NOTHING,
          "head %d names version %d with the hash %s, and it has %s",
          by.getSequence(),
          version,
          hash,
          held.hash);
    }
    for (LedgerKey.PieceKey key : NamedSegments.pieces(held.manifest, true)) {
      if (!pieces.containsKey(key)) {
        String what =
            switch (key) {
              case LedgerKey.SegmentKey _ -> "segment";
              case LedgerKey.BinsKey _ -> "record of bins";
              case LedgerKey.ReferenceKey _ -> "training reference";
            };
        String detail =
            Sentence.of(
                "head %d names version %d, whose %s %s was not there",
                by.getSequence(), version, what, key.digest());
        absent.add(new Absent(key, new Violation(offset, model, Kind.HEAD_OF_NOTHING, detail)));
      }
    }
  }

  List<Violation> finish(Verification verification) {
    for (Absent one : absent) {
      // What was written again later is compacted to its later place.
      Piece later = pieces.get(one.piece);
      if (later == null || later.offset < one.violation.offset()) {
        violations.add(one.violation);
      }
    }
    for (Nowhere one : nowhere) {
      // A head of long ago may name what was deleted since, and compaction took away.
      boolean came = one.gone || seen.containsKey(one.version) || one.version > newest();
      if (came || !explained(one.version)) {
        violations.add(one.violation);
      }
    }
    gaps();
    for (Held held : present.values()) {
      parentOf(held);
      try {
        var _ = verification.version(held.manifest.getVersion());
      } catch (LedgerException e) {
        violation(
            held.offset,
            Kind.UNVERIFIABLE,
            "version %d: %s",
            held.manifest.getVersion(),
            e.getMessage());
      }
    }
    return List.copyOf(violations);
  }

  private void gaps() {
    long before = -1;
    for (long number : seen.keySet()) {
      long missing = number - before - 1;
      if (missing > deleted.subSet(before + 1, number).size() && !explained(before + 1)) {
        violation(
            -1,
            Kind.GAP,
            "versions between %d and %d are missing, and older ones are there",
            before,
            number);
      }
      before = number;
    }
  }

  /** Whether a version that was never seen may have been deleted. */
  private boolean explained(long number) {
    return deleted.contains(number)
        || named.containsAll(present.headMap(number).keySet())
        || forgotten(number);
  }

  /** Whether versions that were trained again stand in the place of one of that number. */
  private boolean forgotten(long number) {
    return present.tailMap(number, false).values().stream()
        .map(Held::manifest)
        .anyMatch(later -> Retrained.of(later) != null && later.getParentVersion() <= number);
  }

  private void parentOf(Held held) {
    Sha256Digest bytes = held.manifest.getParentHash();
    if (bytes == null) {
      return;
    }
    Digest hash = Digest.of(bytes);
    long number = held.manifest.getParentVersion();
    boolean known = number < 0 ? seen.containsValue(hash) : hash.equals(seen.get(number));
    boolean mayBeGone =
        number < 0
            ? seen.size() < held.manifest.getVersion() // some older one was
            : (number == 0 && Retrained.of(held.manifest) != null) // made anew, and not written
                || (!seen.containsKey(number) && explained(number));
    if (!known && !mayBeGone) {
      violation(
          held.offset,
          Kind.UNKNOWN_PARENT,
          "version %d grew from %s, which no older version has",
          held.manifest.getVersion(),
          hash);
    }
  }

  Summary summary() {
    return new Summary(
        present.size(),
        newest(),
        heads,
        segments().count(),
        segments().mapToLong(Piece::bytes).sum());
  }

  private Stream<Piece> segments() {
    return pieces.entrySet().stream()
        .filter(piece -> piece.getKey() instanceof LedgerKey.SegmentKey)
        .map(Map.Entry::getValue);
  }

  private long newest() {
    return present.isEmpty() ? -1 : present.lastKey();
  }

  @FormatMethod
  private void violation(
      long offset, Kind kind, @FormatString String detail, @Nullable Object... arguments) {
    violations.add(new Violation(offset, model, kind, Sentence.of(detail, arguments)));
  }
}
