package io.holdfast.trainer.publish;

import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.wire.Contracts;
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
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Publishes each of a model's events in one Kafka transaction. Owned by the training thread.
 *
 * <p>The transactional id is the model's: of two trainers of one model only the one that opened
 * last can publish, and the other's next transaction is {@link Result.Fenced}. That alone keeps the
 * chain of versions single.
 */
public final class Publisher implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

  private final Producer<byte[], byte[]> producer;
  private final Settings.SharedTopics shared;
  private final ModelSettings model;
  private final ConsumerGroupMetadata group;
  private final ReportFramings reports;

  /** What became of a transaction. */
  public sealed interface Result {
    record Committed() implements Result {}

    /** Another trainer of the model has opened since: this one can publish nothing any more. */
    record Fenced() implements Result {}

    /** It failed, and only the topics can say whether it was committed; begin anew. */
    record Failed(KafkaException cause) implements Result {}
  }

  /** What is to be published of a window; the dead letters are of examples up to its end. */
  public record Conclusion(TrainerEvent.Concluded event, List<DeadLetter> deadLetters) {
    public Conclusion {
      deadLetters = List.copyOf(deadLetters);
    }
  }

  /** Owns the producer, a transactional one, and commits offsets for {@code group}. */
  public Publisher(
      Producer<byte[], byte[]> producer,
      Settings.SharedTopics shared,
      ModelSettings model,
      ConsumerGroupMetadata group,
      ReportFramings reports) {
    this.producer = producer;
    this.shared = shared;
    this.model = model;
    this.group = group;
    this.reports = reports;
  }

  /** Fences earlier trainers of the model, and ends their open transaction. */
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
    return transact(onModels(begun.version().records()), Map.of());
  }

  /** Publishes a constant; no offset moves. */
  public Result publish(TrainerEvent.Provisional constant) {
    return transact(onModels(constant.version().records()), Map.of());
  }

  /** Publishes at least one window of a topic, in order, with the last one's end offsets. */
  public Result publish(List<Conclusion> conclusions, LearnedTopic topic) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (Conclusion conclusion : conclusions) {
      TrainerEvent.Concluded event = conclusion.event();
      records.addAll(onModels(event.records()));
      ContractFraming framing = reports.of(event.report());
      byte[] report = framing.frame(Contracts.REPORT.encodeBody(event.report()));
      Headers headers = framing.headers(new RecordHeaders());
      records.add(
          new ProducerRecord<>(shared.reports(), null, null, utf8(model.name()), report, headers));
      conclusion.deadLetters().forEach(letter -> records.add(letter.toRecord(model.topics())));
    }
    return transact(records, offsets(conclusions.getLast().event().progress(), topic));
  }

  /** The partition that {@link LearnedTopic} is committed for. */
  public TopicPartition note() {
    return new TopicPartition(shared.models(), 0);
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
      // That another trainer took over may show only now; else the next open() ends the
      // transaction.
      return failure(e) instanceof Result.Fenced fenced ? fenced : result;
    } catch (IllegalStateException e) {
      return result; // a commit that timed out must not be aborted: it may have succeeded
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

  private List<ProducerRecord<byte[], byte[]>> onModels(List<LedgerRecord> records) {
    return records.stream()
        .map(it -> new ProducerRecord<>(shared.models(), utf8(it.key().toString()), it.value()))
        .toList();
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(Progress progress, LearnedTopic topic) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    LearnedTopic learned = topic.at(progress.window(), progress.evidence(), progress.trials());
    offsets.put(note(), new OffsetAndMetadata(0, learned.toString()));
    for (var entry : progress.partitions().entrySet()) {
      Progress.Reached reached = entry.getValue();
      var metadata =
          new CommitMetadata(
              progress.window(), progress.version(), reached.unpublishedFrom(), progress.time());
      offsets.put(
          new TopicPartition(model.topics().examples(), entry.getKey()),
          new OffsetAndMetadata(reached.position(), metadata.toString()));
    }
    return offsets;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
