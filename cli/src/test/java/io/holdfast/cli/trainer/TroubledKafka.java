package io.holdfast.cli.trainer;

import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.trainer.publish.ReportFramings;
import io.holdfast.trainer.runtime.KafkaAccess;
import io.holdfast.trainer.runtime.KafkaClients;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A real broker's clients, whose producer meets trouble in the midst of a chosen transaction, once.
 * If the trouble is a {@link Crash}, it is as if the process had died: what was sent stays on the
 * broker in an open transaction, and nobody ends it.
 */
final class TroubledKafka implements KafkaAccess {
  private final KafkaAccess real;
  private final Moment moment;
  private final Runnable trouble;
  private int commitsLeft;

  /** When in a transaction it happens: at every step of a publication, in order. */
  enum Moment {
    BEFORE_BEGIN(null),
    BEGUN(null),
    SEGMENT_SENT("/segment/"),
    MANIFEST_SENT("/version/"),
    PAST_HEAD_SENT("/heads/"),
    HEAD_SENT("/head"),
    RECORDS_SENT(null),
    OFFSETS_SENT(null),
    COMMITTED(null);

    private final @Nullable String key;

    /** The moment after a record whose key on the model topic has that in it. */
    Moment(@Nullable String key) {
      this.key = key;
    }

    private static @Nullable Moment after(ProducerRecord<byte[], byte[]> record) {
      String text = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
      for (Moment moment : values()) {
        if (moment.key != null && text.contains(moment.key)) {
          return moment;
        }
      }
      return null;
    }
  }

  /** Thrown where the process would have died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Runs {@code trouble} at {@code moment} of the transaction after {@code commits} good ones. */
  TroubledKafka(Settings settings, int commits, Moment moment, Runnable trouble) {
    real = new KafkaClients(settings);
    commitsLeft = commits;
    this.moment = moment;
    this.trouble = trouble;
  }

  /** The same, the trouble being a crash. */
  static TroubledKafka crashing(Settings settings, int commits, Moment moment) {
    return new TroubledKafka(
        settings,
        commits,
        moment,
        () -> {
          throw new Crash();
        });
  }

  @Override
  @SuppressWarnings("unchecked") // a proxy has no type arguments
  public Producer<byte[], byte[]> openProducer(String transactionalId) {
    Producer<byte[], byte[]> producer = real.openProducer(transactionalId);
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "beginTransaction" -> {
                  reached(Moment.BEFORE_BEGIN, producer);
                  producer.beginTransaction();
                  reached(Moment.BEGUN, producer);
                  return null;
                }
                case "send" -> {
                  var record = (ProducerRecord<byte[], byte[]>) arguments[0];
                  var sent = producer.send(record);
                  Moment moment = Moment.after(record);
                  if (moment != null) {
                    reached(moment, producer);
                  }
                  return sent;
                }
                case "sendOffsetsToTransaction" -> reached(Moment.RECORDS_SENT, producer);
                case "commitTransaction" -> {
                  reached(Moment.OFFSETS_SENT, producer);
                  producer.commitTransaction();
                  reached(Moment.COMMITTED, producer);
                  if (commitsLeft > 0) {
                    commitsLeft--;
                  }
                  return null;
                }
                case "close" -> {
                  producer.close(Duration.ZERO); // ends no transaction
                  return null;
                }
                default -> {}
              }
              try {
                return method.invoke(producer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void reached(Moment now, Producer<byte[], byte[]> producer) {
    if (commitsLeft == 0 && now == moment) {
      producer.flush();
      commitsLeft = -1;
      trouble.run();
    }
  }

  @Override
  public Consumer<byte[], byte[]> openConsumer(String group) {
    return real.openConsumer(group);
  }

  @Override
  public Consumer<byte[], byte[]> openMember() {
    return real.openMember();
  }

  @Override
  public Ledger readLedger(String model) {
    return real.readLedger(model);
  }

  @Override
  public Map<String, Uuid> topicIds(Set<String> topics) {
    return real.topicIds(topics);
  }

  @Override
  public String explain(KafkaException error) {
    return real.explain(error);
  }

  @Override
  public ReportFramings reports() {
    return real.reports();
  }

  @Override
  public SchemaSource schemas() {
    return real.schemas();
  }

  @Override
  public List<Schema> recordSchemas(String recordTopic) {
    return real.recordSchemas(recordTopic);
  }

  @Override
  public void close() {
    real.close();
  }
}
