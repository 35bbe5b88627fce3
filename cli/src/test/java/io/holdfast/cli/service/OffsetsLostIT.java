package io.holdfast.cli.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Committed offsets expired or were deleted: nothing has a second outcome, nothing has none. */
class OffsetsLostIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int PARTITIONS = 3;

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static Admin admin;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  @AfterAll
  static void stopBroker() {
    admin.close();
    broker.close();
  }

  private static ServedTopics topics(String name, String more) throws IOException {
    return ServedTopics.of(folder, broker.bootstrapServers(), name, more, PARTITIONS);
  }

  private static void serve(ServedTopics at, ServedWork work) throws Exception {
    try (Service service = Service.start(at.settings())) {
      await().atMost(LIMIT).until(() -> service.ready() && service.status().degraded().isEmpty());
      work.run();
    }
  }

  private interface ServedWork {
    void run() throws Exception;
  }

  @Test
  void scoring_goesOnBehindTheLastOutcome() throws Exception {
    try (ServedTopics at = topics("behind", "")) {
      serve(
          at,
          () -> {
            at.rides("behind", 90);
            for (int i = 0; i < 20; i++) { // the last of each partition are no scores
              at.send("behind.records", "p" + i, new byte[] {1});
            }
            at.flush();
            assertOutcomes("behind", 90, 20);
          });
      forget("behind-behind-score");
      serve(
          at,
          () -> {
            // Known at once, though nothing came: the join, and lags, go by it.
            await().atMost(LIMIT).until(() -> behind("behind-behind-score", "behind.records") == 0);
            at.rides("behind", 30);
            assertOutcomes("behind", 120, 20);
          });
      forget("behind-behind-score");
      at.rides("behind", 30); // while nobody is there
      serve(at, () -> assertOutcomes("behind", 150, 20));
    }
  }

  @Test
  void recordsMadeAnewMeanwhile_areScoredFromTheFirst() throws Exception {
    try (ServedTopics at = topics("anew", "")) {
      serve(
          at,
          () -> {
            at.rides("anew", 60);
            assertThat(at.scoredBy("anew", 60)).hasSize(60);
          });
      admin.deleteTopics(List.of("anew.records")).all().get();
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> !TopicCheck.create(at.settings(), PARTITIONS).isEmpty());
      at.rides("anew", 90);
      serve(at, () -> assertThat(at.scoredBy("anew", 150)).hasSize(150));
    }
  }

  @Test
  void scoresThatWouldTell_areGone_soItSaysWhatToDo() throws Exception {
    try (ServedTopics at = topics("gone", "")) {
      serve(
          at,
          () -> {
            at.rides("gone", 60);
            assertThat(at.scoredBy("gone", 60)).hasSize(60);
          });
      forget("gone-gone-score");
      Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
      ends("gone.scores").forEach((one, end) -> all.put(one, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(all).all().get();
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(() -> sentence(service).contains("no committed offset"));
        assertThat(sentence(service))
            .contains("group gone-gone-score has no committed offset of gone.records-")
            .contains("kafka-consumer-groups.sh --group gone-gone-score --topic gone.records:")
            .contains("--to-latest");
        Map<TopicPartition, OffsetAndMetadata> latest = new HashMap<>();
        ends("gone.records").forEach((one, end) -> latest.put(one, new OffsetAndMetadata(end)));
        await() // it is tried again, and then in the group for a moment
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(
                () -> {
                  admin.alterConsumerGroupOffsets("gone-gone-score", latest).all().get();
                  return true;
                });
        await().atMost(LIMIT).until(() -> service.status().troubles().isEmpty());
        at.rides("gone", 30);
        assertThat(at.scoredBy("gone", 30)).hasSize(30);
      }
    }
  }

  @Test
  void joining_usesNoLabelTwice_thoughItsStateIsLostToo() throws Exception {
    String name = "joined";
    try (ServedTopics at = topics(name, ", labels: { in: topic, wait: 1h }")) {
      serve(
          at,
          () -> {
            labelled(at, name, "a", 60);
            assertThat(committed(name + ".examples", 60)).hasSize(60);
          });
      forget(name + "-" + name + "-score");
      forget(name + "-" + name + "-join");
      delete(folder.resolve(name + "-state"));
      serve(
          at,
          () -> {
            labelled(at, name, "b", 30);
            assertThat(committed(name + ".examples", 90)).hasSize(90);
            assertThat(at.scoredBy(name, 90)).hasSize(90);
            await()
                .atMost(LIMIT)
                .until(() -> behind(name + "-" + name + "-join", name + ".labels") == 0);
            assertThat(committed(name + ".dead-letters", 0)).isEmpty();
          });
    }
  }

  /** Rides, and a label for each. */
  private static void labelled(ServedTopics at, String model, String key, int count) {
    at.rides(model, count, key);
    for (int i = 0; i < count; i++) {
      byte[] label = Contracts.LABEL.encode(new Label((double) i, null, null));
      at.send(model + ".labels", key + i, label);
    }
    at.flush();
  }

  /** As when the group has had no members for longer than the broker keeps offsets. */
  private static void forget(String group) {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () -> {
              admin.deleteConsumerGroups(List.of(group)).all().get();
              return true;
            });
  }

  /** Each offset of the records has one outcome, so many scores and letters in all. */
  private static void assertOutcomes(String model, int scores, int letters) throws Exception {
    List<String> outcomes = new ArrayList<>();
    for (var record : committed(model + ".scores", scores)) {
      Score score = Contracts.SCORE.decode(record.value());
      outcomes.add(score.getSourcePartition() + "@" + score.getSourceOffset());
    }
    assertThat(outcomes).hasSize(scores);
    for (var letter : committed(model + ".dead-letters", letters)) {
      outcomes.add(
          header(letter, DeadLetterMessage.PARTITION)
              + "@"
              + header(letter, DeadLetterMessage.OFFSET));
    }
    List<String> records = new ArrayList<>();
    for (var record : committed(model + ".records", 0)) {
      records.add(record.partition() + "@" + record.offset());
    }
    assertThat(outcomes).containsExactlyInAnyOrderElementsOf(records);
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static List<ConsumerRecord<String, byte[]>> committed(String topic, int atLeast) {
    return CommittedRecords.of(broker.bootstrapServers(), topic, atLeast);
  }

  /** How many messages of a topic a group has not committed. */
  private static long behind(String group, String topic) throws Exception {
    var offsets = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    return ends(topic).entrySet().stream()
        .mapToLong(
            end -> {
              OffsetAndMetadata offset = offsets.get(end.getKey());
              return end.getValue() - (offset == null ? 0 : offset.offset());
            })
        .sum();
  }

  private static Map<TopicPartition, Long> ends(String topic) throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin.listOffsets(latest).all().get().forEach((one, end) -> ends.put(one, end.offset()));
    return ends;
  }

  private static String sentence(Service service) {
    return service.status().troubles().stream().map(Trouble::sentence).findFirst().orElse("");
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
