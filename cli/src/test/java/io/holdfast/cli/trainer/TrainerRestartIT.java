package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.trainer.ExampleTopic.Outcome;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.runtime.KafkaClients;
import io.holdfast.trainer.runtime.Trainer;
import io.holdfast.trainer.runtime.TrainerApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However often a trainer dies, what it publishes is what one that never died publishes. */
class TrainerRestartIT extends TrainersOnABroker {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource(names = {"BEGUN", "HEAD_SENT", "COMMITTED"})
  void trainer_thatDiesInEverySecondTransaction_publishesWhatAnUndisturbedOneDoes(
      TroubledKafka.Moment moment) throws Exception {
    diesInEverySecondTransaction(moment);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BEGUN", "HEAD_SENT", "COMMITTED"})
  @Tag("long")
  void trainer_thatDiesAtAnyOtherMoment_publishesWhatAnUndisturbedOneDoes(
      TroubledKafka.Moment moment) throws Exception {
    diesInEverySecondTransaction(moment);
  }

  private static void diesInEverySecondTransaction(TroubledKafka.Moment moment) throws Exception {
    ExampleTopic topic =
        topic("dies-" + moment.toString().toLowerCase(Locale.ROOT).replace('_', '-'));
    topic.produce(700);

    // Each finds several windows: the first is published by itself, and it dies with the next.
    for (int life = 0; life < 4; life++) {
      topic.produce(250);
      try (Trainer trainer =
          Trainer.start(topic.settings(), TroubledKafka.crashing(topic.settings(), 1, moment))) {
        await().atMost(LIMIT).until(() -> status(trainer, "liveness") == 503);
      }
    }
    topic.produce(250);
    List<Outcome> expected = topic.expected();
    assertThat(expected).hasSizeGreaterThan(8);
    assertThat(expected).extracting(Outcome::version).contains((Long) null); // the run of bad ones
    assertThat(topic.published()).hasSizeLessThan(expected.size());
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> topic.published().size() == expected.size());
      assertThat(status(trainer, "liveness")).isEqualTo(200);
    }

