package io.holdfast.trainer.runtime;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ForgottenRows;
import io.holdfast.schemas.avro.LogPlace;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.HeldVersions;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.publish.CommitMetadata;
import io.holdfast.trainer.publish.LearnedTopic;
import io.holdfast.trainer.rebuild.Influence;
import io.holdfast.trainer.rebuild.Retraining;
import io.holdfast.trainer.runtime.log.ExampleLog;
import io.holdfast.trainer.runtime.log.ExampleReader;
import io.holdfast.trainer.runtime.log.ForgottenKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Takes the rows of keys out of a model: trains it again from the last version that they have not
 * reached, and puts the new versions in the place of those that they have. Owned by one thread.
 */
public final class Forgetter implements AutoCloseable {
  /*
   * Nothing is locked while it trains. What comes of it depends on the version it begins with and on the
   * log, not on what a trainer publishes meanwhile: that grew from versions that leave, and leaves with
   * them. Only the last step takes the model's lock; the trainer goes on where the new versions end.
   */
  private final Settings settings;
  private final ModelSettings model;
  private final KafkaAccess kafka;
  private final Consumer<byte[], byte[]> consumer;
  private final String topic;

  /**
   * What is to be forgotten.
   *
   * @param keys the SHA-256 of each key
   * @param afresh whether to begin with version 0 and what the log still holds
   * @param dryRun whether to train and to write nothing
   */
  public record Request(
      SortedSet<Digest> keys, boolean afresh, HeadRules.Author author, boolean dryRun) {}

  /** A version by number and hash. */
  public record Named(long version, Digest hash) {}

  /** Rows of the keys in a partition of the examples, from the first offset to the last. */
  public record Found(int partition, long rows, long first, long last) {
    private Found and(long offset) {
      return new Found(partition, rows + 1, first, offset);
    }
  }

  /**
   * A version that was trained again.
   *
   * @param without the number and the hash that it has where the rows were never there
   */
  public record Made(Named version, Named without) {}

  /**
   * What was done.
   *
   * @param topicId of the examples
   * @param until where the log ended, by partition: rows of the keys before that are forgotten
   * @param origin the version that was gone back to
   * @param made none if no row was found
   * @param retired the versions that left
   * @param tombstones the keys of all records that left
   */
  public record Forgotten(
      String topicId,
      SortedMap<Integer, Long> until,
      List<Found> found,
      Named servedBefore,
      Named tipBefore,
      @Nullable Named origin,
      List<Made> made,
      List<Named> retired,
      List<String> tombstones,
      @Nullable ModelHead head) {}

  /**
   * Where the log stands, and where the keys' rows are.
   *
   * @param before as {@link Influence} asks for it
   */
  private record Log(
      Uuid id,
      ExampleLog.State state,
      SortedMap<Integer, Long> begins,
      SortedMap<Integer, Long> ends,
      SortedMap<Integer, Found> found,
      SortedMap<Integer, Long> before) {}

  /** {@code kafka} is the caller's to close. */
  public Forgetter(Settings settings, ModelSettings model, KafkaAccess kafka) {
    this.settings = settings;
    this.model = model;
    this.kafka = kafka;
    topic = model.topics().examples();
    consumer = kafka.openConsumer(HeadWriter.transactionalId(model.name()));
  }

  /**
   * Forgets.
   *
   * @throws LedgerException in one sentence, if that cannot be done
   * @throws io.holdfast.schemas.settings.SettingsException if the settings do not fit the model
   */
  public Forgotten forget(Request request) throws LedgerException {
    Ledger ledger = kafka.readLedger(model.name());
    ModelHead before = head(ledger);
    LedgerVersion tip = ledger.version(model.name(), HeadRules.tipVersion(before));
    Log log = read(request.keys, Retrained.rows(tip.manifest()));
    refuseWhatIsGone(request, log);
    if (log.found.isEmpty()) {
      return result(log, before, null, List.of(), List.of(), List.of(), null);
    }
    List<ForgottenRows> rows = rows(tip, request, log);
    SortedMap<Integer, Long> first = new TreeMap<>(log.before);
    if (request.afresh) {
      log.ends.keySet().forEach(partition -> first.put(partition, -1L));
    }
    Retraining retraining = retrained(ledger, tip.number(), first, rows, log);
    return publish(request, log, before, first, rows, retraining);
  }

  private ModelHead head(Ledger ledger) throws LedgerException {
    return ledger
        .head(model.name())
        .orElseThrow(() -> refused("model %s has no version that serves yet", model.name()));
  }

