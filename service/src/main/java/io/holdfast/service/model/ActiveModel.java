package io.holdfast.service.model;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;

/**
 * A verified version made ready to score. Immutable but for its cache of decoders and for how its
 * trees are laid out, on which no bit of a score depends; safe to share.
 *
 * <p>Feature codes depend on the version's own categories, so decoders belong to it. The cache is
 * bounded by the number of schemas that the schema source knows.
 */
public final class ActiveModel {
  private final LedgerVersion version;
  private final Base base;
  private volatile Scorer scorer;
  private final byte[] hashBytes;
  private final ConcurrentMap<Schema, Compiled> decoders = new ConcurrentHashMap<>();

  private sealed interface Compiled {
    record Usable(FeatureDecoder decoder) implements Compiled {}

    /** Remembered, so that a stream of incompatible records does not compile once a record. */
    record Refused(MalformedRecordException cause) implements Compiled {}
  }

  /**
   * Lays the version's trees out for scoring.
   *
   * @throws IllegalArgumentException if the trees cannot be laid out
   */
  public ActiveModel(LedgerVersion version) {
    this(version, Scorer.of(version.model()));
  }

  private ActiveModel(LedgerVersion version, Scorer scorer) {
    this.version = version;
    this.base = version.model().base();
    this.scorer = scorer;
    this.hashBytes = version.hash().bytes();
  }

  /**
   * The same, ready sooner where the trees are mostly those of {@code before}: {@link #settle} is
   * to be called when there is time.
   */
  static ActiveModel following(LedgerVersion version, ActiveModel before) {
    return new ActiveModel(
        version, Scorer.following(version.model(), before.version().model(), before.scorer()));
  }

  /** Lays the trees out as a whole, if they are not. Of the thread that made it. */
  void settle() {
    Scorer settled = scorer.settled();
    if (!settled.equals(scorer)) {
      scorer = settled;
    }
  }

  public LedgerVersion version() {
    return version;
  }

  /** The version's number. */
  public long number() {
    return version.number();
  }

  public Scorer scorer() {
    return scorer;
  }

  public Objective objective() {
    return version.model().objective();
  }

  /** How many values of a row are beyond what the linear base learned from. */
  public int clipped(double[] features) {
    return base.clipped(features);
  }

  /** How many values a feature vector has. */
  public int width() {
    return version.model().features().size();
  }

  /** The model's name. */
  public String name() {
    return version.manifest().getModel();
  }

  /** The manifest hash's 32 bytes, a copy. */
  public byte[] hashBytes() {
    return hashBytes.clone();
  }

  /**
   * The decoder of bodies written with {@code schema}, compiled on its first use.
   *
   * @throws MalformedRecordException if the schema cannot give the features
   */
  public FeatureDecoder decoder(Schema schema) throws MalformedRecordException {
    Compiled compiled = decoders.get(schema);
    if (compiled == null) {
      compiled = decoders.computeIfAbsent(schema, this::compile);
    }
    return switch (compiled) {
      case Compiled.Usable(FeatureDecoder decoder) -> decoder;
      case Compiled.Refused(MalformedRecordException cause) -> throw cause;
    };
  }

  /** The schemas that a decoder has been compiled for. */
  List<Schema> readableSchemas() {
    List<Schema> readable = new ArrayList<>();
    decoders.forEach(
        (schema, compiled) -> {
          if (compiled instanceof Compiled.Usable) {
            readable.add(schema);
          }
        });
    return readable;
  }

  private Compiled compile(Schema schema) {
    try {
      return new Compiled.Usable(version.decoder(schema));
    } catch (MalformedRecordException e) {
      return new Compiled.Refused(e);
    }
  }
}
