package io.holdfast.schemas.ledger;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.version.BinsCodec;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerLimits;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.ReferenceCodec;
import io.holdfast.schemas.version.VersionVerifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the topic says of one model. Not thread-safe. */
final class ModelLedger {
  private final String model;
  private final int retainVersions;
  private final boolean scores;
  final PieceStore<List<Tree>> segments =
      new PieceStore<>(
          "segment",
          "segment",
          LedgerLimits.SEGMENT_BYTES,
          Reason.MISSING_SEGMENT,
          LedgerCodec::trees);
  final PieceStore<Bins> bins =
      new PieceStore<>(
          "bins", "record of bins", LedgerLimits.BINS_BYTES, Reason.MISSING_BINS, BinsCodec::bins);
  final PieceStore<TrainingReference> references =
      new PieceStore<>(
          "reference",
          "training reference",
          LedgerLimits.REFERENCE_BYTES,
          Reason.MISSING_REFERENCE,
          ReferenceCodec::sketches);
  private final TreeMap<Long, Held> manifests = new TreeMap<>();
  private final TreeMap<Long, ModelHead> history = new TreeMap<>();
  private @Nullable ModelHead pending;
  private boolean pendingTried; // and nothing came since
  private boolean pendingRefused;
  private boolean fallBackTried; // likewise
  private @Nullable ModelHead head;
  private @Nullable LedgerVersion serving;
  private @Nullable LedgerVersion shadow;
  private @Nullable LedgerException shadowFault;

  private record Held(ModelManifest manifest, Digest hash) {}

  /** With {@code scores}, what only training goes on with is neither held nor asked for. */
  ModelLedger(String model, int retainVersions, boolean scores) {
    this.model = model;
    this.retainVersions = retainVersions;
    this.scores = scores;
  }

  private PieceStore<?> store(LedgerKey.PieceKey key) {
    return switch (key) {
      case LedgerKey.SegmentKey _ -> segments;
      case LedgerKey.BinsKey _ -> bins;
      case LedgerKey.ReferenceKey _ -> references;
    };
  }

  void piece(LedgerKey.PieceKey key, byte @Nullable [] bytes) throws LedgerException {
    if (bytes == null) {
      store(key).remove(key.digest());
    } else if (!scores || key instanceof LedgerKey.SegmentKey) {
      store(key).put(key.digest(), bytes);
    }
  }

  void manifest(long version, byte @Nullable [] bytes) throws LedgerException {
    if (bytes == null) {
      removeManifest(version);
      return;
    }
    ModelManifest manifest = LedgerCodec.manifest(bytes);
    if (!manifest.getModel().equals(model) || manifest.getVersion() != version) {
      throw Reason.BAD_RECORD.because(
          "the manifest under version %d of %s is of version %d of %s",
          version, model, manifest.getVersion(), manifest.getModel());
    }
    VersionVerifier.checkAlone(manifest);
    Held held = new Held(manifest, LedgerCodec.digest(bytes));
    // Named before the old one is dropped: segments of both must not be dropped between.
    pieces(manifest).forEach(key -> store(key).name(key.digest()));
    Held old = manifests.put(version, held);
    if (old != null) {
      unname(old.manifest);
    }
    if (manifests.size() > retainVersions) {
      Set<Long> needed = needed();
      needed.add(version);
      manifests.keySet().stream()
          .filter(number -> !needed.contains(number))
          .findFirst()
          .ifPresent(this::removeManifest);
    }
  }

  /** What heads name. */
  private Set<Long> needed() {
    Set<Long> needed = new HashSet<>();
    for (ModelHead named : new ModelHead[] {head, pending}) {
      if (named != null) {
        needed.addAll(HeadRules.names(named));
      }
    }
    return needed;
  }

  private void removeManifest(long version) {
    Held old = manifests.remove(version);
    if (old != null) {
      unname(old.manifest);
    }
  }

  private void unname(ModelManifest manifest) {
    pieces(manifest).forEach(key -> store(key).unname(key.digest()));
  }

  private List<LedgerKey.PieceKey> pieces(ModelManifest manifest) {
    return NamedSegments.pieces(manifest, !scores);
  }

