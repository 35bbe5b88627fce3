package io.holdfast.schemas.version;

import static io.holdfast.schemas.version.LedgerLimits.write;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ManifestReference;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestUncertainty;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.PromotionWish;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Engine models to and from the records of the model topic. Stateless.
 *
 * <p>Values are single-object encoded; a segment's or manifest's hash is the SHA-256 of the Avro
 * body behind the frame. Equal drafts give equal bytes: maps are written in order of their keys.
 *
 * <pre>
 * m/segment/HASH   C3 01 | fingerprint of TreeSegment, 8 bytes   | body, HASH = SHA-256(body)
 * m/bins/HASH      C3 01 | fingerprint of BinEdges, 8 bytes      | body, HASH = SHA-256(body)
 * m/reference/HASH C3 01 | fingerprint of ReferenceSketches      | body, HASH = SHA-256(body)
 * m/version/N      C3 01 | fingerprint of ModelManifest, 8 bytes | body, names the others by HASH
 * m/head           C3 01 | fingerprint of ModelHead, 8 bytes     | body, names N and SHA-256(its body)
 * m/heads/S        the same bytes as m/head once had, S is the head's sequence
 * </pre>
 *
 * <p>What an older version wrote, under its own schema's fingerprint, is read by Avro's schema
 * resolution ({@link Contracts}); hashes are of the bytes as they came, so they hold for ever. All
 * formats are drawn in docs/formats.md.
 */
public final class LedgerCodec {
  /** The layout of segments that this program writes; it reads all from 1. */
  static final int SEGMENT_FORMAT = 3;

  /** Of heads; of those that are not to be promoted the one before. */
  private static final int HEAD_FORMAT = 4;

  /** Heads of a model that are kept under keys of their own. */
  public static final int RETAIN_HEADS = 1_000;

  private LedgerCodec() {}

  /**
   * What the trainer gives for a new version; features, base, objective and segments come from the
   * model.
   *
   * @param parent the version it grew from; null for version 0
   * @param trained grown from {@code parent}'s model
   * @param memory the older examples that were trained on again, as ranges
   */
  public record Draft(
      String model,
      long version,
      @Nullable LedgerVersion parent,
      Model trained,
      double gamma,
      List<OffsetRange> window,
      List<OffsetRange> memory,
      List<String> environments,
      long seed,
      String settings,
      Map<String, Double> metrics,
      String programVersion,
      Extras extras) {

    /** One without {@link Extras}. */
    public Draft(
        String model,
        long version,
        @Nullable LedgerVersion parent,
        Model trained,
        double gamma,
        List<OffsetRange> window,
        List<OffsetRange> memory,
        List<String> environments,
        long seed,
        String settings,
        Map<String, Double> metrics,
        String programVersion) {
      this(
          model,
          version,
          parent,
          trained,
          gamma,
          window,
          memory,
          environments,
          seed,
          settings,
          metrics,
          programVersion,
          Extras.NONE);
    }

    /** Version 0, which learned from no rows that anybody keeps. */
    public static Draft first(
        String model,
        Model trained,
        double gamma,
        long seed,
        String settings,
        String programVersion) {
      List<OffsetRange> none = List.of();
      return new Draft(
          model,
          0,
          null,
          trained,
          gamma,
          none,
          none,
          List.of(),
          seed,
          settings,
          Map.of(),
          programVersion);
    }

    private Draft with(double ofTrained, Extras other) {
      return new Draft(
          model,
          version,
          parent,
          trained,
          ofTrained,
          window,
          memory,
          environments,
          seed,
          settings,
          metrics,
          programVersion,
          other);
    }

    /** This, with a ladder. */
    public Draft withLadder(double ofTrained, List<GammaVariant> others, @Nullable Double served) {
      return with(ofTrained, extras.with(others, served));
    }

    /** This, with what to go on with beside the model. */
    public Draft withKept(Kept kept) {
      return with(gamma, extras.with(kept));
    }

    /** This, with how sure its scores are; null if that is not said. */
    public Draft withUncertainty(@Nullable Uncertainty uncertainty) {
      return with(gamma, extras.with(uncertainty, extras.calibration));
    }

    /** This, with what corrects its probabilities; null if nothing does. */
    public Draft withCalibration(@Nullable LearnedCalibration calibration) {
      return with(gamma, extras.with(extras.uncertainty, calibration));
    }
  }

