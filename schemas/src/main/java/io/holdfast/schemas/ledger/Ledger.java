package io.holdfast.schemas.ledger;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the model topic says, rebuilt from its records in order. Not thread-safe; its owner applies
 * records and hands out the immutable {@link LedgerVersion}s.
 *
 * <p>A version serves when a head names it and everything that it names has been verified: the
 * manifest's hash is the head's, its parent is an older version with the same features, every
 * segment, and the bins and the training reference, have the hash that names them, and all is
 * within the limits. Until then, and if it never is, what served before serves on. A head whose
 * pieces are not all there is tried again with every record that may be one of them.
 *
 * <p>Memory is bounded: of each model the newest versions are held, what they name, decoded once,
 * and up to 256 MiB of segments that nothing names yet, and as much of bins and of references.
 */
public final class Ledger {
  /** Versions of a model that are held unless said otherwise. */
  public static final int RETAIN_VERSIONS = 1_000;

  private final Predicate<String> wanted;
  private final int retainVersions;
  private final boolean scores;
  private final Map<String, ModelLedger> models = new TreeMap<>();

  /** What a record changed. */
  public sealed interface Event {
    /** A verified version now serves. */
    record Serves(String model, LedgerVersion version, ModelHead head) implements Event {}

    /**
     * A record is bad, or what a head names cannot be verified; what served before serves on. The
     * model is the whole key if that is none, and an unknown version -1.
     */
    record Rejected(String model, long version, String reason, String detail) implements Event {}

    /** Nothing that a scorer cares for. */
    record Stored() implements Event {}
  }

  /** A ledger of all models on the topic. */
  public Ledger() {
    this(model -> true, RETAIN_VERSIONS, false);
  }

  /** A ledger of these models; records of others are passed over. */
  public Ledger(Set<String> models) {
    this(Set.copyOf(models)::contains, RETAIN_VERSIONS, false);
  }

  /** A ledger for who only scores: bins and references, damaged or not, are passed over. */
  public static Ledger ofScorer(Set<String> models) {
    return new Ledger(Set.copyOf(models)::contains, RETAIN_VERSIONS, true);
  }

  Ledger(Predicate<String> wanted, int retainVersions) {
    this(wanted, retainVersions, false);
  }

  private Ledger(Predicate<String> wanted, int retainVersions, boolean scores) {
    Check.that(retainVersions >= 1, "retainVersions must be at least 1: %s", retainVersions);
    this.wanted = wanted;
    this.retainVersions = retainVersions;
    this.scores = scores;
  }

  /** Applies one record; a bad one is an {@link Event.Rejected} and changes nothing. */
  public Event apply(@Nullable String key, byte @Nullable [] value) {
    Event event = store(key, value);
    if (!(event instanceof Event.Stored)) {
      return event;
    }
    ModelLedger model = key == null ? null : models.get(LedgerKey.parse(key).model());
    return model == null ? event : swap(model);
  }

  /**
   * Takes one record as {@link #apply} does, but nothing serves until {@link #settle}: for who
   * reads what was written long ago, and need not verify every version that once served.
   */
  public Event store(@Nullable String key, byte @Nullable [] value) {
    LedgerKey parsed;
    try {
      parsed = LedgerKey.parse(key == null ? "" : key);
    } catch (IllegalArgumentException e) {
      return rejected(
          key == null ? "" : key, -1, new LedgerException(Reason.BAD_KEY, "" + e.getMessage()));
    }
    if (!wanted.test(parsed.model())) {
      return new Event.Stored();
    }
    ModelLedger model =
        models.computeIfAbsent(
            parsed.model(), name -> new ModelLedger(name, retainVersions, scores));
    try {
      model.changed();
      switch (parsed) {
        case LedgerKey.PieceKey piece -> model.piece(piece, value);
        case LedgerKey.VersionKey version -> model.manifest(version.version(), value);
        case LedgerKey.HeadKey _ -> model.head(value);
        case LedgerKey.HistoryKey past -> model.history(past.sequence(), value);
      }
    } catch (LedgerException e) {
      long version = parsed instanceof LedgerKey.VersionKey named ? named.version() : -1;
      return rejected(parsed.model(), version, e);
    }
    return new Event.Stored();
  }

  /**
   * Makes the newest head of each model serve, if it can be verified and does not serve yet. Of a
   * model that nothing serves for, the head before it does if that one cannot, as it would have if
   * it had been applied when it came; but never one whose version was taken back since.
   */
  public List<Event> settle() {
    List<Event> events = new ArrayList<>();
    for (ModelLedger model : models.values()) {
      model.recallHead();
      Event event = swap(model);
      if (!(event instanceof Event.Stored)) {
        events.add(event);
      }
      if (model.serving() == null) {
        ModelHead before = model.fallBack();
        LedgerVersion serving = model.serving();
        if (before != null && serving != null) {
          events.add(new Event.Serves(model.name(), serving, before));
        }
      }
    }
    return events;
  }

