package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.RungVersion;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes a model's head, or publishes versions of it, from outside its trainer. Stateless; every
 * call opens its own clients.
 */
public final class HeadWriter {
  /*
   * A model's transactional id is its write lock. initTransactions() takes it: a transaction that
   * the trainer has in the middle is aborted whole, and nothing that the trainer decided before can
   * be committed after. So what is read behind it is the newest there is until this call commits or
   * somebody else takes the lock, and then the commit here fails. Nothing is ever lost: who loses the
   * lock reads again and decides again. A trainer that was fenced so begins a new session.
   */
  private static final Logger LOG = LoggerFactory.getLogger(HeadWriter.class);
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(15);

  /** Longer than a dead trainer's transaction stays open. */
  private static final Duration READ_PATIENCE = Duration.ofSeconds(75);

  private static final Duration SEEN_LIMIT = Duration.ofSeconds(5);
  private static final long SEEN_PAUSE_NANOS = 2_000_000;

  private static final int ATTEMPTS = 10;
  private static final long FIRST_PAUSE_NANOS = 50_000_000;

  private HeadWriter() {}

  /** The transactional id under which everything of a model is written. */
  public static String transactionalId(String model) {
    return "holdfast-trainer-" + model;
  }

  /**
   * What to write.
   *
   * @param records new segments and manifests
   * @param head the head, which follows the ledger's
   * @param tombstones of what nothing names under that head
   * @param offsets where the trainer is to go on; empty if where it is
   */
  public record Change(
      List<LedgerRecord> records,
      ModelHead head,
      List<LedgerRecord> tombstones,
      Map<TopicPartition, OffsetAndMetadata> offsets) {
    public Change {
      records = List.copyOf(records);
      tombstones = List.copyOf(tombstones);
      offsets = Map.copyOf(offsets);
    }

    /** One after which nothing leaves and the trainer goes on where it is. */
    public Change(List<LedgerRecord> records, ModelHead head) {
      this(records, head, List.of(), Map.of());
    }
  }

  /** Decides what to write, while nobody else can; called again if somebody else was faster. */
  @FunctionalInterface
  public interface Decision {
    /** From all that the topic holds; throws, in one sentence, if nothing is to be written. */
    Change decide(Ledger ledger) throws LedgerException;
  }

  /**
   * Changes the model's head by {@link HeadRules}.
   *
   * @param by who asked for it
   * @param note why
   * @param dryRun whether to tell what would be written, and write nothing
   * @return the head before and the new one, which is committed
   * @throws LedgerException in one sentence, if the change is not to be made
   * @throws TopicException in one sentence, if the broker does not let it be made
   * @throws io.holdfast.schemas.settings.SettingsException if the settings have no such model
   */
  public static HeadMove apply(
      Settings settings, String model, HeadChange change, String by, String note, boolean dryRun)
      throws LedgerException {
    Steps steps = (_, _) -> new Step(List.of(), change);
    return follow(settings, model, author(by, note), steps, dryRun);
  }

  /**
   * Lets the leaf values of another gamma score: a version of its own with the tip's segments.
   * Otherwise as {@link #apply}.
   *
   * @param gamma one of the tip's rungs, or what its trees were grown with
   */
  public static HeadMove climb(
      Settings settings, String model, double gamma, String by, String note, boolean dryRun)
      throws LedgerException {
    Steps steps =
        (ledger, present) -> {
          LedgerCodec.Encoded climbed = RungVersion.of(ledger, present, gamma);
          var version = climbed.version();
          return new Step(
              climbed.records(), new HeadChange.Climbed(version.number(), version.hash()));
        };
    return follow(settings, model, author(by, note), steps, dryRun);
  }

  private static HeadRules.Author author(String by, String note) {
    return new HeadRules.Author(by, note, InstantSource.system().instant());
  }

  /** A change of a head, and the records that it needs. */
  private record Step(List<LedgerRecord> records, HeadChange change) {}

  private interface Steps {
    Step next(Ledger ledger, ModelHead present) throws LedgerException;
  }

  private static HeadMove follow(
      Settings settings, String model, HeadRules.Author author, Steps steps, boolean dryRun)
      throws LedgerException {
    Gate gate = settings.model(model).update().gate();
    List<HeadMove> moves = new ArrayList<>(); // a new one for each time it is decided
    Decision decision =
        ledger -> {
          String none =
              "model " + model + " has no version that serves yet, so there is no head to change";
          ModelHead present =
              ledger
                  .head(model)
                  .orElseThrow(() -> new LedgerException(LedgerException.Reason.REFUSED, none));
          Step step = steps.next(ledger, present);
          ModelHead next =
              HeadRules.next(present, step.change(), ledger.versionsOf(model), gate, author);
          moves.add(new HeadMove(present, next));
          return new Change(step.records(), next);
        };
    if (dryRun) {
      decision.decide(read(settings, model));
    } else {
      write(settings, model, decision);
    }
    return moves.getLast();
  }

