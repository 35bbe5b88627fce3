package io.holdfast.trainer.runtime;

import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.trainer.publish.ReportFramings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;

/** What training needs of Kafka. Thread-safe; clients belong to the threads that opened them. */
public interface KafkaAccess extends AutoCloseable {

  /** A consumer of committed records, in the group {@code group}, which it never joins. */
  Consumer<byte[], byte[]> openConsumer(String group);

  /** A consumer for joining the group of trainers, with {@code ModelAssignor}. */
  Consumer<byte[], byte[]> openMember();

  /** A producer with that transactional id. */
  Producer<byte[], byte[]> openProducer(String transactionalId);

  /**
   * What was written of one model to the model topic before this call; cheaper where many ask at
   * once. The ledger is the caller's own.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be read now
   * @throws io.holdfast.schemas.topic.TopicException if a transaction on it stays open too long
   */
  Ledger readLedger(String model);

  /**
   * The ids of those topics that exist, by name.
   *
   * @throws io.holdfast.schemas.topic.TopicException if the broker does not say
   */
  Map<String, Uuid> topicIds(Set<String> topics);

  /** What an error of a client means to a user, and how to fix it, in one sentence. */
  String explain(KafkaException error);

  /**
   * How reports are framed.
   *
   * @throws io.holdfast.schemas.topic.TopicException if a registry must first take their schema,
   *     and does not
   */
  ReportFramings reports();

  /** Writer schemas of records. */
  SchemaSource schemas();

  /** The known schemas of records of that topic, the newest first. */
  List<Schema> recordSchemas(String recordTopic);

  @Override
  void close();
}
