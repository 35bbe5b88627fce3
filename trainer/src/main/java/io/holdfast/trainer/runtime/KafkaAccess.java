package io.holdfast.trainer.runtime;

import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.wire.SchemaSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;

/**
 * What training needs of Kafka. Thread-safe; the clients it opens belong to the threads that asked.
 */
public interface KafkaAccess extends AutoCloseable {

  /** A consumer of committed records, in the group {@code group}, which it never joins. */
  Consumer<byte[], byte[]> openConsumer(String group);

  /**
   * A consumer that may join the group of trainers, with the settings' session time-out and
   * instance, and shares out its topics by {@link io.holdfast.trainer.group.ModelAssignor}.
   */
  Consumer<byte[], byte[]> openMember();

  /** A producer with that transactional id. */
  Producer<byte[], byte[]> openProducer(String transactionalId);

  /**
   * What was written of one model to the model topic before this call; a ledger of the caller's
   * own. Cheaper where many ask at once.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be read now
   * @throws io.holdfast.schemas.topic.TopicException if a transaction on it stays open too long
   */
  Ledger readLedger(String model);

  /**
   * The ids of those of the topics that there are, by name.
   *
   * @throws io.holdfast.schemas.topic.TopicException if the broker does not say
   */
  Map<String, Uuid> topicIds(Set<String> topics);

  /** What an error of its clients means to a user, and what mends it, in one sentence. */
  String explain(KafkaException error);

  /** Writer schemas of records. */
  SchemaSource schemas();

  /** The schemas that are known of records of that topic, the newest first. */
  List<Schema> recordSchemas(String recordTopic);

  @Override
  void close();
}
