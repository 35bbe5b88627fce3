package io.holdfast.cli.ledger;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.SettingsFit;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a version that was made elsewhere: its segments, a manifest that continues the model's
 * own chain, and the head, in one transaction. Stateless.
 */
public final class VersionImport {
  private VersionImport() {}

  public record Published(LedgerVersion version, ModelHead head, int records, long bytes) {}

  /**
   * Publishes {@code made} as the next version of a model, with the same scores bit for bit; throws
   * in one sentence if it cannot be a version of this model or the trainer could not go on from it.
   *
   * @param dryRun whether to tell what would be published, and publish nothing
   */
  public static Published publish(
      Settings settings,
      ModelSettings model,
      LedgerVersion made,
      Optional<Schema> schema,
      HeadRules.Author author,
      boolean dryRun)
      throws LedgerException {
    if (schema.isPresent()) {
      checkReads(schema.get(), made, model);
    }
    SettingsFit.check(model, made);
    // What the last decision was made of: it is the one that was committed.
    var taken = new AtomicReference<LedgerCodec.@Nullable Encoded>();
    HeadWriter.Decision decision =
        ledger -> {
          LedgerCodec.Encoded decided = encode(ledger, model, made);
          taken.set(decided);
          LedgerVersion version = decided.version();
          Optional<ModelHead> present = ledger.head(model.name());
          if (present.isEmpty() && schema.isPresent()) {
            checkFields(schema.get(), made, model);
          }
          ModelHead next =
              present.isEmpty()
                  ? HeadRules.first(version, HeadReason.IMPORTED, author)
                  : HeadRules.next(
                      present.get(),
                      new HeadChange.Imported(version.number(), version.hash()),
                      ledger.versionsOf(model.name()),
                      model.update().gate(),
                      author);
          return new HeadWriter.Change(decided.records(), next);
        };
    ModelHead head =
        dryRun
            ? HeadWriter.preview(settings, model.name(), decision)
            : HeadWriter.write(settings, model.name(), decision);
    LedgerCodec.Encoded encoded = Objects.requireNonNull(taken.get());
    long bytes =
        encoded.records().stream()
            .mapToLong(record -> record.value() == null ? 0 : record.value().length)
            .sum();
    return new Published(encoded.version(), head, encoded.records().size(), bytes);
  }

  private static LedgerCodec.Encoded encode(Ledger ledger, ModelSettings model, LedgerVersion made)
      throws LedgerException {
    List<ModelManifest> versions = ledger.versions(model.name());
    Optional<LedgerVersion> tip = ledger.tip(model.name());
    if (tip.isEmpty() && !versions.isEmpty()) {
      throw new LedgerException(
          Reason.REFUSED,
          Sentence.of(
              "model %s has versions on the topic but no head that can be verified, so there is"
                  + " none to append to: holdfast models verify says more",
              model.name()));
    }
    ModelManifest manifest = made.manifest();
    try {
      return LedgerCodec.encode(
          new LedgerCodec.Draft(
                  model.name(),
                  versions.isEmpty() ? 0 : versions.getLast().getVersion() + 1,
                  tip.orElse(null),
                  made.model(),
                  manifest.getGamma(),
                  List.of(),
                  List.of(),
                  manifest.getEnvironments(),
                  manifest.getSeed(),
                  manifest.getSettings(),
                  metrics(manifest, tip),
                  manifest.getProgramVersion())
              .withKept(kept(made))
              .withUncertainty(made.uncertainty())
              .withCalibration(made.calibration()));
    } catch (IllegalArgumentException e) {
      throw new LedgerException(
          Reason.INCOMPATIBLE_FEATURES,
          Sentence.of(
              "the model of the file cannot follow on %s: %s", model.name(), e.getMessage()));
    }
  }

  /** The places that a reference names are those of the log that the version learned from. */
  private static Kept kept(LedgerVersion made) {
    KeptReference reference = made.kept().reference();
    return new Kept(made.bins(), reference == null ? null : reference.elsewhere());
  }

  /** The file's own, but for the window: that counts those of this model. */
  private static Map<String, Double> metrics(ModelManifest made, Optional<LedgerVersion> tip) {
    TreeMap<String, Double> metrics = new TreeMap<>(made.getMetrics());
    metrics.remove("window");
    tip.map(version -> version.manifest().getMetrics().get("window"))
        .ifPresent(window -> metrics.put("window", window));
    return metrics;
  }

  /** A first version's features are fields of the records: later ones may outlive a field. */
  private static void checkFields(Schema schema, LedgerVersion made, ModelSettings model)
      throws LedgerException {
    Set<String> fields =
        RecordLayout.features(model, schema).stream()
            .map(Feature::name)
            .collect(Collectors.toSet());
    List<String> missing =
        made.model().features().stream()
            .map(Feature::name)
            .filter(name -> !fields.contains(name))
            .toList();
    if (!missing.isEmpty()) {
      throw new LedgerException(
          Reason.INCOMPATIBLE_FEATURES,
          Sentence.of(
              "the model of the file uses %s, which by the configuration is no feature of the"
                  + " records on %s",
              String.join(", ", missing), model.topics().records()));
    }
  }

  private static void checkReads(Schema schema, LedgerVersion made, ModelSettings model)
      throws LedgerException {
    try {
      var _ = FeatureDecoder.compile(schema, made.model().features());
    } catch (MalformedRecordException e) {
      throw new LedgerException(
          Reason.INCOMPATIBLE_FEATURES,
          Sentence.of(
              "the model of the file cannot read the records on %s: %s",
              model.topics().records(), e.getMessage()));
    }
  }
}
