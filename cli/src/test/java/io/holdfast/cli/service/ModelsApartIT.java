package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.service.Service;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with one model harms that model alone, and heals without a restart. */
class ModelsApartIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir static Path folder;
  private static EmbeddedBroker broker;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static ServedTopics topics(String name, String models) throws Exception {
    return new ServedTopics(folder, broker.bootstrapServers(), name, "", models);
  }

  @Test
  void modelWithoutSchemaOrVersion_othersAreScoredAndItFollowsWhenItHasOne() throws Exception {
    String models = "old: { objective: squared, label: count }\n";
    try (ServedTopics before = topics("grown", models);
        ServedTopics at =
            topics("grown", models + "added: { objective: squared, label: count }\n")) {
      before.create(1);
      TopicCheck.create(at.settings(), 1);
      at.trained("old");
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(service::ready);
        at.rides("old", 100);

        assertThat(at.scoredBy("old", 100)).hasSize(100).containsOnly(0L);
        assertThat(troubles(service, "added"))
            .singleElement()
            .satisfies(
                trouble -> {
                  assertThat(trouble.kind()).isEqualTo(TroubleKind.SCHEMA);
                  assertThat(trouble.sentence())
                      .contains("added.records")
                      .contains("grown.schemas")
                      .contains("holdfast.models.added.schemas");
                });
        assertThat(get(service, "/health/readiness"))
            .contains("DEGRADED")
            .contains("model added: ");
        assertThat(get(service, "/health/liveness")).contains("\"UP\"");

        at.register("added.records", ServedTopics.RIDE);
        await()
            .atMost(LIMIT)
            .until(() -> troubles(service, "added").getFirst().kind() == TroubleKind.VERSION);
        at.trained("added");
        assertScored(at, "added", 10, 10);
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
      }
    }
  }

  @Test
  void topicDeletedOrMisshapen_othersGoOnAndItHealsWhenTheTopicIsRight() throws Exception {
    try (ServedTopics at =
            topics(
                "torn",
                """
                torn: { objective: squared, label: count, labels: { in: topic } }
                whole: { objective: squared, label: count }
                """);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      at.create(2);
      at.trained("torn");
      at.trained("whole");
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(() -> service.ready() && service.status().degraded().isEmpty());
        assertScored(at, "torn", 50, 50);

        // The topic of records is gone: this model waits, the other is scored.
        admin.deleteTopics(List.of("torn.records")).all().get();
        await().atMost(LIMIT).until(() -> inTrouble(service, "torn", TroubleKind.TOPIC));
        assertThat(sentence(service, "torn", TroubleKind.TOPIC))
            .contains("torn.records")
            .contains("holdfast topics create");
        assertThat(service.ready()).isTrue();
        assertThat(service.status().failures()).isEmpty();
        assertScored(at, "whole", 100, 100);

        // It is made anew, and its records are scored from the first on.
        TopicCheck.create(at.settings(), 2);
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
        assertScored(at, "torn", 70, 120);

        // Deleted and made anew at once, before anyone looked.
        admin.deleteTopics(List.of("torn.records")).all().get();
        await()
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(() -> !TopicCheck.create(at.settings(), 2).isEmpty());
        assertScored(at, "torn", 90, 210);

        // It gets partitions that the scores' topic lacks.
        admin.createPartitions(Map.of("torn.records", NewPartitions.increaseTo(3))).all().get();
        await().atMost(LIMIT).until(() -> inTrouble(service, "torn", TroubleKind.TOPIC));
        assertThat(sentence(service, "torn", TroubleKind.TOPIC))
            .contains("topic torn.scores must have as many partitions as torn.records");
        assertScored(at, "whole", 100, 200);
        for (String topic : List.of("torn.scores", "torn.labels", "torn.examples")) {
          admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all().get();
        }
        await().atMost(LIMIT).until(() -> !inTrouble(service, "torn", TroubleKind.TOPIC));
        assertScored(at, "torn", 60, 270);
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
      }
    }
  }

  /** Sends so many records; then all that were ever sent have a score, and no other. */
  private static void assertScored(ServedTopics at, String model, int more, int all)
      throws Exception {
    at.rides(model, more);
    assertThat(at.scoredBy(model, all)).hasSize(all);
  }

  private static List<Trouble> troubles(Service service, String model) {
    return service.status().troubles().stream()
        .filter(trouble -> trouble.model().equals(model))
        .toList();
  }

  private static boolean inTrouble(Service service, String model, TroubleKind kind) {
    return troubles(service, model).stream().anyMatch(trouble -> trouble.kind() == kind);
  }

  private static String sentence(Service service, String model, TroubleKind kind) {
    return troubles(service, model).stream()
        .filter(trouble -> trouble.kind() == kind)
        .findFirst()
        .orElseThrow()
        .sentence();
  }

  private static String get(Service service, String path) throws Exception {
    URI url = service.url().resolve(path);
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