  /** Rows that were forgotten before count as not there. */
  private Log read(Set<Digest> keys, List<ForgottenRows> forgotten) throws LedgerException {
    Uuid id = kafka.topicIds(Set.of(topic)).get(topic);
    if (id == null) {
      throw refused("there is no topic %s", topic);
    }
    ExampleLog log = new ExampleLog(consumer, topic, model.window().idle());
    ExampleLog.State state = log.state(id, note());
    SortedMap<Integer, Long> ends = new TreeMap<>(state.ends());
    SortedMap<Integer, Long> begins = new TreeMap<>();
    consumer
        .beginningOffsets(ends.keySet().stream().map(this::partition).toList())
        .forEach((partition, begin) -> begins.put(partition.partition(), begin));
    ForgottenKeys already = ForgottenKeys.of(forgotten, id);
    SortedMap<Integer, Found> found = new TreeMap<>();
    SortedMap<Integer, Long> before = new TreeMap<>();
    SortedMap<Integer, Long> last = new TreeMap<>();
    scan(
        begins,
        ends,
        example -> {
          int partition = example.partition();
          long at = example.offset();
          if (already.has(example)) {
            return;
          }
          if (example.key() != null && keys.contains(Digest.of(example.key()))) {
            before.putIfAbsent(
                partition, ends.size() == 1 ? at : last.getOrDefault(partition, -1L));
            found.merge(partition, new Found(partition, 1, at, at), (all, _) -> all.and(at));
          }
          last.put(partition, at);
        });
    return new Log(id, state, begins, ends, found, before);
  }

  private TopicPartition note() {
    return new TopicPartition(settings.topics().models(), 0);
  }

  private TopicPartition partition(int number) {
    return new TopicPartition(topic, number);
  }

