package io.holdfast.faults.poison;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Versions that nobody should publish, made of a good one with all hashes put right, so that what
 * is wrong must be found. Immutable.
 *
 * @param serving what they say they grew from
 * @param segment trees, of which one has a split
 * @param head the one that serves
 */
record BadVersions(LedgerVersion serving, TreeSegment segment, ModelHead head) {
  private static final int FRAME = 10;
  private static final long MUCH = 1L << 31;
  private static final int NOWHERE = 1_000;

  /** What is wrong with a version, and the reason that it must be refused for. */
  enum Kind {
    SEGMENT_MISSING("MISSING_SEGMENT"),
    SEGMENT_UNDER_ANOTHER_MODEL("MISSING_SEGMENT"),
    SEGMENT_UNDER_ANOTHER_HASH("HASH_MISMATCH"),
    SEGMENT_OF_ANOTHER_MODELS_FEATURES("INCOMPATIBLE_FEATURES"),
    SEGMENT_CUT_SHORT("BAD_RECORD"),
    SEGMENT_OF_2_TO_THE_31_TREES("BAD_RECORD"),
    CYCLE("BAD_RECORD"),
    CHILD_OUT_OF_RANGE("BAD_RECORD"),
    LEAF_OUT_OF_RANGE("BAD_RECORD"),
    LEAF_NOT_A_NUMBER("BAD_RECORD"),
    LEAF_INFINITE("BAD_RECORD"),
    THRESHOLD_NOT_A_NUMBER("BAD_RECORD"),
    TREES_MISCOUNTED("BAD_RECORD"),
    WRONG_PARENT("BROKEN_CHAIN"),
    PARENT_AFTER_IT("BAD_RECORD"),
    OTHER_FEATURES("INCOMPATIBLE_FEATURES"),
    MANIFEST_OF_2_TO_THE_31_PARAMETERS("BAD_RECORD"),
    MANIFEST_OF_A_NEWER_FORMAT("BAD_RECORD"),
    MANIFEST_OF_A_NEWER_SCHEMA("BAD_RECORD"),
    MANIFEST_OF_ANOTHER_VERSION("BAD_RECORD"),
    UNKNOWN_OBJECTIVE("BAD_RECORD"),
    HEAD_TO_NOWHERE("MISSING_MANIFEST"),
    HEAD_OF_ANOTHER_HASH("HASH_MISMATCH"),
    HEAD_OF_A_NEWER_FORMAT("BAD_RECORD"),
    HEAD_OF_ANOTHER_MODEL("BAD_RECORD");

    private final String reason;

