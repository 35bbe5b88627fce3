package io.holdfast.service;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.model.ServedModels;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Publishes versions of {@link Bikes} as the trainer does, straight to what a service serves. */
public final class BikesLedger {
  private final ServedModels models;
  private final ModelSettings settings;

  public BikesLedger(ServedModels models, ModelSettings settings) {
    this.models = models;
    this.settings = settings;
  }

  /** A version with its segments; {@code number} seconds after the epoch. */
  public LedgerVersion publish(
      long number, @Nullable LedgerVersion parent, double cold, double warm) {
    return publish(encode(number, parent, cold, warm));
  }

  /** Puts a version where the service reads. */
  public LedgerVersion publish(LedgerCodec.Encoded encoded) {
    encoded
        .records()
        .forEach(record -> apply(record, 1_000 * encoded.version().manifest().getVersion()));
    return encoded.version();
  }

  /** The records of a version. */
  public LedgerCodec.Encoded encode(
      long number, @Nullable LedgerVersion parent, double cold, double warm) {
    return LedgerCodec.encode(
        draft(number, parent, Bikes.version(number, settings, cold, warm).model()));
  }

  /** A version of any model, which a test may add to before it is published. */
  public LedgerCodec.Draft draft(long number, @Nullable LedgerVersion parent, Model model) {
    return new LedgerCodec.Draft(
        settings.name(),
        number,
        parent,
        model,
        1,
        List.of(),
        List.of(),
        List.of("SPRING"),
        1,
        settings.trainingJson(),
        Map.of("rows", 10.0, "auc", Double.NaN),
        "test");
  }

  /** Makes a version serve, as of 1,000 s after the epoch. */
  public ModelHead head(LedgerVersion version, HeadReason reason) {
    ModelHead head = LedgerCodec.head(version, reason, "test", "", Instant.ofEpochSecond(1_000));
    LedgerCodec.records(head).forEach(record -> apply(record, 1));
    return head;
  }

  /** A head that follows {@code present}, as it is asked for. */
  public ModelHead change(ModelHead present, HeadChange change, LedgerVersion... known) {
    HeadRules.Versions versions =
        new HeadRules.Versions() {
          @Override
          public Digest verified(long version) {
            for (LedgerVersion one : known) {
              if (one.number() == version) {
                return one.hash();
              }
            }
            throw new IllegalArgumentException("no version " + version);
          }

          @Override
          public boolean grewFrom(long version, long ancestor) {
            return version >= ancestor;
          }
        };
    try {
      ModelHead next =
          HeadRules.next(
              present,
              change,
              versions,
              settings.update().gate(),
              new HeadRules.Author("ana", "for a test", Instant.ofEpochSecond(2_000)));
      LedgerCodec.records(next).forEach(record -> apply(record, 2_000_000));
      return next;
    } catch (LedgerException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public void apply(LedgerRecord record, long timestampMillis) {
    models.apply(record.key().toString(), record.value(), timestampMillis);
    models.settle();
  }
}
