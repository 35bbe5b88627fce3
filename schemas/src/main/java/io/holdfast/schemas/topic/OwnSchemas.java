package io.holdfast.schemas.topic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts our own schemas on the schema topic, where whoever reads what we wrote finds them by their
 * fingerprints. Nothing waits for it, and what keeps it from doing so is said in the log. Started
 * and closed by one thread.
 */
public final class OwnSchemas implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnSchemas.class);
  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private final SchemaTopic schemas;
  private final Map<String, String> kafka;
  private final String topic;
  private final Map<String, List<Schema>> own;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = Thread.ofVirtual().name("own-schemas").unstarted(this::offer);

  /**
   * Does not start yet.
   *
   * @param topic the schema topic, which {@code schemas} follows
   * @param own the schemas of values that we write, by topic
   */
  public OwnSchemas(
      SchemaTopic schemas, Map<String, String> kafka, String topic, Map<String, List<Schema>> own) {
    this.schemas = schemas;
    this.kafka = kafka;
    this.topic = topic;
    this.own = Map.copyOf(own);
  }

  public void start() {
    thread.start();
  }

  private void offer() {
    String said = "";
    try {
      boolean ended = false;
      while (!ended) {
        try {
          ended = offered();
        } catch (TopicException e) {
          String problem = String.valueOf(e.getMessage());
          if (!problem.equals(said)) {
            LOG.warn("{}: readers of what is written must have it from elsewhere", problem);
          }
          said = problem;
        }
        ended = ended || closed.await(AGAIN.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean offered() {
    boolean offered = true;
    for (Map.Entry<String, List<Schema>> values : own.entrySet()) {
      for (Schema schema : values.getValue()) {
        offered = offered && schemas.offer(kafka, topic, values.getKey(), schema);
      }
    }
    return offered;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      if (thread.getState() != Thread.State.NEW) {
        boolean _ = thread.join(CLOSE_LIMIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