  /**
   * What few drafts have.
   *
   * @param replay the older examples that were trained on again, as rows of windows
   * @param heldOut the share of the window's rows that were kept out of training
   * @param rungs the trained model's trees with the leaf values of other gammas, ascending
   * @param rung the gamma of the one that scores; null if it is the trained model
   * @param kept what training is to go on with beside the model
   * @param uncertainty how sure scores are; null if that is not said
   * @param calibration what corrects probabilities; null if nothing does
   */
  public record Extras(
      List<ReplayedWindow> replay,
      double heldOut,
      List<GammaVariant> rungs,
      @Nullable Double rung,
      Kept kept,
      @Nullable Uncertainty uncertainty,
      @Nullable LearnedCalibration calibration) {
    static final Extras NONE = new Extras(List.of(), 0, List.of(), null, Kept.NONE);

    /** Where it is not said how sure scores are. */
    public Extras(
        List<ReplayedWindow> replay,
        double heldOut,
        List<GammaVariant> rungs,
        @Nullable Double rung,
        Kept kept) {
      this(replay, heldOut, rungs, rung, kept, null, null);
    }

    private Extras with(List<GammaVariant> others, @Nullable Double served) {
      return new Extras(replay, heldOut, others, served, kept, uncertainty, calibration);
    }

    private Extras with(Kept other) {
      return new Extras(replay, heldOut, rungs, rung, other, uncertainty, calibration);
    }

    private Extras with(@Nullable Uncertainty sure, @Nullable LearnedCalibration corrected) {
      return new Extras(replay, heldOut, rungs, rung, kept, sure, corrected);
    }
  }

  /** A version and the records that publish it: new segments and bins first, then the manifest. */
  public record Encoded(LedgerVersion version, List<LedgerRecord> records) {}

  /**
   * Encodes a version. Segments of the parent's trees are named, not written again; larger ones
   * than 512 KiB are split, so the next version is to grow from the model of the version returned.
   * Bins or a reference that do not fit into a record are not kept. What a reader would refuse is
   * an IllegalArgumentException.
   */
  public static Encoded encode(Draft draft) {
    LedgerVersion parent = draft.parent();
    Check.that(
        parent == null ? draft.version() == 0 : draft.version() > parent.number(),
        "version %s must be 0 without a parent, and above its parent's with one: %s",
        draft.version(),
        parent == null ? "no parent" : parent.number());
    SegmentWriter writer = new SegmentWriter(draft.model(), parent);
    SegmentWriter.Published own = writer.write(draft.trained());
    Model model = own.in(draft.trained());
    checkLimits(model);
    List<LedgerRung> rungs = RungRules.publish(draft, writer, model);
    UncertaintyCodec.Published uncertainty =
        UncertaintyCodec.publish(draft.extras().uncertainty(), model.features(), writer);
    PublishedPiece<Bins> bins = BinsCodec.publish(draft.extras().kept().bins(), parent);
    PublishedPiece<KeptReference> reference =
        ReferenceCodec.publish(draft.extras().kept().reference(), parent);
    ModelManifest manifest =
        manifest(
            draft,
            model,
            own.digests(),
            rungs,
            new Named(bins.digest(), ReferenceCodec.named(reference), uncertainty.stored()));
    byte[] body = ManifestCodec.body(manifest);
    write(body.length, LedgerLimits.MANIFEST_BYTES, "the bytes of a manifest");
    Kept kept = new Kept(bins.piece(), reference.piece());
    checkFollows(parent, manifest, kept);
    List<LedgerRecord> records = new ArrayList<>(writer.records);
    if (bins.digest() != null && bins.body() != null) {
      var key = new LedgerKey.BinsKey(draft.model(), bins.digest());
      records.add(new LedgerRecord(key, Contracts.BINS.framed(bins.body())));
    }
    if (reference.digest() != null && reference.body() != null) {
      var key = new LedgerKey.ReferenceKey(draft.model(), reference.digest());
      records.add(new LedgerRecord(key, Contracts.REFERENCE.framed(reference.body())));
    }
    records.add(
        new LedgerRecord(
            new LedgerKey.VersionKey(draft.model(), draft.version()),
            Contracts.MANIFEST.framed(manifest, body)));
    return new Encoded(
        new LedgerVersion(
            manifest,
            Digest.of(body),
            own.digests(),
            model,
            rungs,
            kept,
            uncertainty.uncertainty()),
        records);
  }

