package io.holdfast.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.FirstAnswer;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Programs that start while their broker takes its time. */
class SlowBrokerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void serviceAndTrainer_waitForABrokerThatIsSlowToAnswer_andSayWhatTheyWaitFor() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    Logger logger = (Logger) LoggerFactory.getLogger(FirstAnswer.class);
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            said.add(event.getFormattedMessage());
          }
        };
    appender.start();
    logger.addAppender(appender);
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      TopicCheck.create(settings(broker.bootstrapServers()), 1);
      try (SilentPort port = new SilentPort(broker.bootstrapServers())) {
        Settings settings = settings(port.address());
        CompletableFuture<Service> service = starting(Service::start, settings);
        CompletableFuture<Trainer> trainer = starting(Trainer::start, settings);
        await().atMost(PATIENCE).until(() -> said.size() >= 2);
        assertThat(service).isNotDone();
        assertThat(trainer).isNotDone();
        assertThat(said)
            .allMatch(
                sentence ->
                    sentence.startsWith(
                            "what listens at "
                                + port.address()
                                + " takes connections and answers no request: it is too busy, or"
                                + " kafka.security.protocol, which is PLAINTEXT, must be what that"
                                + " port speaks")
                        && sentence.endsWith("; it is asked again, for up to 10 s"));

        port.let();
        service.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        trainer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
      }
    } finally {
      logger.detachAppender(appender);
    }
  }

  private static <T> CompletableFuture<T> starting(Function<Settings, T> start, Settings settings) {
    CompletableFuture<T> started = new CompletableFuture<>();
    started.completeAsync(() -> start.apply(settings), task -> Thread.ofPlatform().start(task));
    return started;
  }

  private Settings settings(String brokers) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: "%s" }
                holdfast:
                  service: { port: 0, stateDirectory: "%s" }
                  trainer: { port: 0 }
                  models: { m: { objective: squared, label: y } }
                """,
                brokers, folder.resolve("state")));
    return Settings.read(file, Map.of());
  }
}