    assertSame(topic, expected);
  }

  @Test
  void constantOfTheFirstLabels_serves_longBeforeTheFirstWindowIsFull() throws Exception {
    ExampleTopic topic = topic("cold");
    topic.produce(12);
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await()
          .atMost(LIMIT)
          .until(() -> topic.ledger().serving(topic.model()).map(LedgerVersion::number), one(1));
      LedgerVersion version = topic.ledger().serving(topic.model()).orElseThrow();
      assertThat(version.model().base().intercept(0)).isNotZero();
      assertThat(version.manifest().getMetrics()).containsEntry("rows", 5.0);

      topic.produce(12);
      await()
          .atMost(LIMIT)
          .until(() -> topic.ledger().serving(topic.model()).map(LedgerVersion::number), one(2));
      assertThat(topic.published()).isEmpty();
      assertThat(status(trainer, "liveness")).isEqualTo(200);
    }
  }

  private static Predicate<Optional<Long>> one(long version) {
    return served -> served.isPresent() && served.get() == version;
  }

  @Test
  void trainer_killedAsAProcess_leavesWhatTheNextOneGoesOnFrom() throws Exception {
    ExampleTopic topic = topic("killed");
    topic.produce(800);
    Path log = folder.resolve("killed.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TrainerApplication.class.getName(),
                "--config",
                topic.file().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      await().atMost(LIMIT).until(() -> !process.isAlive() || !topic.published().isEmpty());
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    topic.produce(900);
    List<Outcome> expected = topic.expected();
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> topic.published().size() == expected.size());
      await().atMost(LIMIT).until(trainer::ready);
    }

    assertSame(topic, expected);
  }

  @Test
  void trainer_fencedBySomebodyWhoIsNoTrainer_provesThatTheModelIsItsOwnAndGoesOn()
      throws Exception {
    ExampleTopic topic = topic("fenced");
    topic.produce(300);
    int first = topic.expected().size();
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> topic.published().size() == first);
      try (KafkaClients kafka = new KafkaClients(topic.settings());
          var other = kafka.openProducer("holdfast-trainer-fenced")) {
        other.initTransactions();
        topic.produce(1_000);
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    get(trainer, "/prometheus")
                        .contains("holdfast_trainer_fenced_total{model=\"fenced\"} 1.0"));
        await().atMost(LIMIT).until(() -> topic.published().size() > first + 5);
        await().atMost(LIMIT).until(trainer::ready);
      }
      assertThat(status(trainer, "liveness")).isEqualTo(200);
      // Partitions filled up while windows were cut, so only their sequence is the same always.
      List<Outcome> published = topic.published();
      assertThat(published)
          .extracting(Outcome::window)
          .isEqualTo(LongStream.rangeClosed(1, published.size()).boxed().toList());
    }
  }

  @Test
  void trainer_whoseOffsetsKafkaForgot_goesOnFromTheManifest() throws Exception {
    ExampleTopic topic = topic("forgotten");
    topic.produce(300);
    int first = topic.expected().size();
    try (Trainer _ = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> topic.published().size() == first);
    }
    topic.deleteGroup();
    topic.produce(1_000);
    List<Outcome> expected = topic.expected();
    try (Trainer _ = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> topic.published().size() == expected.size());
    }

    assertSame(topic, expected);
  }

  @Test
  void trainer_whoseOffsetsWereMoved_saysSoAndDoesNotTrainUntilTheyAreDeleted() throws Exception {
    ExampleTopic topic = topic("moved");
    topic.produce(300);
    List<Outcome> expected = topic.expected();
    try (Trainer _ = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> topic.published().size() == expected.size());
    }
    topic.moveOffsets();
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await()
          .atMost(LIMIT)
          .until(() -> get(trainer, "/health").contains("delete the group's offsets"));
      assertThat(status(trainer, "liveness")).isEqualTo(200);
      assertThat(trainer.ready()).isFalse();

      topic.deleteGroup();
      await().atMost(LIMIT).until(trainer::ready);
    }
  }

  @Test
  void metrics_nameWindowsVersionsAndWhatWasOfNoUse() throws Exception {
    ExampleTopic topic = topic("metrics");
    topic.produce(300);
    List<Outcome> expected = topic.expected();
    int windows = expected.size();
    long newest = Objects.requireNonNull(expected.getLast().version());
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  get(trainer, "/prometheus")
                      .contains(
                          "holdfast_trainer_windows_total{model=\"metrics\"} " + windows + ".0"));
      assertThat(get(trainer, "/prometheus"))
          .contains("holdfast_trainer_version{model=\"metrics\"} " + newest + ".0")
          .contains("holdfast_trainer_versions_total{model=\"metrics\"} " + (newest + 1) + ".0")
          .contains("holdfast_trainer_training_seconds_count{model=\"metrics\"} " + windows)
          .contains(
              "holdfast_trainer_unusable_total{model=\"metrics\",reason=\"UNREADABLE_EXAMPLE\"}");
    }
  }

  @Test
  void start_withoutTopicsOrBroker_saysWhatIsMissing() throws Exception {
    Settings noTopics = settings("absent", broker.bootstrapServers());
    assertThatThrownBy(() -> Trainer.start(noTopics))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("absent.examples");
    Settings noBroker = settings("nobroker", "127.0.0.1:1");
    assertThatThrownBy(() -> Trainer.start(noBroker))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("127.0.0.1:1");
  }

  @Test
  void start_onATakenPort_saysSo() throws Exception {
    ExampleTopic topic = topic("port");
    try (Trainer first = Trainer.start(topic.settings())) {
      Settings taken =
          new Settings(
              topic.settings().kafka(),
              topic.settings().service(),
              new Settings.Trainer(first.url().getHost(), first.url().getPort()),
              topic.settings().topics(),
              topic.settings().models());
      assertThatThrownBy(() -> Trainer.start(taken, new KafkaClients(taken)))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("port " + first.url().getPort())
          .hasMessageContaining("holdfast.trainer.port");
    }
  }

  private static ExampleTopic topic(String model) throws IOException {
    return new ExampleTopic(folder, broker.bootstrapServers(), model);
  }

  private static Settings settings(String model, String bootstrapServers) throws IOException {
    return Settings.read(
        Files.writeString(
            folder.resolve(model + ".yaml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: '%s' }
                holdfast: { models: { %s: { objective: squared, label: label } } }
                """,
                bootstrapServers, model)),
        Map.of());
  }

  private static void assertSame(ExampleTopic topic, List<Outcome> expected) throws Exception {
    assertThat(topic.published()).isEqualTo(expected);
    assertThat(topic.audit().violations()).isEmpty();
    assertThat(topic.ledger().serving(topic.model()).orElseThrow().hash())
        .isEqualTo(
            expected.stream().map(Outcome::hash).filter(Objects::nonNull).toList().getLast());
    List<String> deadLetters = topic.deadLetters();
    assertThat(deadLetters).hasSize((int) topic.unusableIn(expected));
    assertThat(new HashSet<>(deadLetters)).hasSameSizeAs(deadLetters);
  }

  private static int status(Trainer trainer, String health) throws Exception {
    return send(trainer.url().resolve("/health/" + health)).statusCode();
  }

  private static String get(Trainer trainer, String path) throws Exception {
    return send(trainer.url().resolve(path)).body();
  }

  private static HttpResponse<String> send(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
