package io.holdfast.trainer.publish;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.trainer.learn.NewVersion;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.TrainerEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Publishes one model's events in Kafka transactions, none in more than one: all of it can be read
 * by others, or nothing. Owned by the training thread; not thread-safe.
 *
 * <p>The transactional id is the model's, so of two trainers of one model the one that opened last
 * can publish; the other's next transaction is {@link Result.Fenced}. That alone keeps the chain of
 * versions single, however the trainers came by their partitions.
 */
public final class Publisher implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

  private final Producer<byte[], byte[]> producer;
  private final Settings.SharedTopics shared;
  private final ModelSettings model;
  private final ConsumerGroupMetadata group;

  /** What became of a transaction. */
  public sealed interface Result {
    /** It is committed. */
    record Committed() implements Result {}

    /** Another trainer of the model has opened since: nothing was, or will ever be, published. */
    record Fenced() implements Result {}

    /**
     * It failed, and whether it was committed can be seen only by reading the topics again; this
     * publisher is of no more use.
     */
    record Failed(KafkaException cause) implements Result {}
  }

  /**
   * A publisher that owns {@code producer}, a transactional one, and commits offsets for {@code
   * group}.
   */
  public Publisher(
      Producer<byte[], byte[]> producer,
      Settings.SharedTopics shared,
      ModelSettings model,
      ConsumerGroupMetadata group) {
    this.producer = producer;
    this.shared = shared;
    this.model = model;
    this.group = group;
  }

  /** Ends whatever transaction an earlier trainer of the model left open, and fences it. */
  public Result open() {
    try {
      producer.initTransactions();
      return new Result.Committed();
    } catch (KafkaException e) {
      return failure(e);
    }
  }

  /** Publishes version 0. */
  public Result publish(TrainerEvent.Begun begun) {
    return transact(versionRecords(begun.version()), Map.of());
  }

  /** Publishes a constant that serves until the first window is full; no offset moves. */
  public Result publish(TrainerEvent.Provisional constant) {
    return transact(versionRecords(constant.version()), Map.of());
  }

  /**
   * Publishes what was concluded of windows that follow each other, with their dead letters and the
   * offsets that the last one ends at, in one transaction.
   *
   * @param conclusions at least one
   * @param topic the topic that the windows are of
   */
  public Result publish(List<Conclusion> conclusions, LearnedTopic topic) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (Conclusion conclusion : conclusions) {
      records.addAll(records(conclusion));
    }
    return transact(records, offsets(conclusions.getLast().event().progress(), topic));
  }

  /** The partition that {@link LearnedTopic} is committed for. */
  public TopicPartition note() {
    return new TopicPartition(shared.models(), 0);
  }

  private List<ProducerRecord<byte[], byte[]>> records(Conclusion conclusion) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    switch (conclusion.event().outcome()) {
      case TrainerEvent.Outcome.Trained trained ->
          records.addAll(versionRecords(trained.version()));
      case TrainerEvent.Outcome.Kept kept -> {} // the report says why
    }
    records.add(
        new ProducerRecord<>(
            shared.reports(),
            utf8(model.name()),
            Contracts.REPORT.encode(conclusion.event().report())));
    for (DeadLetter letter : conclusion.deadLetters()) {
      records.add(letter.toRecord(model.topics()));
    }
    return records;
  }

  @Override
  public void close() {
    producer.close(CLOSE_LIMIT);
  }

  private Result transact(
      List<ProducerRecord<byte[], byte[]>> records,
      Map<TopicPartition, OffsetAndMetadata> offsets) {
    try {
      producer.beginTransaction();
      for (ProducerRecord<byte[], byte[]> record : records) {
        var _ = producer.send(record); // a failed send fails the commit
      }
      if (!offsets.isEmpty()) {
        producer.sendOffsetsToTransaction(offsets, group);
      }
      producer.commitTransaction();
      return new Result.Committed();
    } catch (KafkaException e) {
      return abort(e);
    }
  }

  private Result abort(KafkaException cause) {
    Result result = failure(cause);
    if (result instanceof Result.Fenced) {
      return result;
    }
    try {
      producer.abortTransaction();
      return result;
    } catch (KafkaException e) {
      // Only now may it show that another trainer took over. If it is anything else, the next
      // open() ends the transaction.
      return failure(e) instanceof Result.Fenced fenced ? fenced : result;
    } catch (IllegalStateException e) {
      return result; // a commit that timed out must not be aborted: it may yet have come through
    }
  }

  private static Result failure(KafkaException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return new Result.Fenced();
      }
    }
    return new Result.Failed(e);
  }

  private List<ProducerRecord<byte[], byte[]>> versionRecords(NewVersion version) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (LedgerRecord record : version.records()) {
      records.add(
          new ProducerRecord<>(shared.models(), utf8(record.key().toString()), record.value()));
    }
    return records;
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(Progress progress, LearnedTopic topic) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    offsets.put(note(), new OffsetAndMetadata(0, topic.at(progress.window()).toString()));
    progress
        .partitions()
        .forEach(
            (partition, reached) ->
                offsets.put(
                    new TopicPartition(model.topics().examples(), partition),
                    new OffsetAndMetadata(
                        reached.position(),
                        new CommitMetadata(
                                progress.window(),
                                progress.version(),
                                reached.unpublishedFrom(),
                                progress.time())
                            .toString())));
    return offsets;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
