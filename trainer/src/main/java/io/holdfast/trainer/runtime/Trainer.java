package io.holdfast.trainer.runtime;

import io.holdfast.http.ServerContext;
import io.holdfast.http.ServerProgram;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.FirstAnswer;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running trainer: a member of the group of trainers, a thread for every model that the group
 * gave it, and an HTTP server for {@code /health/liveness}, {@code /health/readiness} and {@code
 * /prometheus}. Thread-safe.
 */
public final class Trainer implements ServerProgram.Server {
  private static final Logger LOG = LoggerFactory.getLogger(Trainer.class);

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
   * Checks broker and topics, starts, and returns once the HTTP server listens, before the models'
   * threads do.
   *
   * @throws StartException if the broker, a shared topic or the topics of all models are not as
   *     they must be, or the port is taken
   * @throws io.holdfast.schemas.settings.SettingsException if a schema file cannot be read, or the
   *     settings do not fit the records' schema
   */
  public static Trainer start(Settings settings) {
    List<String> problems = topicProblems(settings);
    if (!problems.isEmpty()) {
      throw new StartException(problems);
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
    kafka.offerSchemas();
    return start(settings, kafka);
  }

  /**
   * Starts without a check, with Kafka's clients from {@code kafka}, which is closed at the end.
   */
  public static Trainer start(Settings settings, KafkaAccess kafka) {
    ApplicationContext context =
        ServerContext.of(
                "trainer",
                settings.trainer().host(),
                settings.trainer().port(),
                settings.trainer().requestTimeout(),
                settings.security().tls())
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
      LOG.info(
          "a trainer of group {} for {} with Kafka at {} listens on {}",
          settings.trainer().group(),
          String.join(", ", settings.models().keySet()),
          settings.kafka().get("bootstrap.servers"),
          server.getURI());
      return new Trainer(context, kafka, server.getURI(), loops);
    } catch (ServerStartupException e) {
      throw StartException.ofPort(
          "trainer", settings.trainer().host(), settings.trainer().port(), e);
    } finally {
      if (!complete) {
        context.close();
        kafka.close();
      }
    }
  }

  @Override
  public URI url() {
    return url;
  }

  /** Whether the group has given this trainer its share, and its models read examples. */
  public boolean ready() {
    return loops.ready();
  }

  /** Stops all threads and leaves the group, so that others take over at once. */
  @Override
  public void close() {
    context.close();
    kafka.close();
  }

  private static List<String> topicProblems(Settings settings) {
    try {
      return TopicCheck.trainingProblems(settings, FirstAnswer.await(settings));
    } catch (TopicException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
