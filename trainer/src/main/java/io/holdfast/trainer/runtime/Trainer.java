package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A running trainer: a member of the group of trainers, one thread for every model that the group
 * has given to it, and an HTTP server for {@code /health/liveness}, {@code /health/readiness} and
 * {@code /prometheus}. Thread-safe.
 */
public final class Trainer implements AutoCloseable {
  private final ApplicationContext context;
  private final KafkaAccess kafka;
  private final URI url;
  private final ModelLoops loops;

  private Trainer(ApplicationContext context, KafkaAccess kafka, URI url, ModelLoops loops) {
    this.context = context;
    this.kafka = kafka;
    this.url = url;
    this.loops = loops;
  }

  /**
   * Checks broker and topics, starts, and returns once the HTTP server listens; the models' threads
   * go on starting.
   *
   * @throws StartException if the broker or a topic is not as it must be, or the port is taken
   * @throws io.holdfast.schemas.settings.SettingsException if a schema file cannot be read, or the
   *     settings do not fit the records' schema
   */
  public static Trainer start(Settings settings) {
    List<String> problems = TopicCheck.problems(settings);
    if (!problems.isEmpty()) {
      throw new StartException(String.join(System.lineSeparator(), problems));
    }
    KafkaClients kafka = new KafkaClients(settings);
    boolean fits = false;
    try {
      kafka.checkSchemas();
      fits = true;
    } finally {
      if (!fits) {
        kafka.close();
      }
    }
    return start(settings, kafka);
  }

  /**
   * The same without a check, with Kafka's clients from {@code kafka}, which is closed at the end.
   */
  public static Trainer start(Settings settings, KafkaAccess kafka) {
    ApplicationContext context =
        ApplicationContext.builder()
            .deduceEnvironment(false)
            .deduceCloudEnvironment(false)
            .enableDefaultPropertySources(false)
            .environmentPropertySource(false)
            .bootstrapEnvironment(false)
            .banner(false)
            .properties(properties(settings))
            .singletons(settings, kafka)
            .build();
    boolean complete = false;
    try {
      context.start();
      EmbeddedServer server = context.getBean(EmbeddedServer.class);
      ModelLoops loops = context.getBean(ModelLoops.class);
      server.start();
      loops.start();
      complete = true;
      return new Trainer(context, kafka, server.getURI(), loops);
    } catch (ServerStartupException e) {
      throw new StartException(
          Sentence.of(
              "port %d of %s cannot be opened (%s): set holdfast.trainer.port to a free one, or 0"
                  + " for any",
              settings.trainer().port(), settings.trainer().host(), rootMessage(e)));
    } finally {
      if (!complete) {
        context.close();
        kafka.close();
      }
    }
  }

  /** Where health and metrics are; the port is the one that was opened. */
  public URI url() {
    return url;
  }

  /**
   * Whether the group has given this trainer its share of the models, which may be empty, and every
   * thread has found out where to go on, and reads examples.
   */
  public boolean ready() {
    return loops.ready();
  }

  /**
   * Stops every model's thread where it stands and leaves the group, so that others take over at
   * once; what was not committed is done again.
   */
  @Override
  public void close() {
    context.close();
    kafka.close();
  }

  private static Map<String, Object> properties(Settings settings) {
    int port = settings.trainer().port();
    return Map.ofEntries(
        Map.entry("holdfast.role", "trainer"),
        Map.entry("micronaut.application.name", "holdfast-trainer"),
        Map.entry("micronaut.server.host", settings.trainer().host()),
        Map.entry("micronaut.server.port", port == 0 ? -1 : port),
        Map.entry("micronaut.netty.event-loops.default.shutdown-quiet-period", "0s"),
        Map.entry("micronaut.metrics.enabled", true),
        Map.entry("micronaut.metrics.export.prometheus.enabled", true),
        Map.entry("micronaut.metrics.export.prometheus.descriptions", true),
        Map.entry("endpoints.all.enabled", false),
        Map.entry("endpoints.health.enabled", true),
        Map.entry("endpoints.health.sensitive", false),
        Map.entry("endpoints.health.details-visible", "ANONYMOUS"),
        Map.entry("endpoints.health.disk-space.enabled", false),
        // Nothing is discovered: its part of the answer would be empty.
        Map.entry("endpoints.health.discovery-client.enabled", false),
        Map.entry("endpoints.prometheus.enabled", true),
        Map.entry("endpoints.prometheus.sensitive", false));
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
