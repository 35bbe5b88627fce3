package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Service;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service says by name of settings, schemas and services that do not fit each other. */
class ModelSignsIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String SQUARED = "{ objective: squared, label: count }\n";
  private static final Schema TEXT =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "temperature", "type": ["null", "string"], "default": null},
            {"name": "count", "type": ["null", "double"], "default": null}]}
          """);
  private static final Schema COUNTED =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Counted", "fields": [
            {"name": "count", "type": "double"},
            {"name": "region", "type": "string"}]}
          """);

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

  @Test
  void schemaThatDoesNotFit_registeredLast_othersAndRestGoOnAndTheGoodOneHeals() throws Exception {
    try (ServedTopics at = topics("schemas", "newer-bad: " + SQUARED + "newer-good: " + SQUARED)) {
      at.create(1).trained("newer-bad");
      at.trained("newer-good");
      at.flush();
      at.register("newer-bad.records", TEXT);
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(service::ready);
        assertScored(at, "newer-good", 20);
        assertScored(at, "newer-bad", 20); // written with the schema that fits

        assertThat(sentence(service, "newer-bad", TroubleKind.SCHEMA))
            .get()
            .asString()
            .contains("the newest schema of topic newer-bad.records")
            .contains("temperature");
        assertThat(service.status().troubles())
            .extracting(Trouble::model)
            .containsOnly("newer-bad");
        assertThat(score(service, "newer-bad", "{\"temperature\": 3.5, \"count\": null}"))
            .contains("\"predictions\"");

        CliRun doctor = CliRun.of("doctor", "--config=" + at.config());
        assertThat(doctor.exitCode()).isEqualTo(1);
        assertThat(doctor.err())
            .contains("model newer-bad: the newest schema of topic newer-bad.records");

        at.register("newer-bad.records", ServedTopics.RIDE);
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
      }
    }
  }

  @Test
  void replayOfAFileWithoutOneNumber_registersWhatTheModelLearned() throws Exception {
    try (ServedTopics at = topics("replayed", "sent: " + SQUARED)) {
      at.create(1).trained("sent");
      at.flush();
      Path gaps = folder.resolve("gaps.csv");
      Files.writeString(gaps, "temperature,count\nNA,1\n,2\nNA,3\n");
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(service::ready);
        CliRun sent = CliRun.of("replay", gaps.toString(), "--config=" + at.config());
        assertThat(sent.exitCode()).as(sent.err()).isZero();

        assertThat(at.scoredBy("sent", 3)).containsExactly(0L, 0L, 0L);
        assertThat(service.status().troubles()).isEmpty();
        assertThat(score(service, "sent", "{\"temperature\": 3.5}")).contains("predictions");
      }
    }
  }

  @Test
  void noSchemaThatFits_theModelWaitsAlone_untilOneIsRegistered() throws Exception {
    try (ServedTopics before = topics("waiting", "only-good: " + SQUARED);
        ServedTopics at = topics("waiting", "only-good: " + SQUARED + "only-bad: " + SQUARED)) {
      before.create(1);
      TopicCheck.create(at.settings(), 1);
      at.register("only-bad.records", TEXT);
      at.trained("only-good");
      at.trained("only-bad");
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await()
            .atMost(LIMIT)
            .until(() -> sentence(service, "only-bad", TroubleKind.SCHEMA).isPresent());
        assertScored(at, "only-good", 20);
        await().atMost(LIMIT).until(service::ready);
        assertThat(service.models().active("only-bad")).isNull();

        at.register("only-bad.records", ServedTopics.RIDE);
        assertScored(at, "only-bad", 20);
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
      }
    }
  }

  @Test
  void versionThatCannotBeVerified_harmsItsModelAlone_untilAnotherIsPublished() throws Exception {
    try (ServedTopics at = topics("versions", "torn: " + SQUARED + "whole: " + SQUARED)) {
      at.create(1);
      at.compacted().trained("torn");
      at.flushWithout("torn/version/0");
      at.trained("whole");
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await()
            .atMost(LIMIT)
            .until(() -> sentence(service, "torn", TroubleKind.VERSION).isPresent());
        assertScored(at, "whole", 20);
        assertThat(service.status().failures()).isEmpty();

        at.trained("torn");
        at.rides("torn", 20);
        assertThat(at.scoredBy("torn", 20)).containsOnly(1L);
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
      }
    }
  }

  @Test
  void objectiveThatTheVersionWasNotTrainedWith_isSaid() throws Exception {
    try (ServedTopics at =
        topics("objectives", "other: { objective: absolute, label: count }\nsame: " + SQUARED)) {
      at.create(1).trained("other"); // versions are of squared
      at.trained("same");
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await()
            .atMost(LIMIT)
            .until(() -> sentence(service, "other", TroubleKind.SETTINGS_DIFFER).isPresent());
        assertThat(sentence(service, "other", TroubleKind.SETTINGS_DIFFER))
            .get()
            .asString()
            .contains("holdfast.models.other.objective is absolute")
            .contains("squared");
        await().atMost(LIMIT).until(service::ready);
        assertThat(service.status().troubles()).hasSize(1);
        assertThat(get(service, "/prometheus"))
            .contains("holdfast_trouble{kind=\"settings-differ\",model=\"other\"} 1");
      }
    }
  }

  @Test
  void fieldsOfLabelsInATopic_thatNoMessageHas_areSaidWithWhatWasMeant() throws Exception {
    String inTopic = "label: count, environment: region, labels: { in: topic } }\n";
    try (ServedTopics at =
        topics(
            "labels",
            "right: { objective: squared, "
                + inTopic
                + "label: { objective: squared, "
                + inTopic.replace("count", "cuont")
                + "environment: { objective: squared, "
                + inTopic.replace("region", "regoin")
                + "garbage: { objective: squared, "
                + inTopic)) {
      at.create(1);
      for (String model : at.settings().models().keySet()) {
        at.register(model + ".labels", COUNTED);
        at.trained(model);
      }
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(service::ready);
        await()
            .atMost(LIMIT)
            .until(() -> sentence(service, "label", TroubleKind.LABELS_UNUSABLE).isPresent());
        assertThat(sentence(service, "label", TroubleKind.LABELS_UNUSABLE))
            .get()
            .asString()
            .contains("label.labels")
            .contains("cuont")
            .contains("did you mean count?");
        assertThat(sentence(service, "environment", TroubleKind.LABELS_UNUSABLE))
            .get()
            .asString()
            .contains("regoin")
            .contains("did you mean region?");

        for (int i = 0; i < 12; i++) {
          at.send("garbage.labels", "k" + i, new byte[] {1, 2, 3});
        }
        at.flush();
        await()
            .atMost(LIMIT)
            .until(() -> sentence(service, "garbage", TroubleKind.LABELS_UNUSABLE).isPresent());
        assertThat(sentence(service, "garbage", TroubleKind.LABELS_UNUSABLE))
            .get()
            .asString()
            .contains("none of the newest")
            .contains("garbage.dead-letters");
        assertThat(sentence(service, "right", TroubleKind.LABELS_UNUSABLE)).isEmpty();
      }
    }
  }

  @Test
  void secondApplicationId_scoringIntoTheSameTopic_isNamedByBoth() throws Exception {
    try (ServedTopics at = topics("twice", "scored-twice: " + SQUARED)) {
      at.create(2).trained("scored-twice");
      at.flush();
      Settings other = changed(at, "applicationId: twice", "applicationId: other");
      try (Service first = Service.start(at.settings());
          Service second = Service.start(other)) {
        await().atMost(LIMIT).until(() -> first.ready() && second.ready());
        await()
            .atMost(LIMIT)
            .until(
                () -> {
                  at.rides("scored-twice", 10);
                  return sentence(first, "scored-twice", TroubleKind.SCORED_TWICE).isPresent()
                      && sentence(second, "scored-twice", TroubleKind.SCORED_TWICE).isPresent();
                });
        assertThat(sentence(first, "scored-twice", TroubleKind.SCORED_TWICE))
            .get()
            .asString()
            .contains("application id other")
            .contains("scored-twice.scores");
        assertThat(sentence(second, "scored-twice", TroubleKind.SCORED_TWICE))
            .get()
            .asString()
            .contains("application id twice");
      }
    }
  }

  @Test
  void twoServicesByDefault_shareTheRecords() throws Exception {
    try (ServedTopics at = topics("shared", "halved: " + SQUARED)) {
      at.create(2).trained("halved");
      at.flush();
      Settings other = changed(at, "shared-state", "shared-state-2");
      try (Service first = Service.start(at.settings())) {
        await().atMost(LIMIT).until(first::ready);
        assertThatThrownBy(() -> Service.start(at.settings()))
            .isInstanceOfSatisfying(
                StartException.class,
                e ->
                    assertThat(e)
                        .hasMessageContaining("in use by another service")
                        .hasMessageContaining("holdfast.service.stateDirectory"));
        try (Service second = Service.start(other)) {
          await().atMost(LIMIT).until(second::ready);
          for (int round = 1; round <= 5; round++) {
            at.rides("halved", 20);
            assertThat(at.scoredBy("halved", 20 * round)).hasSize(20 * round);
          }
          assertThat(first.ready()).isTrue();
          assertThat(first.status().troubles()).isEmpty();
          assertThat(second.status().troubles()).isEmpty();
          assertThat(at.groupMembers("shared-halved-score")).isEqualTo(2);
        }
      }
    }
  }

  private static ServedTopics topics(String name, String models) throws Exception {
    return new ServedTopics(folder, broker.bootstrapServers(), name, "", models);
  }

  private static Settings changed(ServedTopics at, String what, String to) throws Exception {
    String config =
        Files.readString(at.config())
            .replace(what, to)
            .replace(at.name() + "-state'", at.name() + "-state-other'");
    Path file = folder.resolve(at.name() + "-changed.yml");
    return Settings.read(Files.writeString(file, config), Map.of());
  }

  private static void assertScored(ServedTopics at, String model, int count) throws Exception {
    at.rides(model, count);
    assertThat(at.scoredBy(model, count)).hasSize(count);
  }

  private static Optional<String> sentence(Service service, String model, TroubleKind kind) {
    return service.status().troubles().stream()
        .filter(trouble -> trouble.model().equals(model) && trouble.kind() == kind)
        .map(Trouble::sentence)
        .findFirst();
  }

  private static String score(Service service, String model, String json) throws Exception {
    URI url = service.url().resolve("/api/v1/models/" + model + "/score");
    return send(
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private static String get(Service service, String path) throws Exception {
    return send(HttpRequest.newBuilder(service.url().resolve(path)).build());
  }

  private static String send(HttpRequest request) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