  /** For who has read the topic to its end: heads that it lacks are those of the history. */
  public void recallHeads() {
    for (ModelLedger model : models.values()) {
      model.recallHead();
      var _ = swap(model);
    }
  }

  /** Tries the pending head, if there is one and something came since it was tried. */
  private static Event swap(ModelLedger model) {
    ModelHead pending = model.untried();
    if (pending == null) {
      return new Event.Stored();
    }
    try {
      return new Event.Serves(model.name(), model.swap(pending), pending);
    } catch (LedgerException e) {
      boolean mayHeal = e.reason().mayHeal();
      boolean said = model.refuse(pending, mayHeal);
      return mayHeal && said // Said when the head came; it waits on.
          ? new Event.Stored()
          : rejected(model.name(), pending.getVersion(), e);
    }
  }

  private static Event rejected(String model, long version, LedgerException e) {
    return new Event.Rejected(model, version, e.reason().name(), "" + e.getMessage());
  }

  /** The version that serves. */
  public Optional<LedgerVersion> serving(String model) {
    return Optional.ofNullable(models.get(model)).map(ModelLedger::serving);
  }

  /** The head as last accepted. */
  public Optional<ModelHead> head(String model) {
    return Optional.ofNullable(models.get(model)).map(ModelLedger::head);
  }

  /** The version that scores beside the one that serves; empty if none does. */
  public Optional<LedgerVersion> shadow(String model) {
    return Optional.ofNullable(models.get(model)).map(ModelLedger::shadow);
  }

  /** Why the version that the head names to score beside is left out; empty if it is not. */
  public Optional<LedgerException> shadowFault(String model) {
    return Optional.ofNullable(models.get(model)).map(ModelLedger::shadowFault);
  }

  /** The version that training grows from, verified; empty if no head was accepted yet. */
  public Optional<LedgerVersion> tip(String model) throws LedgerException {
    Optional<ModelHead> head = head(model);
    if (head.isEmpty()) {
      return Optional.empty();
    }
    LedgerVersion tip = version(model, HeadRules.tipVersion(head.get()));
    if (!tip.hash().equals(HeadRules.tipHash(head.get()))) {
      throw Reason.HASH_MISMATCH.because(
          "version %d of %s has the hash %s, and the head names %s",
          tip.number(), model, tip.hash(), HeadRules.tipHash(head.get()));
    }
    return Optional.of(tip);
  }

  /** The newest heads that the topic holds, in the order of their numbers. */
  public List<ModelHead> history(String model) {
    return of(model, List.of(), ModelLedger::history);
  }

  /** What a change of the model's head needs to know of its versions. */
  public HeadRules.Versions versionsOf(String model) {
    return new HeadRules.Versions() {
      @Override
      public Digest verified(long version) throws LedgerException {
        try {
          return version(model, version).hash();
        } catch (LedgerException e) {
          ModelLedger ledger = models.get(model);
          throw ledger == null
              ? e
              : e.reason()
                  .because("%s; the topic has versions %s", e.getMessage(), ledger.numbers());
        }
      }

      @Override
      public boolean grewFrom(long version, long ancestor) {
        return of(model, false, ledger -> ledger.grewFrom(version, ancestor));
      }
    };
  }

  /** The newest manifests that the topic holds, ascending by version. */
  public List<ModelManifest> versions(String model) {
    return of(model, List.of(), ModelLedger::manifests);
  }

  private <T> T of(String model, T otherwise, Function<ModelLedger, T> found) {
    ModelLedger ledger = models.get(model);
    return ledger == null ? otherwise : found.apply(ledger);
  }

  /**
   * The hash of a manifest as it is on the topic: encoded again, maps would come in another order.
   */
  public Optional<Digest> hash(String model, long version) {
    return Optional.ofNullable(models.get(model)).flatMap(ledger -> ledger.hash(version));
  }

  /** The names of all models seen. */
  public Set<String> models() {
    return Set.copyOf(models.keySet());
  }

  /** A version, whether it serves or not, or a LedgerException if it cannot be verified. */
  public LedgerVersion version(String model, long version) throws LedgerException {
    ModelLedger ledger = models.get(model);
    if (ledger == null) {
      throw Reason.MISSING_MANIFEST.because(
          "the topic has no model %s: it has %s", model, models.keySet());
    }
    return ledger.version(version);
  }

  // How many records are held of a model, for tests of the bound.

  int segmentsHeld(String model) {
    return of(model, 0, ledger -> ledger.segments.size());
  }

  int binsHeld(String model) {
    return of(model, 0, ledger -> ledger.bins.size());
  }

  int referencesHeld(String model) {
    return of(model, 0, ledger -> ledger.references.size());
  }
}