  /** What a manifest says beside its trees. */
  private record Named(
      @Nullable Digest bins,
      @Nullable ManifestReference reference,
      @Nullable ManifestUncertainty uncertainty) {}

  private static void checkFollows(
      @Nullable LedgerVersion parent, ModelManifest manifest, Kept kept) {
    try {
      if (parent != null) {
        VersionVerifier.checkFeatures(parent.manifest(), manifest);
      }
      if (kept.bins() != null) {
        BinsCodec.check(manifest, kept.bins());
      }
      if (kept.reference() != null) {
        ReferenceCodec.check(manifest, kept.reference().sketches());
      }
    } catch (LedgerException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static void checkLimits(Model model) {
    write(model.segments().size(), LedgerLimits.SEGMENTS, "the segments of a version");
    write(model.trees(), LedgerLimits.TREES, "the trees of a version");
    write(model.features().size(), LedgerLimits.FEATURES, "the features of a model");
    write(model.base().outputs(), LedgerLimits.OUTPUTS, "the raw scores that a row has");
    write(model.objective().classes(), LedgerLimits.OUTPUTS, "the classes of an objective");
    write(
        BaseCodec.coefficients(model.base()),
        LedgerLimits.COEFFICIENTS,
        "the coefficients of a linear base");
    write(
        TreeCodec.numbers(model.segments()),
        LedgerLimits.TREE_NUMBERS,
        "the numbers in all trees of a version");
    for (Feature feature : model.features()) {
      if (feature instanceof Feature.Categorical categorical) {
        write(
            categorical.categories().size(),
            LedgerLimits.CATEGORIES,
            "the categories of " + feature.name());
      }
    }
  }

  static List<ManifestSegment> segments(Model model, List<Digest> digests) {
    List<ManifestSegment> segments = new ArrayList<>();
    for (int i = 0; i < digests.size(); i++) {
      Segment segment = model.segments().get(i);
      segments.add(
          new ManifestSegment(digests.get(i).stored(), segment.trees().size(), segment.decay()));
    }
    return segments;
  }

  private static ManifestRung rung(LedgerRung rung) {
    return new ManifestRung(
        rung.gamma(),
        new TreeMap<>(rung.model().objective().parameters()),
        segments(rung.model(), rung.segments()));
  }

  private static ModelManifest manifest(
      Draft draft, Model model, List<Digest> digests, List<LedgerRung> rungs, Named named) {
    LedgerVersion parent = draft.parent();
    Extras extras = draft.extras();
    return new ModelManifest(
        ManifestCodec.format(
            named.uncertainty,
            LearnedCalibration.stored(extras.calibration),
            Retrained.inherited(parent)),
        draft.model(),
        draft.version(),
        parent == null ? null : parent.hash().stored(),
        model.objective().name(),
        new TreeMap<>(model.objective().parameters()),
        draft.gamma(),
        BaseCodec.constants(model.base()),
        model.features().stream().map(ManifestCodec::feature).toList(),
        segments(model, digests),
        List.copyOf(draft.window()),
        List.copyOf(draft.memory()),
        List.copyOf(draft.environments()),
        draft.seed(),
        draft.settings(),
        Figures.of(draft.metrics()),
        draft.programVersion(),
        BaseCodec.terms(model.base()),
        parent == null ? -1L : parent.number(),
        List.copyOf(extras.replay),
        extras.heldOut,
        rungs.stream().map(LedgerCodec::rung).toList(),
        extras.rung,
        named.bins == null ? null : named.bins.stored(),
        named.reference,
        ManifestCodec.zeroMissing(model),
        ManifestCodec.otherCategory(model),
        named.uncertainty,
        LearnedCalibration.stored(extras.calibration),
        Retrained.inherited(parent));
  }

  /** The head record. */
  public static LedgerRecord encode(ModelHead head) {
    return new LedgerRecord(new LedgerKey.HeadKey(head.getModel()), Contracts.HEAD.encode(head));
  }

  /**
   * All records of a head, the one that readers swap by last: its place in the history, the head
   * itself, and a tombstone for the one that is now beyond the history's bound.
   */
  public static List<LedgerRecord> records(ModelHead head) {
    byte[] bytes = Contracts.HEAD.encode(head);
    List<LedgerRecord> records = new ArrayList<>();
    long beyond = head.getSequence() - RETAIN_HEADS;
    if (beyond >= 1) {
      records.add(new LedgerRecord(new LedgerKey.HistoryKey(head.getModel(), beyond), null));
    }
    if (head.getSequence() >= 1) {
      records.add(
          new LedgerRecord(new LedgerKey.HistoryKey(head.getModel(), head.getSequence()), bytes));
    }
    records.add(new LedgerRecord(new LedgerKey.HeadKey(head.getModel()), bytes));
    return List.copyOf(records);
  }

  /** The first head of a model: {@code version} serves, and training grows from it. */
  public static ModelHead head(
      LedgerVersion version, HeadReason reason, String by, String note, Instant at) {
    Sha256Digest hash = version.hash().stored();
    return new ModelHead(
        headFormat(null),
        version.manifest().getModel(),
        version.number(),
        hash,
        null,
        reason,
        by,
        note,
        at.truncatedTo(ChronoUnit.MILLIS),
        null,
        version.number(),
        hash,
        false,
        1L,
        null);
  }

  /** The format of a head with a wish, or without. */
  public static int headFormat(@Nullable PromotionWish wish) {
    return wish == null ? HEAD_FORMAT - 1 : HEAD_FORMAT;
  }

  /** The manifest of a record value. */
  public static ModelManifest manifest(byte[] bytes) throws LedgerException {
    ModelManifest manifest =
        decode(Contracts.MANIFEST, bytes, LedgerLimits.MANIFEST_BYTES, "manifest");
    LedgerLimits.checkFormat(manifest.getFormat(), ManifestCodec.FORMAT, "manifest");
    return manifest;
  }

  /** The head of a record value. */
  public static ModelHead head(byte[] bytes) throws LedgerException {
    ModelHead head = decode(Contracts.HEAD, bytes, LedgerLimits.HEAD_BYTES, "head");
    LedgerLimits.checkFormat(head.getFormat(), HEAD_FORMAT, "head");
    PromotionWish wish = head.getPromotion();
    if (wish != null && !(wish.getError() > 0 && wish.getError() < 1)) {
      throw Reason.BAD_RECORD.because(
          "the head's rate of errors is not above 0 and below 1: %s", wish.getError());
    }
    return head;
  }

  /** The trees of a segment's record value. */
  public static List<Tree> trees(byte[] bytes) throws LedgerException {
    TreeSegment segment = decode(Contracts.SEGMENT, bytes, LedgerLimits.SEGMENT_BYTES, "segment");
    LedgerLimits.checkFormat(segment.getFormat(), SEGMENT_FORMAT, "segment");
    return TreeCodec.decode(segment);
  }

  /** The hash of a record value: of the Avro body behind its frame. */
  public static Digest digest(byte[] bytes) throws LedgerException {
    if (bytes.length < SingleObjectFraming.HEADER_BYTES) {
      throw Reason.BAD_RECORD.because(
          "a record of %d bytes has no room for its frame", bytes.length);
    }
    return Digest.of(Arrays.copyOfRange(bytes, SingleObjectFraming.HEADER_BYTES, bytes.length));
  }

  static <T extends SpecificRecord> T decode(
      ContractCodec<T> codec, byte[] bytes, int maxBytes, String what) throws LedgerException {
    LedgerLimits.read(
        (long) bytes.length - SingleObjectFraming.HEADER_BYTES, maxBytes, "the bytes of a " + what);
    try {
      return codec.decode(bytes);
    } catch (MalformedRecordException e) {
      throw Reason.BAD_RECORD.because("the %s cannot be read: %s", what, e.getMessage());
    }
  }
}