  private void scan(
      Map<Integer, Long> from,
      Map<Integer, Long> to,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
    Map<TopicPartition, Long> left = new HashMap<>();
    to.forEach(
        (number, end) -> {
          if (from.getOrDefault(number, 0L) < end) {
            left.put(partition(number), end);
          }
        });
    consumer.unsubscribe();
    consumer.assign(left.keySet());
    left.keySet().forEach(at -> consumer.seek(at, from.getOrDefault(at.partition(), 0L)));
    while (!left.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> example : consumer.poll(ExampleLog.POLL)) {
        if (example.offset() < to.getOrDefault(example.partition(), 0L)) {
          each.accept(example);
        }
      }
      left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
      consumer.pause(consumer.assignment().stream().filter(at -> !left.containsKey(at)).toList());
    }
  }

  /** What the log has lost may have held rows of the keys, and versions may have learned them. */
  private void refuseWhatIsGone(Request request, Log log) throws LedgerException {
    if (request.afresh) {
      return;
    }
    for (Map.Entry<Integer, Long> begin : log.begins.entrySet()) {
      if (begin.getValue() > 0) {
        throw refused(
            "offsets 0 to %d of %s-%d are gone, and whether rows of the key were among them cannot"
                + " be told: with --afresh the model is trained from version 0 by what the log"
                + " still holds without the key",
            begin.getValue() - 1, topic, begin.getKey());
      }
    }
    LearnedTopic learned = log.state.learned();
    if (learned != null && (!learned.id().equals(log.id) || learned.after() > 0)) {
      throw refused(
          "topic %s was deleted and made anew after versions had learned from it, and whether rows"
              + " of the key were among them cannot be told: with --afresh the model is trained"
              + " from version 0 by what the log now holds without the key",
          topic);
    }
  }

  /** All that is forgotten now. */
  private List<ForgottenRows> rows(LedgerVersion tip, Request request, Log log) {
    List<LogPlace> until = new ArrayList<>();
    log.ends.forEach((partition, end) -> until.add(new LogPlace(partition, end)));
    List<ForgottenRows> rows = new ArrayList<>(Retrained.rows(tip.manifest()));
    rows.add(
        new ForgottenRows(
            request.keys.stream().map(Digest::stored).toList(), log.id.toString(), until));
    return List.copyOf(rows);
  }

  private Retraining retrained(
      Ledger ledger, long tip, SortedMap<Integer, Long> first, List<ForgottenRows> rows, Log at)
      throws LedgerException {
    ForgottenKeys keys = ForgottenKeys.of(rows, at.id);
    ExampleLog log = new ExampleLog(consumer, topic, model.window().idle());
    log.forget(keys);
    Framing framing = new SingleObjectFraming(kafka.schemas());
    List<ModelManifest> versions = ledger.versions(model.name());
    Influence influence = new Influence(versions, first);
    ModelManifest origin = influence.lastWithout(tip).orElse(null);
    Retraining retraining;
    if (origin == null) {
      var features = ledger.version(model.name(), tip).model().features();
      retraining = Retraining.fromNothing(model, framing, features);
    } else {
      ModelManifest learned = influence.learnedBefore(origin).orElse(null);
      retraining =
          Retraining.from(
              model,
              framing,
              ledger.version(model.name(), origin.getVersion()),
              learned,
              versions.stream().filter(it -> it.getVersion() <= origin.getVersion()).toList(),
              learned == null ? Long.MIN_VALUE : timeOf(learned, keys::has),
              log::readAgain);
    }
    log.begin(retraining.progress());
    do {
      log.poll();
      for (var example = log.next(); example != null; example = log.next()) {
        retraining.next(ExampleTime.of(example));
        switch (ExampleReader.read(example)) {
          case ExampleReader.Reading.Row row -> {
            var _ = retraining.add(row.row());
          }
          case ExampleReader.Reading.Unreadable unreadable ->
              retraining.refuse(unreadable.position(), unreadable.refusal());
        }
      }
    } while (!log.passed(at.ends));
    return retraining;
  }

  /** When the newest example of a version's window was written; only asked if windows wait. */
  private long timeOf(ModelManifest version, Predicate<ConsumerRecord<byte[], byte[]>> forgotten) {
    long[] newest = {Long.MIN_VALUE};
    if (!model.window().minInterval().isZero()) {
      SortedMap<Integer, Long> from = new TreeMap<>();
      SortedMap<Integer, Long> to = new TreeMap<>();
      for (OffsetRange range : version.getWindow()) {
        from.put(range.getPartition(), range.getFrom());
        to.put(range.getPartition(), range.getTo());
      }
      scan(
          from,
          to,
          example -> {
            if (!forgotten.test(example)) {
              newest[0] = Math.max(newest[0], ExampleTime.of(example));
            }
          });
    }
    return newest[0];
  }

  private Forgotten publish(
      Request request,
      Log log,
      ModelHead before,
      SortedMap<Integer, Long> first,
      List<ForgottenRows> rows,
      Retraining retraining)
      throws LedgerException {
    List<Forgotten> results = new ArrayList<>(); // a new one for each time it is decided
    HeadWriter.Decision decision =
        ledger -> {
          List<ModelManifest> versions = ledger.versions(model.name());
          Set<Long> gone = new Influence(versions, first).reached();
          List<LedgerCodec.Encoded> made =
              retraining.published(versions.getLast().getVersion(), rows);
          LedgerVersion last = made.getLast().version();
          ModelHead next =
              HeadRules.next(
                  head(ledger),
                  new HeadChange.Retrained(last.number(), last.hash(), gone),
                  ledger.versionsOf(model.name()),
                  model.update().gate(),
                  request.author);
          HeldVersions held = new HeldVersions();
          versions.forEach(held::add);
          List<LedgerRecord> tombstones =
              held.tombstones(
                  model.name(), gone, made.stream().map(one -> one.version().manifest()).toList());
          List<Named> retired = new ArrayList<>();
          for (long number : new TreeSet<>(gone)) {
            retired.add(new Named(number, ledger.hash(model.name(), number).orElseThrow()));
          }
          LedgerVersion origin = retraining.origin();
          Named from = new Named(origin.number(), origin.hash());
          results.add(result(log, before, from, made, retired, tombstones, next));
          return new HeadWriter.Change(
              made.stream().flatMap(one -> one.records().stream()).toList(),
              next,
              tombstones,
              offsets(retraining.progress(), last.number(), log));
        };
    if (request.dryRun) {
      var _ = HeadWriter.preview(settings, model.name(), decision);
    } else {
      var _ = HeadWriter.write(settings, model.name(), decision);
    }
    return results.getLast();
  }

  /** Where the trainer goes on: behind the last window that was trained on again. */
  private Map<TopicPartition, OffsetAndMetadata> offsets(Progress progress, long version, Log log) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    LearnedTopic learned = new LearnedTopic(log.id, 0, progress.window());
    offsets.put(note(), new OffsetAndMetadata(0, learned.toString()));
    SortedMap<Integer, Progress.Reached> reached = new TreeMap<>(progress.partitions());
    log.state
        .committed()
        .keySet()
        .forEach(number -> reached.putIfAbsent(number, new Progress.Reached(0, 0)));
    reached.forEach(
        (number, to) -> {
          var metadata =
              new CommitMetadata(progress.window(), version, to.unpublishedFrom(), progress.time());
          offsets.put(partition(number), new OffsetAndMetadata(to.position(), "" + metadata));
        });
    return offsets;
  }

  private static Forgotten result(
      Log log,
      ModelHead before,
      @Nullable Named origin,
      List<LedgerCodec.Encoded> made,
      List<Named> retired,
      List<LedgerRecord> tombstones,
      @Nullable ModelHead head) {
    List<Made> versions = new ArrayList<>();
    for (LedgerCodec.Encoded one : made) {
      LedgerVersion version = one.version();
      var would = Retrained.of(version.manifest());
      if (would != null) {
        versions.add(
            new Made(
                new Named(version.number(), version.hash()),
                new Named(would.getVersion(), Digest.of(would.getHash()))));
      }
    }
    return new Forgotten(
        log.id.toString(),
        log.ends,
        List.copyOf(log.found.values()),
        new Named(before.getVersion(), Digest.of(before.getHash())),
        new Named(HeadRules.tipVersion(before), HeadRules.tipHash(before)),
        origin,
        versions,
        retired,
        tombstones.stream().map(each -> each.key().toString()).toList(),
        head);
  }

  @FormatMethod
  private static LedgerException refused(
      @FormatString String format, @Nullable Object... arguments) {
    return new LedgerException(LedgerException.Reason.REFUSED, Sentence.of(format, arguments));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
