package io.holdfast.schemas.ledger;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.version.BinsCodec;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
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
  private static final long MAX_UNNAMED_BYTES = 256L << 20;

  private final String model;
  private final int retainVersions;
  private final boolean scores;
  private final PieceStore<List<Tree>> segments =
      new PieceStore<>(MAX_UNNAMED_BYTES, LedgerCodec::trees);
  private final PieceStore<Bins> bins = new PieceStore<>(MAX_UNNAMED_BYTES, BinsCodec::bins);
  private final PieceStore<TrainingReference> references =
      new PieceStore<>(MAX_UNNAMED_BYTES, ReferenceCodec::sketches);
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

  void segment(Digest digest, byte[] bytes) throws LedgerException {
    LedgerLimits.read(bytes.length - 10L, LedgerLimits.SEGMENT_BYTES, "the bytes of a segment");
    checkHash(digest, bytes, "segment");
    segments.put(digest, bytes);
  }

  void bins(Digest digest, byte[] bytes) throws LedgerException {
    if (!scores) {
      LedgerLimits.read(
          bytes.length - 10L, LedgerLimits.BINS_BYTES, "the bytes of a record of bins");
      checkHash(digest, bytes, "bins");
      bins.put(digest, bytes);
    }
  }

  void reference(Digest digest, byte[] bytes) throws LedgerException {
    if (!scores) {
      LedgerLimits.read(
          bytes.length - 10L, LedgerLimits.REFERENCE_BYTES, "the bytes of a training reference");
      checkHash(digest, bytes, "reference");
      references.put(digest, bytes);
    }
  }

  private static void checkHash(Digest digest, byte[] bytes, String what) throws LedgerException {
    Digest actual = LedgerCodec.digest(bytes);
    if (!actual.equals(digest)) {
      throw new LedgerException(
          Reason.HASH_MISMATCH,
          Sentence.of("the bytes under %s %s have the hash %s", what, digest, actual));
    }
  }

  void removeBins(Digest digest) {
    bins.remove(digest);
  }

  void removeReference(Digest digest) {
    references.remove(digest);
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
    segments.name(NamedSegments.digests(manifest));
    bins.name(bins(manifest));
    references.name(references(manifest));
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

  /** What a head names. */
  private Set<Long> needed() {
    Set<Long> needed = new HashSet<>();
    for (ModelHead named : new ModelHead[] {head, pending}) {
      if (named != null) {
        needed.add(named.getVersion());
        needed.add(HeadRules.tipVersion(named));
        if (named.getShadowVersion() != null) {
          needed.add(named.getShadowVersion());
        }
      }
    }
    return needed;
  }

  void removeManifest(long version) {
    Held old = manifests.remove(version);
    if (old != null) {
      unname(old.manifest);
    }
  }

  private void unname(ModelManifest manifest) {
    segments.unname(NamedSegments.digests(manifest));
    bins.unname(bins(manifest));
    references.unname(references(manifest));
  }

  /** The bins that a version names and training needs: one at most. */
  private List<Digest> bins(ModelManifest manifest) {
    Digest named = scores ? null : BinsCodec.named(manifest);
    return named == null ? List.of() : List.of(named);
  }

  /** Likewise the reference. */
  private List<Digest> references(ModelManifest manifest) {
    Digest named = scores ? null : ReferenceCodec.named(manifest);
    return named == null ? List.of() : List.of(named);
  }

  /** Takes a head; it serves once it is verified. */
  void head(byte[] bytes) throws LedgerException {
    pending = ownHead(bytes);
    pendingRefused = false;
  }

  /** Something came: a head that waits may be complete now. */
  void changed() {
    pendingTried = false;
    fallBackTried = false;
  }

  /** Takes a head into the history; nothing serves for it. */
  void history(long sequence, byte[] bytes) throws LedgerException {
    ModelHead past = ownHead(bytes);
    if (past.getSequence() != sequence) {
      throw new LedgerException(
          Reason.BAD_RECORD,
          Sentence.of(
              "the head under number %d of %s has the number %d",
              sequence, model, past.getSequence()));
    }
    history.put(sequence, past);
    while (history.size() > LedgerCodec.RETAIN_HEADS) {
      history.pollFirstEntry();
    }
  }

  private ModelHead ownHead(byte[] bytes) throws LedgerException {
    ModelHead head = LedgerCodec.head(bytes);
    if (!head.getModel().equals(model)) {
      throw new LedgerException(
          Reason.BAD_RECORD,
          Sentence.of("the head of %s names the model %s", model, head.getModel()));
    }
    return head;
  }

  void removeHistory(long sequence) {
    history.remove(sequence);
  }

  List<ModelHead> history() {
    return List.copyOf(history.values());
  }

  String name() {
    return model;
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

  int segmentsHeld() {
    return segments.size();
  }

  int binsHeld() {
    return bins.size();
  }

  int referencesHeld() {
    return references.size();
  }

  /**
   * Makes the pending head serve. A shadow that cannot be verified is left out: what nobody is
   * served must not keep a version from those who are.
   *
   * @throws LedgerException if it cannot be verified; what served before serves on
   */
  LedgerVersion swap(ModelHead candidate) throws LedgerException {
    LedgerVersion version =
        verified(candidate.getVersion(), Digest.fromBytes(candidate.getHash().bytes()));
    LedgerVersion beside = null;
    shadowFault = null;
    try {
      beside = shadowOf(candidate);
    } catch (LedgerException e) {
      shadowFault = e;
    }
    shadow = beside;
    serving = version;
    head = candidate;
    pending = null;
    return version;
  }

  private @Nullable LedgerVersion shadowOf(ModelHead candidate) throws LedgerException {
    Long version = candidate.getShadowVersion();
    Sha256Digest hash = candidate.getShadowHash();
    return version == null || hash == null
        ? null // heads of format 1 name no hash, and nothing ever shadowed under one
        : verified(version, Digest.fromBytes(hash.bytes()));
  }

  /**
   * That a head could not be made to serve. One that never can is forgotten; else it is tried again
   * when something has come.
   *
   * @return whether it was refused before
   */
  boolean refuse(ModelHead candidate, boolean mayHeal) {
    boolean before = pendingRefused;
    pending = mayHeal ? candidate : null;
    pendingTried = true;
    pendingRefused = true;
    return before;
  }

  /**
   * Makes the newest head that can serve do so, though the one that was refused came behind it:
   * what served before serves on.
   *
   * @return null if there is none
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
      Held child = held;
      held = parent(child.manifest);
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
      throw new LedgerException(
          Reason.HASH_MISMATCH,
          Sentence.of(
              "version %d of %s has the hash %s, and the head names %s",
              version, model, held.hash, hash));
    }
    checkChain(held.manifest);
    for (Digest digest : NamedSegments.digests(held.manifest)) {
      if (!segments.has(digest)) {
        throw new LedgerException(
            Reason.MISSING_SEGMENT,
            Sentence.of("version %d of %s lacks its segment %s", version, model, digest));
      }
    }
    Kept kept = new Kept(keptBins(held.manifest), keptReference(held.manifest));
    return VersionVerifier.version(held.manifest, hash, this::trees, kept);
  }

  private List<Tree> trees(Digest digest) throws LedgerException {
    List<Tree> trees = segments.find(digest);
    if (trees == null) {
      throw new LedgerException(
          Reason.MISSING_SEGMENT, Sentence.of("segment %s is not on the topic", digest));
    }
    return trees;
  }

  /** The bins that a version names; null if it names none, or nobody trains here. */
  private @Nullable Bins keptBins(ModelManifest manifest) throws LedgerException {
    Bins kept = kept(bins, bins(manifest), manifest, Reason.MISSING_BINS, "bins");
    if (kept != null) {
      BinsCodec.check(manifest, kept);
    }
    return kept;
  }

  private @Nullable KeptReference keptReference(ModelManifest manifest) throws LedgerException {
    TrainingReference sketches =
        kept(references, references(manifest), manifest, Reason.MISSING_REFERENCE, "reference");
    return sketches == null ? null : ReferenceCodec.kept(manifest, sketches);
  }

  /** The one that is named; null if none is. */
  private <T> @Nullable T kept(
      PieceStore<T> pieces, List<Digest> named, ModelManifest manifest, Reason missing, String what)
      throws LedgerException {
    if (named.isEmpty()) {
      return null;
    }
    T kept = pieces.find(named.getFirst());
    if (kept == null) {
      throw new LedgerException(
          missing,
          Sentence.of(
              "version %d of %s lacks its %s %s",
              manifest.getVersion(), model, what, named.getFirst()));
    }
    return kept;
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
      throw new LedgerException(
          Reason.BROKEN_CHAIN,
          Sentence.of(
              "version %d of %s grew from %s, which is no older version on the topic",
              manifest.getVersion(), model, Digest.fromBytes(parentHash.bytes())));
    }
  }

  private @Nullable Held parent(ModelManifest manifest) {
    Sha256Digest parentHash = manifest.getParentHash();
    if (parentHash != null) {
      Digest hash = Digest.fromBytes(parentHash.bytes());
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
    return new LedgerException(
        Reason.MISSING_MANIFEST,
        Sentence.of("version %d of %s is not on the topic", version, model));
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