  /** Takes a head; it serves once it is verified. None is deleted: the last one holds. */
  void head(byte @Nullable [] bytes) throws LedgerException {
    if (bytes == null) {
      return;
    }
    pending = ownHead(bytes);
    pendingRefused = false;
  }

  /** Something came: a head that waits may be complete now. */
  void changed() {
    pendingTried = false;
    fallBackTried = false;
  }

  /** Takes a head into the history; nothing serves for it. */
  void history(long sequence, byte @Nullable [] bytes) throws LedgerException {
    if (bytes == null) {
      history.remove(sequence);
      return;
    }
    ModelHead past = ownHead(bytes);
    if (past.getSequence() != sequence) {
      throw Reason.BAD_RECORD.because(
          "the head under number %d of %s has the number %d", sequence, model, past.getSequence());
    }
    history.put(sequence, past);
    while (history.size() > LedgerCodec.RETAIN_HEADS) {
      history.pollFirstEntry();
    }
  }

  private ModelHead ownHead(byte[] bytes) throws LedgerException {
    ModelHead head = LedgerCodec.head(bytes);
    if (!head.getModel().equals(model)) {
      throw Reason.BAD_RECORD.because("the head of %s names the model %s", model, head.getModel());
    }
    return head;
  }

  List<ModelHead> history() {
    return List.copyOf(history.values());
  }

  String name() {
    return model;
  }

  /** A head that somebody deleted is in the history still, of which the newest counts then. */
  void recallHead() {
    if (head == null && pending == null && !pendingRefused && !history.isEmpty()) {
      pending = history.lastEntry().getValue();
    }
  }

  /** The head that does not serve yet, if it was not tried with what is there now. */
  @Nullable ModelHead untried() {
    return pendingTried ? null : pending;
  }

  @Nullable ModelHead head() {
    return head;
  }

  @Nullable LedgerVersion serving() {
    return serving;
  }

  @Nullable LedgerVersion shadow() {
    return shadow;
  }

  /** Why the version that the head names as its shadow is none; null if it is, or none is named. */
  @Nullable LedgerException shadowFault() {
    return shadowFault;
  }

  List<ModelManifest> manifests() {
    return manifests.values().stream().map(Held::manifest).toList();
  }

  Optional<Digest> hash(long version) {
    return Optional.ofNullable(manifests.get(version)).map(Held::hash);
  }

  /**
   * Makes a head serve, if its version can be verified. A shadow that cannot be is left out: what
   * nobody is served must not keep a version from those who are.
   */
  LedgerVersion swap(ModelHead candidate) throws LedgerException {
    LedgerVersion version = verified(candidate.getVersion(), Digest.of(candidate.getHash()));
    LedgerVersion beside = null;
    shadowFault = null;
    Long number = candidate.getShadowVersion();
    Sha256Digest hash = candidate.getShadowHash();
    if (number != null && hash != null) { // heads of format 1 name no hash, nor had they shadows
      try {
        beside = verified(number, Digest.of(hash));
      } catch (LedgerException e) {
        shadowFault = e;
      }
    }
    shadow = beside;
    serving = version;
    head = candidate;
    pending = null;
    return version;
  }

  /**
   * Notes that a head could not serve: one that never can is forgotten. Whether it was refused
   * before.
   */
  boolean refuse(ModelHead candidate, boolean mayHeal) {
    boolean before = pendingRefused;
    pending = mayHeal ? candidate : null;
    pendingTried = true;
    pendingRefused = true;
    return before;
  }

  /**
   * Makes the newest head serve that can, in place of the one that was refused; null if none can.
   */
  @Nullable ModelHead fallBack() {
    if (!pendingRefused || fallBackTried) {
      return null;
    }
    fallBackTried = true;
    for (ModelHead before : HeadRules.inPlaceOf(pending, history.descendingMap().values())) {
      ModelHead waiting = pending;
      try {
        swap(before);
        pending = waiting;
        return before;
      } catch (LedgerException e) {
        // As it was refused when it came.
      }
    }
    return null;
  }

  /** A version, whatever its hash. */
  LedgerVersion version(long version) throws LedgerException {
    Held held = manifests.get(version);
    if (held == null) {
      throw missing(version);
    }
    return verified(version, held.hash);
  }

