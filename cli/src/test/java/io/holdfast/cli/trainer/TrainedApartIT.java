package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.trainer.runtime.Trainer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

/** What is wrong with one model keeps no other from being learned, and heals without a restart. */
class TrainedApartIT extends TrainersOnABroker {
  /** Versions that serve before the first window is full. */
  private static final int CONSTANTS = 1;

  private static final Duration LIMIT = Duration.ofSeconds(90);

  @Test
  void changedObjectiveAndMissingTopic_othersLearnOnAndTheTopicMadeAnewIsLearnedFrom()
      throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "apart", 3);
    Settings settings = settings(fleet.config("all", "", fleet.models()), "", "");
    fleet.produce(3);
    try (Trainer _ = Trainer.start(settings)) {
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-1", CONSTANTS + 3));
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-2", CONSTANTS + 3));
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-3", CONSTANTS + 3));
    }
    delete(settings, "apart-3.examples");
    Settings changed =
        settings(
            fleet.config("changed", "", fleet.models()),
            "apart-2: { objective: squared",
            "apart-2: { objective: absolute");
    try (Trainer trainer = Trainer.start(changed)) {
      await()
          .atMost(LIMIT)
          .until(() -> get(trainer, "/prometheus").contains(trouble("settings-differ", "apart-2")));
      assertThat(get(trainer, "/health"))
          .contains("holdfast.models.apart-2.objective is absolute")
          .contains("was trained with squared");
      await().atMost(LIMIT).until(trainer::ready);
      assertThat(get(trainer, "/health/liveness")).contains("\"UP\"");

      TopicCheck.create(settings, 2);
      fleet.produce(3);
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-1", CONSTANTS + 6));
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-3", CONSTANTS + 6));
      assertThat(fleet.audit().get("apart-2")).isEqualTo(CONSTANTS + 3L);

      // Made anew while it is learned from.
      delete(settings, "apart-1.examples");
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> !TopicCheck.create(settings, 2).isEmpty());
      fleet.produce(4);
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-1", CONSTANTS + 9));
      await().atMost(LIMIT).until(() -> learned(fleet, "apart-3", CONSTANTS + 10));
      await().atMost(LIMIT).until(trainer::ready);
    }
  }

  /**
   * By its length it cannot be seen: by the time that anyone looks it is as long as the old one.
   */
  @Test
  void topicMadeAnewAndLongerThanWhatWasLearned_isLearnedFromItsBeginningAndThatIsSaid()
      throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "longer", 2);
    Settings settings = settings(fleet.config("all", "", fleet.models()), "", "");
    fleet.produce(3);
    try (Trainer _ = Trainer.start(settings)) {
      await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), CONSTANTS + 3));
    }

    // While no trainer runs.
    deleteAndMakeAnew(settings, "longer-1.examples");
    fleet.produce(5); // the other topic has eight windows now
    try (Trainer trainer = Trainer.start(settings)) {
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(fleet.audit()).containsEntry("longer-1", CONSTANTS + 3 + 5L));
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(fleet.audit()).containsEntry("longer-2", CONSTANTS + 3 + 5L));
      assertThat(get(trainer, "/prometheus")).doesNotContain(trouble("topic", "longer-1"));

      // While it runs, and reads on where it was.
      deleteAndMakeAnew(settings, "longer-1.examples");
      fleet.produce(7);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(fleet.audit()).containsEntry("longer-1", CONSTANTS + 3 + 5 + 7L));
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(fleet.audit()).containsEntry("longer-2", CONSTANTS + 3 + 5 + 7L));
    }

    // It is told apart until its first window is full.
    deleteAndMakeAnew(settings, "longer-1.examples");
    try (Trainer trainer = Trainer.start(settings)) {
      await()
          .atMost(LIMIT)
          .until(() -> get(trainer, "/prometheus").contains(trouble("topic", "longer-1")));
      assertThat(get(trainer, "/health"))
          .contains("topic longer-1.examples was deleted and made anew after window 15")
          .contains("learned from its beginning");
      fleet.produce(1);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(fleet.audit()).containsEntry("longer-1", CONSTANTS + 3 + 5 + 7 + 1L));
      await()
          .atMost(LIMIT)
          .until(() -> !get(trainer, "/prometheus").contains(trouble("topic", "longer-1")));
    }
  }

  @Test
  void modelTopicMadeAnewWhileItIsWrittenTo_noVersionWithoutItsParentIsPublished()
      throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "ledger", 1);
    Settings settings = settings(fleet.config("all", "", fleet.models()), "", "");
    fleet.produce(2);
    try (Trainer trainer = Trainer.start(settings)) {
      await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), CONSTANTS + 2));
      deleteAndMakeAnew(settings, "ledger.models");
      fleet.produce(2);
      await()
          .atMost(LIMIT)
          .until(() -> get(trainer, "/prometheus").contains(trouble("stopped", "ledger-1")));
      assertThat(get(trainer, "/health"))
          .contains("the model topic holds no version of it")
          .contains("delete these offsets to learn from the beginning");
      assertThat(fleet.audit()).isEmpty();
    }
  }

  private static void deleteAndMakeAnew(Settings settings, String topic) throws Exception {
    delete(settings, topic);
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> TopicCheck.create(settings, 2).contains(topic));
    // A producer that meets a partition without a leader may wait for it until it gives up.
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(
              () ->
                  admin
                      .describeTopics(List.of(topic))
                      .allTopicNames()
                      .get()
                      .get(topic)
                      .partitions()
                      .stream()
                      .allMatch(partition -> partition.leader() != null));
    }
  }

  @Test
  void schemaThatTheSettingsDoNotFit_theModelWaitsUntilOneIsRegisteredThatTheyFit()
      throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "schemas", 2);
    Settings settings =
        settings(
            fleet.config("all", "", fleet.models()),
            "schemas-2: { objective",
            "schemas-2: { features: { include: [y] }, objective");
    try (Trainer trainer = Trainer.start(settings)) {
      await()
          .atMost(LIMIT)
          .until(() -> get(trainer, "/prometheus").contains(trouble("schema", "schemas-2")));
      assertThat(get(trainer, "/health")).contains("has no field y");
      fleet.produce(2);
      await().atMost(LIMIT).until(() -> learned(fleet, "schemas-1", CONSTANTS + 2));

      SchemaTopic.register(
          settings.kafka(),
          settings.topics().schemas(),
          "schemas-2.records",
          SchemaBuilder.record("Row")
              .namespace("test")
              .fields()
              .requiredDouble("x")
              .name("y")
              .type()
              .doubleType()
              .doubleDefault(0)
              .endRecord());
      await().atMost(LIMIT).until(() -> fleet.audit().containsKey("schemas-2"));
      assertThat(get(trainer, "/prometheus")).doesNotContain(trouble("schema", "schemas-2"));
    }
  }

  private static boolean learned(ModelFleet fleet, String model, long version) throws Exception {
    return fleet.audit().getOrDefault(model, -1L) >= version;
  }

  private static Settings settings(Path config, String what, String to) throws Exception {
    String text =
        Files.readString(config)
            .replace("' }\nholdfast", "', consumer.metadata.max.age.ms: 1000 }\nholdfast");
    return Settings.read(
        Files.writeString(config, what.isEmpty() ? text : text.replace(what, to)), Map.of());
  }

  private static void delete(Settings settings, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.copyOf(settings.kafka()))) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }

  private static String trouble(String kind, String model) {
    return "holdfast_trainer_trouble{kind=\"" + kind + "\",model=\"" + model + "\"} 1";
  }

  private static String get(Trainer trainer, String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(trainer.url().resolve(path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
