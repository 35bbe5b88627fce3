package io.holdfast.cli.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Service;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with one model harms that model alone, and heals without a restart. */
class ModelsApartIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** Rides with as much as one likes beside what is learned from. */
  private static final Schema NOTED =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Noted", "fields": [
            {"name": "temperature", "type": "double"},
            {"name": "note", "type": "bytes"},
            {"name": "count", "type": ["null", "double"], "default": null}]}
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
        awaitSentence(service, "torn", "torn.scores must have as many partitions as torn.records");
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

  @Test
  void modelTopicMadeAnew_whatServedServesOn_andItSaysSo() throws Exception {
    String models = "kept: { objective: squared, label: count }\n";
    try (ServedTopics before = topics("forgotten", models);
        ServedTopics after = topics("forgotten", models);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      before.create(1).trained("kept", 3);
      before.flush();
      try (Service service = Service.start(before.settings())) {
        await().atMost(LIMIT).until(() -> service.ready() && service.status().degraded().isEmpty());
        assertScored(before, "kept", 10, 10);

        admin.deleteTopics(List.of("forgotten.models")).all().get();
        await()
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(() -> !TopicCheck.create(before.settings(), 1).isEmpty());
        await().atMost(LIMIT).until(() -> inTrouble(service, "kept", TroubleKind.TOPIC));
        assertThat(sentence(service, "kept", TroubleKind.TOPIC))
            .contains("forgotten.models was deleted")
            .contains("version 2 serves on");
        assertScored(before, "kept", 10, 20);
        assertThat(before.scoredBy("kept", 20)).containsOnly(2L);

        after.trained("kept"); // as a trainer that begins anew does
        after.flush();
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
        assertScored(before, "kept", 10, 30);
        assertThat(before.scoredBy("kept", 30)).contains(0L);
      }
    }
  }

  /** The model with a raised limit takes what is too large for the other, all the way. */
  @Test
  void messagesBeyondTheDefaultLimit_areJoinedOrKept_andReferredToBeyondTheRaisedOne()
      throws Exception {
    try (ServedTopics at =
            topics(
                "large",
                """
                raised: { objective: squared, label: count, labels: { in: topic },
                  features: { exclude: [note] }, topics: { maxRecordBytes: 2000000 } }
                usual: { objective: squared, label: count }
                """);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        KafkaProducer<String, byte[]> plain = producer("none");
        KafkaProducer<String, byte[]> zipping = producer("gzip")) {
      var records = new NewTopic("raised.records", 1, (short) 1);
      records.configs(Map.of("max.message.bytes", "3000000"));
      admin.createTopics(List.of(records)).all().get();
      TopicCheck.create(at.settings(), 1);
      at.register("raised.records", NOTED);
      at.register("usual.records", ServedTopics.RIDE);
      at.trained("raised");
      at.trained("usual");
      at.flush();
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(() -> service.ready() && service.status().degraded().isEmpty());
        byte[] large = noted(1_900_000);
        byte[] garbage = noise(1_900_000);
        plain.send(new ProducerRecord<>("raised.records", "a", large)).get();
        at.sendNow("raised.labels", "a", Contracts.LABEL.encode(new Label(7.0, null, null)));
        plain.send(new ProducerRecord<>("raised.records", "b", garbage)).get();
        byte[] larger = new byte[2_000_000];
        zipping.send(new ProducerRecord<>("raised.records", "c", larger)).get();
        byte[] tooLarge = new byte[1_900_000];
        zipping.send(new ProducerRecord<>("usual.records", "d", tooLarge)).get();

        assertThat(at.scoredBy("raised", 1)).containsExactly(0L);
        assertThat(committed("raised.examples", 1).getFirst().value())
            .as("with its record")
            .hasSizeGreaterThan(large.length);
        List<ConsumerRecord<String, byte[]>> letters = committed("raised.dead-letters", 2);
        assertThat(letters).extracting(ConsumerRecord::key).containsExactly("b", "c");
        assertThat(letters.getFirst().value()).isEqualTo(garbage);
        assertThat(letters.getLast().value()).isNull();
        assertThat(header(letters.getLast(), DeadLetterMessage.REASON)).isEqualTo("LIMIT_EXCEEDED");
        assertThat(header(letters.getLast(), DeadLetterMessage.OFFSET)).isEqualTo("2");
        ConsumerRecord<String, byte[]> usual = committed("usual.dead-letters", 1).getFirst();
        assertThat(usual.key()).isEqualTo("d");
        assertThat(usual.value()).isNull();
        assertThat(header(usual, DeadLetterMessage.VALUE_SHA256))
            .isEqualTo(Digest.of(tooLarge).hex());
        assertThat(service.status().troubles()).isEmpty();
      }
    }
  }

  private static KafkaProducer<String, byte[]> producer(String compression) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "max.request.size",
            4_000_000,
            "compression.type",
            compression),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  private static byte[] noted(int length) {
    return new RecordEncoder(NOTED)
        .encode(
            new GenericRecordBuilder(NOTED)
                .set("temperature", 1.0)
                .set("note", ByteBuffer.wrap(noise(length)))
                .build());
  }

  /** What no compression makes small. */
  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  private static List<ConsumerRecord<String, byte[]>> committed(String topic, int atLeast) {
    return CommittedRecords.of(broker.bootstrapServers(), topic, atLeast);
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
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

  /** Of two flows that wait, one may say so first. */
  private static void awaitSentence(Service service, String model, String part) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(troubles(service, model))
                    .extracting(Trouble::sentence)
                    .anyMatch(sentence -> sentence.contains(part)));
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