    Kind(String reason) {
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  /** The records of such a version, its head last. */
  List<LedgerRecord> of(Kind kind) throws LedgerException {
    return switch (kind) {
      case SEGMENT_MISSING -> good().subList(1, good().size());
      case SEGMENT_UNDER_ANOTHER_MODEL -> underKey("others", digest(good().getFirst().value()));
      case SEGMENT_UNDER_ANOTHER_HASH ->
          underKey(serving.manifest().getModel(), Digest.of(new byte[] {1}));
      case SEGMENT_OF_ANOTHER_MODELS_FEATURES -> ofTree(tree -> tree.getFeatures().set(0, NOWHERE));
      case SEGMENT_CUT_SHORT -> ofSegment(cut(Contracts.SEGMENT.encode(segment)));
      case SEGMENT_OF_2_TO_THE_31_TREES ->
          ofSegment(
              Contracts.SEGMENT.framed(
                  ContractCodec.body(
                      out -> {
                        out.writeInt(segment.getFormat());
                        out.writeLong(MUCH);
                      })));
      case CYCLE -> ofTree(tree -> tree.getLeft().set(0, 0));
      case CHILD_OUT_OF_RANGE -> ofTree(tree -> tree.getLeft().set(0, NOWHERE));
      case LEAF_OUT_OF_RANGE -> ofTree(tree -> tree.getRight().set(0, -1 - NOWHERE));
      case LEAF_NOT_A_NUMBER -> ofTree(tree -> tree.getLeafValues().set(0, Double.NaN));
      case LEAF_INFINITE -> ofTree(tree -> tree.getLeafValues().set(0, Double.NEGATIVE_INFINITY));
      case THRESHOLD_NOT_A_NUMBER -> ofTree(tree -> tree.getThresholds().set(0, Double.NaN));
      case TREES_MISCOUNTED ->
          ofManifest(
              manifest -> {
                ManifestSegment last = manifest.getSegments().getLast();
                manifest
                    .getSegments()
                    .set(
                        manifest.getSegments().size() - 1,
                        new ManifestSegment(
                            last.getSha256(), last.getTrees() + 1, last.getDecay()));
              });
      case WRONG_PARENT ->
          ofManifest(manifest -> manifest.setParentHash(Digest.of(new byte[] {2}).stored()));
      case PARENT_AFTER_IT -> ofManifest(manifest -> manifest.setParentVersion(number()));
      case OTHER_FEATURES ->
          ofManifest(
              manifest ->
                  manifest.getFeatures().set(0, new ManifestFeature("another", false, List.of())));
      case MANIFEST_OF_2_TO_THE_31_PARAMETERS -> withManifest(manifestOfMany());
      case MANIFEST_OF_A_NEWER_FORMAT -> ofManifest(manifest -> manifest.setFormat(1_000));
      case MANIFEST_OF_A_NEWER_SCHEMA -> {
        byte[] manifest = Contracts.MANIFEST.encode(next());
        manifest[FRAME - 1] ^= 0x40;
        yield withManifest(manifest);
      }
      case MANIFEST_OF_ANOTHER_VERSION -> ofManifest(manifest -> manifest.setVersion(number() + 1));
      case UNKNOWN_OBJECTIVE -> ofManifest(manifest -> manifest.setObjective("tomorrows"));
      case HEAD_TO_NOWHERE -> LedgerCodec.records(headOf(NOWHERE, Digest.of(new byte[] {3})));
      case HEAD_OF_ANOTHER_HASH ->
          withHead(good(), one -> one.setHash(Digest.of(new byte[] {4}).stored()));
      case HEAD_OF_A_NEWER_FORMAT -> withHead(good(), one -> one.setFormat(1_000));
      case HEAD_OF_ANOTHER_MODEL -> withHead(good(), one -> one.setModel("others"));
    };
  }

  /** The same with a segment that is on no topic yet. */
  BadVersions another() {
    TreeSegment changed = TreeSegment.newBuilder(segment).build();
    List<Double> leaves = changed.getTrees().getFirst().getLeafValues();
    leaves.set(0, leaves.getFirst() + 1);
    return new BadVersions(serving, changed, head);
  }

  /** Its number. */
  long number() {
    return serving.number() + 1;
  }

  /** The records of a version with which all is well: segment, manifest, head. */
  List<LedgerRecord> good() throws LedgerException {
    return ofSegment(Contracts.SEGMENT.encode(segment));
  }

  /** A manifest of it, as it should be. */
  private ModelManifest next() throws LedgerException {
    return next(digest(Contracts.SEGMENT.encode(segment)));
  }

  private ModelManifest next(Digest named) {
    List<ManifestSegment> segments = new ArrayList<>(serving.manifest().getSegments());
    segments.add(new ManifestSegment(named.stored(), segment.getTrees().size(), 1.0));
    return ModelManifest.newBuilder(serving.manifest())
        .setVersion(number())
        .setParentVersion(serving.number())
        .setParentHash(serving.hash().stored())
        .setSegments(segments)
        .setWindow(List.of()) // as of one that was not trained from the log
        .setMemory(List.of())
        .setReplay(List.of())
        .build();
  }

  private ModelHead headOf(long version, Digest hash) {
    return ModelHead.newBuilder(head)
        .setVersion(version)
        .setHash(hash.stored())
        .setTipVersion(version)
        .setTipHash(hash.stored())
        .setReason(HeadReason.TRAINED)
        .setSequence(head.getSequence() + 1)
        .build();
  }

  /** A version whose first tree with a split is changed. */
  private List<LedgerRecord> ofTree(Consumer<TreeNodes> change) throws LedgerException {
    TreeSegment changed = TreeSegment.newBuilder(segment).build();
    change.accept(
        changed.getTrees().stream()
            .filter(tree -> !tree.getLeft().isEmpty())
            .findFirst()
            .orElseThrow());
    return ofSegment(Contracts.SEGMENT.encode(changed));
  }

  private List<LedgerRecord> ofSegment(byte[] bytes) throws LedgerException {
    Digest digest = digest(bytes);
    var key = new LedgerKey.SegmentKey(serving.manifest().getModel(), digest);
    List<LedgerRecord> records = new ArrayList<>(List.of(new LedgerRecord(key, bytes)));
    records.addAll(published(Contracts.MANIFEST.encode(next(digest))));
    return records;
  }

  private List<LedgerRecord> underKey(String model, Digest digest) throws LedgerException {
    List<LedgerRecord> records = new ArrayList<>(good());
    records.set(
        0, new LedgerRecord(new LedgerKey.SegmentKey(model, digest), records.getFirst().value()));
    return records;
  }

  private List<LedgerRecord> ofManifest(Consumer<ModelManifest.Builder> change)
      throws LedgerException {
    ModelManifest.Builder manifest = ModelManifest.newBuilder(next());
    change.accept(manifest);
    return withManifest(Contracts.MANIFEST.encode(manifest.build()));
  }

  private List<LedgerRecord> withManifest(byte[] manifest) throws LedgerException {
    List<LedgerRecord> records = new ArrayList<>(good().subList(0, 1));
    records.addAll(published(manifest));
    return records;
  }

  /** A manifest, and the head that names it by its true hash. */
  private List<LedgerRecord> published(byte[] manifest) throws LedgerException {
    var key = new LedgerKey.VersionKey(serving.manifest().getModel(), number());
    List<LedgerRecord> records = new ArrayList<>(List.of(new LedgerRecord(key, manifest)));
    records.addAll(LedgerCodec.records(headOf(number(), digest(manifest))));
    return records;
  }

  /** With another head, which its key does not know of. */
  private static List<LedgerRecord> withHead(
      List<LedgerRecord> records, Consumer<ModelHead.Builder> change) throws LedgerException {
    List<LedgerRecord> changed = new ArrayList<>();
    for (LedgerRecord record : records) {
      byte[] value = Objects.requireNonNull(record.value());
      if (record.key() instanceof LedgerKey.HeadKey
          || record.key() instanceof LedgerKey.HistoryKey) {
        ModelHead.Builder head = ModelHead.newBuilder(LedgerCodec.head(value));
        change.accept(head);
        value = Contracts.HEAD.encode(head.build());
      }
      changed.add(new LedgerRecord(record.key(), value));
    }
    return changed;
  }

  private byte[] manifestOfMany() throws LedgerException {
    ModelManifest manifest = next();
    return Contracts.MANIFEST.framed(
        ContractCodec.body(
            (Encoder out) -> {
              out.writeInt(manifest.getFormat());
              out.writeString(manifest.getModel());
              out.writeLong(manifest.getVersion());
              out.writeIndex(1);
              out.writeFixed(serving.hash().bytes());
              out.writeString(manifest.getObjective());
              out.writeLong(MUCH);
            }));
  }

  /**
   * The good version with a bit flipped in its segment, place 0, or its manifest, 1; every byte in
   * its turn, from {@code first} on, but for {@code step - 1} between two.
   */
  List<List<LedgerRecord>> flipped(int place, int first, int step) throws LedgerException {
    List<List<LedgerRecord>> all = new ArrayList<>();
    List<LedgerRecord> good = good();
    byte[] value = Objects.requireNonNull(good.get(place).value());
    for (int at = first; at < value.length; at += step) {
      byte[] other = value.clone();
      other[at] ^= (byte) (1 << at % 8);
      List<LedgerRecord> records = new ArrayList<>(good);
      records.set(place, new LedgerRecord(good.get(place).key(), other));
      all.add(records);
    }
    return all;
  }

  private static byte[] cut(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - 3);
  }

  private static Digest digest(byte @Nullable [] bytes) throws LedgerException {
    return LedgerCodec.digest(Objects.requireNonNull(bytes));
  }
}
