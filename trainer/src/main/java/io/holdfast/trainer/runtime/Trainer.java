package io.holdfast.trainer.runtime;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A running trainer: one thread for every model of the settings, and an HTTP server for {@code
 * /health/liveness}, {@code /health/readiness} and {@code /prometheus}. Thread-safe.
 */
public final class Trainer implements AutoCloseable {
  private final ApplicationContext context;
  private final KafkaAccess kafka;
  private final int port;

  private Trainer(ApplicationContext context, KafkaAccess kafka, int port) {
    this.context = context;
    this.kafka = kafka;
    this.port = port;
  }

  /**
   * Checks broker and topics, starts, and returns once the HTTP server listens; the models' threads
   * go on starting.
   *
   * @throws StartException if the broker or a topic is not as it must be, or the port is taken
   * @throws io.holdfast.schemas.settings.SettingsException if a schema file cannot be read
   */
  public static Trainer start(Settings settings) {
    List<String> problems = TopicCheck.problems(settings);
    if (!problems.isEmpty()) {
      throw new StartException(String.join(System.lineSeparator(), problems));
    }
    return start(settings, new KafkaClients(settings));
  }

  /**
   * The same without a check, with Kafka's clients from {@code kafka}, which is closed at the end.
   */
  public static Trainer start(Settings settings, KafkaAccess kafka) {
    ApplicationContext context =
        ApplicationContext.builder()
            .deduceEnvironment(false)
            .banner(false)
            .propertySources(PropertySource.of("holdfast-trainer", properties(settings)))
            .singletons(settings, kafka)
            .start();
    try {
      EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
      context.getBean(ModelLoops.class).start();
      return new Trainer(context, kafka, server.getPort());
    } catch (ServerStartupException e) {
      context.close();
      kafka.close();
      throw new StartException(
          String.format(
              "The trainer cannot listen on %s:%d (%s): free the port, or set holdfast.trainer.port"
                  + " to another one.",
              settings.trainer().host(), settings.trainer().port(), rootMessage(e)));
    }
  }

  /** The HTTP port it listens on. */
  public int port() {
    return port;
  }

  /** Stops every model's thread where it stands; what was not committed is done again next time. */
  @Override
  public void close() {
    context.close();
    kafka.close();
  }

  private static Map<String, Object> properties(Settings settings) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("holdfast.role", "trainer");
    properties.put("micronaut.application.name", "holdfast-trainer");
    properties.put("micronaut.server.host", settings.trainer().host());
    properties.put(
        "micronaut.server.port", settings.trainer().port() == 0 ? -1 : settings.trainer().port());
    properties.put("endpoints.all.enabled", false);
    properties.put("endpoints.health.enabled", true);
    properties.put("endpoints.health.sensitive", false);
    properties.put("endpoints.health.details-visible", "ANONYMOUS");
    properties.put("endpoints.health.disk-space.enabled", false);
    properties.put("endpoints.prometheus.enabled", true);
    properties.put("endpoints.prometheus.sensitive", false);
    return properties;
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