  /** Whether {@code version} is {@code ancestor} or grew from it, as far as is known here. */
  boolean grewFrom(long version, long ancestor) {
    Held held = manifests.get(version);
    while (held != null && held.manifest.getVersion() > ancestor) {
      held = parent(held.manifest);
    }
    return held != null && held.manifest.getVersion() == ancestor;
  }

  /** The same instance for what serves or shadows already. */
  private LedgerVersion verified(long version, Digest hash) throws LedgerException {
    for (LedgerVersion known : new LedgerVersion[] {serving, shadow}) {
      if (known != null && known.number() == version && known.hash().equals(hash)) {
        return known;
      }
    }
    Held held = manifests.get(version);
    if (held == null) {
      throw missing(version);
    }
    if (!held.hash.equals(hash)) {
      throw Reason.HASH_MISMATCH.because(
          "version %d of %s has the hash %s, and the head names %s",
          version, model, held.hash, hash);
    }
    ModelManifest manifest = held.manifest;
    checkChain(manifest);
    for (LedgerKey.PieceKey key : pieces(manifest)) {
      store(key).require(manifest, key.digest());
    }
    return VersionVerifier.version(
        manifest, hash, digest -> segments.find(manifest, digest), kept(manifest));
  }

  /** What a version names beside its segments; nothing if nobody trains here. */
  private Kept kept(ModelManifest manifest) throws LedgerException {
    Digest ofBins = scores ? null : BinsCodec.named(manifest);
    Digest ofReference = scores ? null : ReferenceCodec.named(manifest);
    Bins found = ofBins == null ? null : bins.find(manifest, ofBins);
    if (found != null) {
      BinsCodec.check(manifest, found);
    }
    return new Kept(
        found,
        ofReference == null
            ? null
            : ReferenceCodec.kept(manifest, references.find(manifest, ofReference)));
  }

  private void checkChain(ModelManifest manifest) throws LedgerException {
    Sha256Digest parentHash = manifest.getParentHash();
    if (parentHash == null) {
      return;
    }
    Held parent = parent(manifest);
    if (parent != null) {
      VersionVerifier.checkFeatures(parent.manifest, manifest);
    } else if (!parentTidiedAway(manifest)) {
      throw Reason.BROKEN_CHAIN.because(
          "version %d of %s grew from %s, which is no older version on the topic",
          manifest.getVersion(), model, Digest.of(parentHash));
    }
  }

  private @Nullable Held parent(ModelManifest manifest) {
    Sha256Digest parentHash = manifest.getParentHash();
    if (parentHash != null) {
      Digest hash = Digest.of(parentHash);
      for (Held older : manifests.headMap(manifest.getVersion(), false).descendingMap().values()) {
        if (older.hash.equals(hash)) {
          return older;
        }
      }
    }
    return null;
  }

  /**
   * Whether a parent that is not there may have been tidied away. The oldest versions are, but for
   * those that a head names; so what is older than the unbroken run up to the newest may be gone.
   */
  private boolean parentTidiedAway(ModelManifest manifest) {
    long begin = manifests.lastKey();
    while (manifests.containsKey(begin - 1)) {
      begin--;
    }
    long parent = manifest.getParentVersion();
    return parent < 0
        ? manifest.getVersion() <= begin
        : parent < begin && !manifests.containsKey(parent);
  }

  private LedgerException missing(long version) {
    return Reason.MISSING_MANIFEST.because("version %d of %s is not on the topic", version, model);
  }

  /** The numbers there are, as one would say them: 0, 7 to 12. */
  String numbers() {
    List<String> runs = new ArrayList<>();
    long begin = -1;
    long end = -1;
    for (long number : manifests.keySet()) {
      if (number != end + 1 || begin < 0) {
        addRun(runs, begin, end);
        begin = number;
      }
      end = number;
    }
    addRun(runs, begin, end);
    return runs.isEmpty() ? "none" : String.join(", ", runs);
  }

  private static void addRun(List<String> runs, long begin, long end) {
    if (begin >= 0) {
      runs.add(begin == end ? "" + begin : begin + (end == begin + 1 ? ", " : " to ") + end);
    }
  }
}
