package io.holdfast.faults;

import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.RecordEncoder;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Records and, a little later, their labels, for several models at a steady rate. Row {@code n} of
 * a seed is always the same, and what is true of it is known: {@link #truth}. Sends from a thread
 * of its own; any thread may ask and pause it.
 */
public final class Feed implements AutoCloseable {
  /** What is in a record. */
  public static final Schema SCHEMA =
      SchemaBuilder.record("Reading")
          .namespace("faults")
          .fields()
          .requiredDouble("x")
          .requiredString("kind")
          .requiredString("region")
          .endRecord();

  private static final RecordEncoder RECORDS = new RecordEncoder(SCHEMA);
  private static final ContractCodec<Label> LABELS = new ContractCodec<>(Label.class);
  private static final int LABEL_DELAY = 20;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long seed;
  private final List<String> models;
  private final KafkaProducer<String, byte[]> producer;
  private final Thread thread;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicReference<@Nullable Exception> refused = new AtomicReference<>();
  private volatile int perSecond;
  private volatile boolean paused;
  private volatile boolean ended;
  private final AtomicLong next = new AtomicLong();

  /** Begins to send so many rows a second to each model. */
  public Feed(String servers, List<String> models, int perSecond, long seed) {
    this.seed = seed;
    this.models = List.copyOf(models);
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", servers,
                "acks", "all",
                "max.block.ms", "600000",
                "delivery.timeout.ms", "600000",
                "request.timeout.ms", "5000",
                "metadata.max.age.ms", "2000"), // partitions may be added
            new StringSerializer(),
            new ByteArraySerializer());
    this.perSecond = perSecond;
    thread = Thread.ofPlatform().name("feed").start(this::run);
  }

  private void run() {
    long due = System.nanoTime();
    while (!ended) {
      long early = due - System.nanoTime();
      if (paused || early < -SECOND) {
        due = System.nanoTime(); // what was not sent then is not made up for
        early = SECOND / perSecond;
      } else if (early <= 0) {
        long row = next.get();
        models.forEach(model -> send(model, row));
        next.set(row + 1);
        due += SECOND / perSecond;
      }
      LockSupport.parkNanos(early);
    }
  }

  /** Sends so many rows a second from now on. */
  public void pace(int rowsPerSecond) {
    perSecond = rowsPerSecond;
  }

  private void send(String model, long row) {
    long now = InstantSource.system().millis();
    put(model + ".records", row, now, record(row));
    if (row >= LABEL_DELAY) {
      long of = row - LABEL_DELAY;
      put(model + ".labels", of, now, LABELS.encode(new Label(truth(of), null, null)));
    }
  }

  private void put(String topic, long row, long time, byte[] value) {
    var _ =
        producer.send(
            new ProducerRecord<>(topic, null, time, "r" + row, value),
            (metadata, error) -> {
              if (error != null) {
                refused.set(error);
              } else if (topic.endsWith(".records")) {
                acknowledged.incrementAndGet();
              }
            });
  }

  private byte[] record(long row) {
    SplittableRandom random = new SplittableRandom(seed * 31 + row);
    return RECORDS.encode(
        new GenericRecordBuilder(SCHEMA)
            .set("x", random.nextInt(1000) / 10.0)
            .set("kind", "k" + random.nextInt(4))
            .set("region", random.nextBoolean() ? "north" : "south")
            .build());
  }

  /** The label of a row. */
  public double truth(long row) {
    SplittableRandom random = new SplittableRandom(seed * 31 + row);
    double x = random.nextInt(1000) / 10.0;
    return Math.round(x / 10) + random.nextInt(4);
  }

  /** Records that the brokers have taken, of all models together. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /** Rows that were sent, a record and in time a label for each model. */
  public long rows() {
    return next.get();
  }

  public void pause() {
    paused = true;
  }

  public void resume() {
    paused = false;
  }

  /** Waits until all that was sent is acknowledged; fails if the brokers refused anything. */
  public void flush() {
    producer.flush();
    Exception error = refused.get();
    if (error != null) {
      throw new AssertionError("a record or label of the feed was refused", error);
    }
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    producer.close(java.time.Duration.ZERO);
  }
}
