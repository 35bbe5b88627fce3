package io.holdfast.cli.trainer;

import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.trainer.runtime.KafkaAccess;
import io.holdfast.trainer.runtime.KafkaClients;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * A real broker's clients whose producer dies in the midst of a chosen transaction, as a process
 * would: what was sent stays on the broker in an open transaction, and nobody ends it.
 */
final class CrashingKafka implements KafkaAccess {
  private final KafkaAccess real;
  private final Moment moment;
  private int commitsLeft;

  /** Where in a transaction it dies. */
  enum Moment {
    RECORDS_SENT,
    OFFSETS_SENT,
    COMMITTED
  }

  /** Thrown where the process would have died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Dies at {@code moment} of the transaction after {@code commits} good ones. */
  CrashingKafka(Settings settings, int commits, Moment moment) {
    real = new KafkaClients(settings);
    commitsLeft = commits;
    this.moment = moment;
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
              boolean dying = commitsLeft == 0;
              switch (method.getName()) {
                case "sendOffsetsToTransaction" -> {
                  if (dying && moment == Moment.RECORDS_SENT) {
                    die(producer);
                  }
                }
                case "commitTransaction" -> {
                  if (dying && moment == Moment.OFFSETS_SENT) {
                    die(producer);
                  }
                  producer.commitTransaction();
                  if (dying) {
                    throw new Crash();
                  }
                  commitsLeft--;
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

  private static void die(Producer<byte[], byte[]> producer) {
    producer.flush();
    throw new Crash();
  }

  @Override
  public Consumer<byte[], byte[]> openConsumer(String group) {
    return real.openConsumer(group);
  }

  @Override
  public Ledger readLedger() {
    return real.readLedger();
  }

  @Override
  public SchemaSource schemas() {
    return real.schemas();
  }

  @Override
  public Optional<Schema> latestSchema(String recordTopic) {
    return real.latestSchema(recordTopic);
  }

  @Override
  public void close() {
    real.close();
  }
}
