package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.ProxiedBroker;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What instances of the service do to one another, and each part of one to the others. */
class InstancesIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir static Path folder;
  private static ProxiedBroker broker;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new ProxiedBroker(folder.resolve("kafka"));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void oneIdForTwo_theFirstStandsByAndSaysTheSetting_theSecondIsLeftInPeace() throws Exception {
    try (ServedTopics at = topics("twins", "twins: { objective: squared, label: count }\n")) {
      at.create(1).trained("twins");
      at.flush();
      try (Service first = Service.start(settings(at, "same", "first"))) {
        await().atMost(LIMIT).until(first::ready);
        try (Service second = Service.start(settings(at, "same", "second"))) {
          await().atMost(LIMIT).until(() -> inTrouble(first));
          assertThat(first.status().troubles())
              .extracting(Trouble::sentence)
              .anyMatch(
                  it ->
                      it.contains("the instance id same, too: give each a holdfast.service.inst"));
          await().atMost(LIMIT).until(second::ready);
          for (int look = 1; look <= 3; look++) {
            at.rides("twins", 100);
            assertThat(at.scoredBy("twins", look * 100)).hasSize(look * 100);
            assertThat(second.status().awaited()).isEmpty();
            assertThat(second.status().troubles()).isEmpty();
            assertThat(first.status().awaited()).isNotEmpty();
          }
        }
        at.rides("twins", 100);
        assertThat(at.scoredBy("twins", 400)).as("the first takes over").hasSize(400);
        await().atMost(LIMIT).until(() -> first.status().troubles().isEmpty());
      }
    }
  }

  @Test
  void oneOfTwoStops_theOtherIsReadyAllTheTime() throws Exception {
    try (ServedTopics at = topics("pair", "pair: { objective: squared, label: count }\n")) {
      at.create(2).trained("pair");
      at.flush();
      try (Service stays = Service.start(settings(at, "stays", "stays"))) {
        Service stops = Service.start(settings(at, "stops", "stops"));
        await().atMost(LIMIT).until(() -> stays.ready() && stops.ready());
        List<String> awaited = new CopyOnWriteArrayList<>();
        Thread stopping = Thread.ofVirtual().start(stops::close);
        await()
            .pollInterval(Duration.ofMillis(20))
            .atMost(LIMIT)
            .until(
                () -> {
                  awaited.addAll(stays.status().awaited());
                  return !stopping.isAlive();
                });
        at.ridesInto(0, "pair", 50, "zero-");
        at.ridesInto(1, "pair", 50, "one-");
        assertThat(at.scoredBy("pair", 100)).hasSize(100);
        awaited.addAll(stays.status().awaited());

        assertThat(awaited).isEmpty();
      }
    }
  }

  /** Its transaction would have the next one wait for 10 s and more: until the broker ends it. */
  @Test
  void anInstanceThatIsGone_whatItHadOpenIsEnded() throws Exception {
    try (ServedTopics at = topics("gone", "gone: { objective: squared, label: count }\n");
        KafkaProducer<byte[], byte[]> dead = producer(at, "gone-gone-score/dead-1")) {
      at.create(1).trained("gone");
      at.flush();
      dead.initTransactions();
      dead.beginTransaction();
      dead.send(new ProducerRecord<>("gone.scores", new byte[] {1})).get();
      at.rides("gone", 100);
      try (Service _ = Service.start(at.settings())) {
        // The producer's own time-out is longer than the test's.
        assertThat(at.scoredBy("gone", 100)).hasSize(100);
      }
    }
  }

  @Test
  void joinWithoutRoomForItsState_scoringIsReadyAndAlive_andTheJoinComesBackByItself()
      throws Exception {
    String labels = "blocked: { objective: squared, label: count, labels: { in: topic } }\n";
    try (ServedTopics at = topics("blocked", labels)) {
      at.create(1).trained("blocked");
      at.flush();
      Settings settings = settings(at, "one", "one");
      Path state = Files.createDirectories(settings.service().stateDirectory());
      Path inTheWay =
          Files.createFile(state.resolve(StreamsNames.join(settings, settings.model("blocked"))));
      try (Service service = Service.start(settings)) {
        await().atMost(LIMIT).until(() -> get(service, "/health/joining").contains("its state be"));
        await().atMost(LIMIT).until(() -> get(service, "/health/readiness").contains("DEGRADED"));
        at.rides("blocked", 100);
        assertThat(at.scoredBy("blocked", 100)).hasSize(100);
        assertThat(get(service, "/health/scoring")).contains("\"UP\"");
        assertThat(get(service, "/health/liveness")).contains("\"UP\"");

        Files.delete(inTheWay);
        await().atMost(LIMIT).until(() -> get(service, "/health/joining").contains("\"UP\""));
        byte[] label = Contracts.LABEL.encode(new Label(7.0, null, null));
        at.sendNow("blocked.labels", "k1", label);
        assertThat(CommittedRecords.of(at.bootstrapServers(), "blocked.examples", 1)).hasSize(1);
      }
    }
  }

  @Test
  void brokerLost_requestsAreAnswered_andEachPartSaysHowItIs() throws Exception {
    try (ServedTopics at = topics("outage", "outage: { objective: squared, label: count }\n")) {
      at.create(1).trained("outage");
      at.flush();
      Settings settings = settings(at, "one", "one", broker.networkServers());
      try (Service service = Service.start(settings)) {
        await().atMost(LIMIT).until(() -> service.status().starting().isEmpty());
        assertThat(get(service, "/health/scoring")).contains("\"UP\"");

        broker.cut();
        await().atMost(LIMIT).until(() -> get(service, "/health/scoring").contains("DOWN"));
        assertThat(get(service, "/health/rest")).contains("\"UP\"");
        assertThat(get(service, "/health/readiness")).contains("DEGRADED");
        assertThat(get(service, "/health/liveness")).contains("\"UP\"");
        broker.mend();
        await().atMost(LIMIT).until(() -> get(service, "/health/scoring").contains("\"UP\""));
      }
    }
  }

  private static boolean inTrouble(Service service) {
    return service.status().troubles().stream().anyMatch(it -> it.kind() == TroubleKind.KAFKA);
  }

  private static KafkaProducer<byte[], byte[]> producer(ServedTopics at, String transactionalId) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            at.bootstrapServers(),
            "transactional.id",
            transactionalId,
            "transaction.timeout.ms",
            900_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static ServedTopics topics(String name, String model) throws IOException {
    return new ServedTopics(folder, broker.directServers(), name, "", model);
  }

  private static Settings settings(ServedTopics at, String instance, String state)
      throws Exception {
    return settings(at, instance, state, at.bootstrapServers());
  }

  private static Settings settings(ServedTopics at, String instance, String state, String servers)
      throws Exception {
    String config =
        Files.readString(at.config())
            .replace(at.bootstrapServers(), servers)
            .replace("-state'", "-state-" + state + "', instanceId: " + instance);
    Path file = folder.resolve(at.name() + "-" + state + ".yml");
    return Settings.read(Files.writeString(file, config), Map.of());
  }

  private static String get(Service service, String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(service.url().resolve(path)).build();
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
