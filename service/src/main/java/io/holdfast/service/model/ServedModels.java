package io.holdfast.service.model;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.CompactedTopicReader;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configured models and what serves for each, kept up by applying the model topic's records in
 * order. One thread applies; any thread reads. Scoring threads never meet a lock here.
 */
public final class ServedModels implements ModelSource, CompactedTopicReader.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(ServedModels.class);

  /** Between two looks for the topic that a shadow was refused for. */
  static final Duration SHADOW_RETRY = Duration.ofSeconds(10);

  private final Map<String, ServedModel> models = new LinkedHashMap<>();
  private final Function<String, List<Schema>> schemas;
  private final Function<ModelSettings, List<String>> shadowProblems;
  private final InstantSource clock;
  // Models whose shadow has no topic, and when that was found last. Of the applying thread alone.
  private final Map<String, Instant> shadowsWaiting = new HashMap<>();
  // Versions that no known schema fits, until others are known. Of the applying thread alone.
  private final Map<String, Unreadable> unreadable = new HashMap<>();
  // When each model's newest head was written. Of the applying thread alone.
  private final Map<String, Long> headMillis = new HashMap<>();
  // Guarded by itself: the ledger is not thread-safe, and REST lists versions while records come.
  private final Ledger ledger;
  private final Map<String, TreeMap<Long, Long>> publishedMillis = new HashMap<>();

  private record Unreadable(
      Ledger.Event.Serves event, List<Schema> schemas, long timestampMillis) {}

  /**
   * Nothing serves yet.
   *
   * @param schemas those known for a record topic, the newest first, the same list until that
   *     changes: a version must be able to read one of them, and all that the one before it reads
   * @param shadowProblems why a model cannot have a shadow, a sentence each
   */
  public ServedModels(
      Collection<ModelSettings> settings,
      Function<String, List<Schema>> schemas,
      Function<ModelSettings, List<String>> shadowProblems,
      MeterRegistry meters,
      InstantSource clock) {
    this.schemas = schemas;
    this.shadowProblems = shadowProblems;
    this.clock = clock;
    for (ModelSettings model : settings) {
      models.put(model.name(), new ServedModel(model, meters, clock));
    }
    this.ledger = Ledger.ofScorer(models.keySet());
  }

  @Override
  public @Nullable ActiveModel active(String model) {
    ServedModel.Serving serving = serving(model);
    return serving == null ? null : serving.model();
  }

  @Override
  public @Nullable ActiveModel shadow(String model) {
    ServedModel.Serving serving = serving(model);
    return serving == null ? null : serving.shadow();
  }

  private ServedModel.@Nullable Serving serving(String model) {
    ServedModel served = models.get(model);
    return served == null ? null : served.serving();
  }

  @Override
  public @Nullable ScoreWatch scores(String model) {
    ServedModel served = models.get(model);
    return served == null ? null : served.scores();
  }

  /** The newest heads of a model, newest first. */
  public List<ModelHead> heads(String model) {
    synchronized (ledger) {
      return ledger.history(model).reversed();
    }
  }

  /** One model; empty if the configuration has none of that name. */
  public Optional<ServedModel> find(String model) {
    return Optional.ofNullable(models.get(model));
  }

  /** All configured models, in the configuration's order. */
  public Collection<ServedModel> all() {
    return models.values();
  }

  /** Every version of a model that the topic holds, newest first. */
  public List<KnownVersion> versions(String model) {
    synchronized (ledger) {
      Map<Long, Long> published = publishedMillis.getOrDefault(model, new TreeMap<>());
      List<KnownVersion> versions = new ArrayList<>();
      for (ModelManifest manifest : ledger.versions(model)) {
        long millis = published.getOrDefault(manifest.getVersion(), 0L);
        ledger
            .hash(model, manifest.getVersion())
            .ifPresent(hash -> versions.add(new KnownVersion(manifest, hash, millis)));
      }
      return versions.reversed();
    }
  }

  /** A version that the topic holds, whether it serves or not. */
  public LedgerVersion version(String model, long number) throws LedgerException {
    synchronized (ledger) {
      return ledger.version(model, number);
    }
  }

  @Override
  public void onRecord(ConsumerRecord<String, byte[]> record) {
    apply(record.key(), record.value(), record.timestamp());
  }

  @Override
  public void onEnd() {
    settle();
    tidy();
  }

  /**
   * Takes one record of the model topic. Never throws for what the record holds. What serves
   * follows with {@link #settle}: of versions that come together, the last alone is made ready.
   */
  public void apply(@Nullable String key, byte @Nullable [] value, long timestampMillis) {
    Ledger.Event event;
    synchronized (ledger) {
      event = ledger.store(key, value);
      if (!(event instanceof Ledger.Event.Rejected)) {
        note(LedgerKey.parse(String.valueOf(key)), value != null, timestampMillis);
      }
    }
    take(event, timestampMillis);
  }

  /**
   * Makes the newest heads serve. For the thread that applies, when it has applied all that is
   * known to be on the topic: what is older than that must not serve.
   */
  public void settle() {
    List<Ledger.Event> events;
    synchronized (ledger) {
      events = ledger.settle();
    }
    for (Ledger.Event event : events) {
      String model =
          switch (event) {
            case Ledger.Event.Serves(String of, _, _) -> of;
            case Ledger.Event.Rejected(String of, _, _, _) -> of;
            case Ledger.Event.Stored() -> "";
          };
      take(event, headMillis.getOrDefault(model, 0L));
    }
    for (Ledger.Event event : events) {
      // After what served before was found again.
      if (event instanceof Ledger.Event.Rejected no) {
        find(no.model()).ifPresent(served -> served.cannotServe(no.version(), no.detail()));
      }
    }
    // A schema that fits may have been registered since.
    for (Unreadable waiting : List.copyOf(unreadable.values())) {
      if (!waiting.schemas().equals(known(waiting.event().model()))) {
        serve(waiting.event(), waiting.timestampMillis());
      }
    }
  }

  private List<Schema> known(String model) {
    ServedModel served = models.get(model);
    return served == null ? List.of() : schemas.apply(served.settings().topics().records());
  }

  private void take(Ledger.Event event, long timestampMillis) {
    switch (event) {
      case Ledger.Event.Serves serves -> serve(serves, timestampMillis);
      case Ledger.Event.Rejected no ->
          reject(no.model(), no.version(), no.reason(), no.detail(), timestampMillis);
      case Ledger.Event.Stored _ -> {}
    }
  }

  private void note(LedgerKey key, boolean present, long timestampMillis) {
    if (key instanceof LedgerKey.HeadKey(String model)) {
      headMillis.put(model, timestampMillis);
    }
    if (!(key instanceof LedgerKey.VersionKey(String model, long version))
        || !models.containsKey(model)) {
      return;
    }
    TreeMap<Long, Long> published = publishedMillis.computeIfAbsent(model, _ -> new TreeMap<>());
    if (present) {
      published.put(version, timestampMillis);
    } else {
      published.remove(version);
    }
    while (published.size() > Ledger.RETAIN_VERSIONS) {
      published.pollFirstEntry();
    }
  }

  private void serve(Ledger.Event.Serves event, long timestampMillis) {
    ServedModel model = models.get(event.model());
    if (model == null) {
      return;
    }
    ServedModel.Serving before = model.serving();
    List<Schema> known = known(event.model());
    ActiveModel next = ready(model, before, event.version(), timestampMillis);
    if (next == null) {
      unreadable.put(event.model(), new Unreadable(event, known, timestampMillis));
      Rejection rejection = model.rejections().getFirst();
      model.cannotServe(rejection.version(), rejection.detail());
      return;
    }
    unreadable.remove(event.model());
    // What is served does not wait for what shadows it.
    var serving =
        new ServedModel.Serving(
            next, event.head(), since(event.head()), sameShadow(before, event.head()));
    if (before != null && !before.model().equals(next)) {
      model.scores().await(next, timestampMillis);
    }
    model.serve(serving);
    LOG.atInfo()
        .addKeyValue("model", event.model())
        .addKeyValue("version", next.number())
        .log(
            "model {} serves version {} ({} trees, {})",
            event.model(),
            next.number(),
            event.version().model().trees(),
            event.head().getReason());
    model.serve(serving.with(shadow(model, before, event.head(), timestampMillis)));
  }

  /** The shadow that scores already, if the head names it. */
  private static @Nullable ActiveModel sameShadow(
      ServedModel.@Nullable Serving before, ModelHead head) {
    ActiveModel shadow = before == null ? null : before.shadow();
    Sha256Digest named = head.getShadowHash();
    return shadow != null
            && named != null
            && shadow.version().hash().equals(Digest.fromBytes(named.bytes()))
        ? shadow
        : null;
  }

  /**
   * What can wait until the records at hand are applied: lays new versions out as a whole, and
   * tries shadows again that were refused because there was no topic for their scores. For the
   * thread that applies, after records, and now and then.
   */
  public void tidy() {
    for (ServedModel model : models.values()) {
      ServedModel.Serving serving = model.serving();
      if (serving == null) {
        continue;
      }
      serving.model().settle();
      ActiveModel shadow = serving.shadow();
      if (shadow != null) {
        shadow.settle();
      }
      retryShadow(model, serving);
    }
  }

  /** Tells what is wrong with features of records, and with scores. For one thread. */
  public void judge(Troubles troubles) {
    for (ServedModel model : models.values()) {
      model.features().judge(troubles);
      model.scores().judge(troubles);
    }
  }

  private void retryShadow(ServedModel model, ServedModel.Serving serving) {
    Instant now = clock.instant();
    Instant last = shadowsWaiting.get(model.settings().name());
    if (last == null || now.isBefore(last.plus(SHADOW_RETRY))) {
      return;
    }
    if (shadowProblems.apply(model.settings()).isEmpty()) {
      long millis = serving.head().getAt().toEpochMilli();
      model.serve(serving.with(shadow(model, serving, serving.head(), millis)));
    } else {
      shadowsWaiting.put(model.settings().name(), now);
    }
  }

  /** When the head's version began to serve: with the first of the heads in a row that name it. */
  private Instant since(ModelHead head) {
    Instant since = head.getAt();
    for (ModelHead earlier : heads(head.getModel())) {
      if (earlier.getSequence() > head.getSequence()) {
        continue;
      }
      if (!earlier.getHash().equals(head.getHash())) {
        break;
      }
      since = earlier.getAt();
    }
    return since;
  }

  /** The version that is to shadow; null if there is none, or it was refused. */
  private @Nullable ActiveModel shadow(
      ServedModel model,
      ServedModel.@Nullable Serving before,
      ModelHead head,
      long timestampMillis) {
    String name = model.settings().name();
    shadowsWaiting.remove(name);
    Optional<LedgerVersion> shadow;
    Optional<LedgerException> fault;
    synchronized (ledger) {
      shadow = ledger.shadow(name);
      fault = ledger.shadowFault(name);
    }
    if (shadow.isEmpty()) {
      if (fault.isPresent()) {
        reject(
            name,
            Objects.requireNonNullElse(head.getShadowVersion(), -1L),
            fault.get().reason().name(),
            "no shadow scores: " + fault.get().getMessage(),
            timestampMillis);
      }
      return null;
    }
    if (before == null || before.shadow() == null) {
      // A score that has nowhere to go would stop the stream, and those of the serving version too.
      List<String> problems = shadowProblems.apply(model.settings());
      if (!problems.isEmpty()) {
        shadowsWaiting.put(name, clock.instant());
        reject(
            name,
            shadow.get().number(),
            "NO_SHADOW_TOPIC",
            "no shadow scores until that is mended: " + String.join("; ", problems),
            timestampMillis);
        return null;
      }
    }
    return ready(model, before, shadow.get(), timestampMillis);
  }

  /**
   * A version ready to score: laid out, with the decoders it will need. What scores already is
   * taken as it is. Null if it was refused, which is counted; what served before serves on.
   */
  private @Nullable ActiveModel ready(
      ServedModel model,
      ServedModel.@Nullable Serving before,
      LedgerVersion version,
      long timestampMillis) {
    if (before != null) {
      for (ActiveModel known : new @Nullable ActiveModel[] {before.model(), before.shadow()}) {
        if (known != null && known.version().hash().equals(version.hash())) {
          return known;
        }
      }
    }
    String name = model.settings().name();
    long number = version.number();
    try {
      ActiveModel next =
          before == null
              ? new ActiveModel(version, model.features())
              : ActiveModel.following(version, before.model());
      warmUp(model, next);
      return next;
    } catch (IllegalArgumentException e) {
      reject(name, number, "UNUSABLE", String.valueOf(e.getMessage()), timestampMillis);
    } catch (MalformedRecordException e) {
      String detail =
          "version " + number + " cannot read the records it would score: " + e.getMessage();
      reject(name, number, e.reason().name(), detail, timestampMillis);
    }
    return null;
  }

  /**
   * Compiles the decoders that the version will need, here rather than on a stream thread. That it
   * can read none of the schemas, or not one that the present version reads, is a reason to refuse
   * it; that there is one that it cannot read is not: another producer may have registered it.
   */
  private void warmUp(ServedModel model, ActiveModel next) throws MalformedRecordException {
    MalformedRecordException newest = null;
    boolean readsOne = false;
    for (Schema schema : known(model.settings().name())) {
      try {
        var _ = next.decoder(schema);
        readsOne = true;
      } catch (MalformedRecordException e) {
        newest = newest == null ? e : newest;
      }
    }
    if (newest != null && !readsOne) {
      throw newest;
    }
    ServedModel.Serving serving = model.serving();
    if (serving != null) {
      for (Schema schema : serving.model().readableSchemas()) {
        var _ = next.decoder(schema);
      }
    }
  }

  private void reject(
      String name, long version, String reason, String detail, long timestampMillis) {
    ServedModel model = models.get(name);
    if (model == null) {
      LOG.warn("a record of the model topic is ignored: {}", detail);
      return;
    }
    model.reject(new Rejection(version, reason, detail, timestampMillis));
    LOG.atWarn()
        .addKeyValue("model", name)
        .addKeyValue("version", version)
        .log("model {}: version {} refused ({}): {}", name, version, reason, detail);
  }
}