  /** What {@link #write} would write now, of which nothing is. */
  public static ModelHead preview(Settings settings, String model, Decision decision)
      throws LedgerException {
    return decision.decide(read(settings, model)).head();
  }

  private static Ledger read(Settings settings, String model) {
    Ledger ledger = new Ledger(Set.of(model));
    LedgerReader.read(settings.kafka(), settings.topics().models(), ledger, READ_PATIENCE);
    return ledger;
  }

  /** Writes what {@code decision} says, in one transaction; otherwise as {@link #apply}. */
  public static ModelHead write(Settings settings, String model, Decision decision)
      throws LedgerException {
    ModelHead tried = null;
    KafkaException failure = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      boolean committing = false;
      pause(attempt);
      try (Producer<String, byte[]> producer = producer(settings.kafka(), model)) {
        producer.initTransactions();
        Ledger ledger = read(settings, model);
        if (tried != null && ledger.history(model).contains(tried)) {
          return tried; // the commit whose answer was lost had come through
        }
        Change change = decision.decide(ledger);
        tried = change.head();
        committing = true;
        long last = commit(producer, settings, model, change);
        awaitSeen(settings, last);
        return tried;
      } catch (KafkaException e) {
        failure = e;
        if (!mayBeTriedAgain(e, committing)) {
          break;
        }
      }
    }
    throw new TopicException(
        Sentence.of(
            "the head of %s cannot be written: %s",
            model,
            failure != null && lostTheLock(failure)
                ? "others change it all the time, so try again later"
                : ClientSettings.explain(settings.kafka(), failure)),
        failure);
  }

  /** Commits a change; the offset of its last record. */
  private static long commit(
      Producer<String, byte[]> producer, Settings settings, String model, Change change) {
    String topic = settings.topics().models();
    List<LedgerRecord> records = new ArrayList<>(change.records());
    records.addAll(LedgerCodec.records(change.head()));
    records.addAll(change.tombstones());
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    producer.beginTransaction();
    for (LedgerRecord each : records) {
      // A failed send fails the commit.
      sent.add(producer.send(new ProducerRecord<>(topic, 0, each.key().toString(), each.value())));
    }
    if (!change.offsets().isEmpty()) {
      producer.sendOffsetsToTransaction(change.offsets(), group(settings.kafka(), model));
    }
    producer.commitTransaction();
    return sent.getLast().resultNow().offset();
  }

  /**
   * Returns once whoever reads the topic to its end sees an offset that was committed. The broker
   * writes a transaction's markers after it has answered the commit, and somebody else's open
   * transaction holds readers up, too: after a while they are left to see it when they can.
   */
  private static void awaitSeen(Settings settings, long offset) {
    var partition = new TopicPartition(settings.topics().models(), 0);
    long deadline = System.nanoTime() + SEEN_LIMIT.toNanos();
    Map<String, Object> config = ClientSettings.consumer(settings.kafka());
    try (var consumer = new KafkaConsumer<String, byte[]>(config)) {
      while (consumer.endOffsets(List.of(partition), SEEN_LIMIT).getOrDefault(partition, 0L)
              <= offset
          && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(SEEN_PAUSE_NANOS);
      }
    } catch (KafkaException e) {
      LOG.debug("whether offset {} of {} is seen is not known", offset, partition, e);
    }
  }

  /** The trainer's group, of which this program is no member. */
  private static ConsumerGroupMetadata group(Map<String, String> kafka, String model) {
    Map<String, Object> settings = ClientSettings.consumer(kafka);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, transactionalId(model));
    try (var consumer = new KafkaConsumer<String, byte[]>(settings)) {
      return consumer.groupMetadata();
    }
  }

  private static Producer<String, byte[]> producer(Map<String, String> kafka, String model) {
    Map<String, Object> settings = ClientSettings.producer(kafka, REQUEST_LIMIT);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(model));
    return new KafkaProducer<>(settings);
  }

  /**
   * Whether another attempt may do better: it reads the topic anew, so it is no harm if this one
   * came through. A broker that is asked to commit while it is fencing the producer answers with an
   * unexpected error, which the client hands on as no error of the protocol.
   */
  private static boolean mayBeTriedAgain(KafkaException e, boolean committing) {
    return lostTheLock(e)
        || e instanceof TimeoutException
        || (committing && !(e instanceof ApiException));
  }

  /**
   * Whether somebody else writes to the model meanwhile: who was fenced while its commit was on the
   * way is told that there is no such transaction any more.
   */
  private static boolean lostTheLock(KafkaException e) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException
          || cause instanceof InvalidTxnStateException) {
        return true;
      }
    }
    return false;
  }

  /** Longer with every attempt, and never the same for two that contend. */
  private static void pause(int attempt) {
    if (attempt > 0) {
      long share = 500 + Math.floorMod(System.nanoTime(), 1_000L); // half to one and a half
      LockSupport.parkNanos(FIRST_PAUSE_NANOS * attempt * share / 1_000);
    }
  }
}
