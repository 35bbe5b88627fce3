package io.holdfast.cli.ledger;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.NamedSegments;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The model topic as it was at one moment: the newest record under every key, and the ledger that
 * all of them make. Owned by one thread.
 */
public final class ModelTopic {
  /** Longer than a dead writer's transaction stays open. */
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private final String topic;
  private final Ledger ledger = new Ledger();
  private final Map<String, Held> records = new HashMap<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Held(byte[] value, long timestampMillis) {}

  private ModelTopic(String topic) {
    this.topic = topic;
  }

  /** Reads the topic to its present end. */
  public static ModelTopic read(Settings settings) {
    var read = new ModelTopic(settings.topics().models());
    LedgerReader.read(settings.kafka(), read.topic, PATIENCE, read::take);
    read.ledger.recallHeads();
    return read;
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    String key = record.key();
    byte[] value = record.value();
    ledger.apply(key, value);
    if (key == null) {
      return;
    }
    if (value == null) {
      records.remove(key);
    } else {
      records.put(key, new Held(value, record.timestamp()));
    }
  }

  public Ledger ledger() {
    return ledger;
  }

  /** The names of all models that have a version or a head, sorted. */
  public List<String> models() {
    return List.copyOf(new TreeSet<>(ledger.models()));
  }

  /** The head that serves. */
  public ModelHead head(String model) {
    require(model);
    return ledger
        .head(model)
        .orElseThrow(
            () ->
                new TopicException(
                    Sentence.of(
                        "no version of model %s serves: the topic %s has versions %s and no head"
                            + " that names one that can be verified",
                        model, topic, numbers(model))));
  }

  /** A version, verified or not. */
  public ModelManifest manifest(String model, long version) {
    require(model);
    return ledger.versions(model).stream()
        .filter(manifest -> manifest.getVersion() == version)
        .findFirst()
        .orElseThrow(
            () ->
                new TopicException(
                    Sentence.of(
                        "model %s has no version %d on the topic %s: it has %s",
                        model, version, topic, numbers(model))));
  }

  /** A version, verified. */
  public LedgerVersion version(String model, long version) {
    manifest(model, version);
    try {
      return ledger.version(model, version);
    } catch (LedgerException e) {
      throw new TopicException(
          Sentence.of(
              "version %d of model %s cannot be verified (%s): %s",
              version, model, e.reason(), e.getMessage()));
    }
  }

  public Digest hash(ModelManifest manifest) {
    return ledger.hash(manifest.getModel(), manifest.getVersion()).orElseThrow();
  }

  /** The timestamp of the manifest's Kafka record. */
  public Instant publishedAt(ModelManifest manifest) {
    Held held =
        records.get(
            new LedgerKey.VersionKey(manifest.getModel(), manifest.getVersion()).toString());
    return Instant.ofEpochMilli(held == null ? 0 : held.timestampMillis);
  }

  /** The version that this one grew from; empty for version 0 or if the topic no longer has it. */
  public Optional<ModelManifest> parent(ModelManifest manifest) {
    var hash = manifest.getParentHash();
    if (hash == null) {
      return Optional.empty();
    }
    Digest wanted = Digest.fromBytes(hash.bytes());
    return ledger.versions(manifest.getModel()).stream()
        .filter(candidate -> hash(candidate).equals(wanted))
        .findFirst();
  }

  /** Size of a segment on the topic; -1 if it is not there. */
  public int segmentBytes(String model, ManifestSegment segment) {
    return bytes(key(model, segment));
  }

  /** Size of the value under a key; -1 if it is not there. */
  public int bytes(LedgerKey key) {
    Held held = records.get(key.toString());
    return held == null ? -1 : held.value.length;
  }

  /** The records that publish a version, as they stand on the topic; the manifest is last. */
  public List<LedgerRecord> records(LedgerVersion version) {
    String model = version.manifest().getModel();
    List<LedgerRecord> published = new ArrayList<>();
    for (ManifestSegment segment : NamedSegments.of(version.manifest())) {
      add(published, key(model, segment));
    }
    for (LedgerKey key : NamedSegments.kept(version.manifest())) {
      add(published, key);
    }
    add(published, new LedgerKey.VersionKey(model, version.number()));
    return published;
  }

  private void add(List<LedgerRecord> published, LedgerKey key) {
    Held held = records.get(key.toString());
    if (held == null) {
      throw new TopicException(Sentence.of("the topic %s lacks %s", topic, key));
    }
    if (published.stream().noneMatch(record -> record.key().equals(key))) {
      published.add(new LedgerRecord(key, held.value));
    }
  }

  private static LedgerKey key(String model, ManifestSegment segment) {
    return new LedgerKey.SegmentKey(model, Digest.fromBytes(segment.getSha256().bytes()));
  }

  /** The versions that are there, as people write them: {@code 0 to 3, 7}. */
  public String numbers(String model) {
    StringBuilder text = new StringBuilder();
    long last = Long.MIN_VALUE;
    boolean run = false;
    for (ModelManifest manifest : ledger.versions(model)) {
      long version = manifest.getVersion();
      if (version == last + 1) {
        run = true;
      } else {
        text.append(run ? " to " + last : "").append(text.isEmpty() ? "" : ", ").append(version);
        run = false;
      }
      last = version;
    }
    text.append(run ? " to " + last : "");
    return text.isEmpty() ? "none" : text.toString();
  }

  /** Throws if the topic has nothing of the model. */
  public void require(String model) {
    if (!ledger.models().contains(model)) {
      throw new TopicException(
          Sentence.of(
              "the topic %s has no model %s%s",
              topic,
              model,
              models().isEmpty()
                  ? ": it is empty"
                  : ": it has " + String.join(", ", models()) + Suggestion.aside(model, models())));
    }
  }
}
