package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A topic that is deleted and made anew under a running service is read from its first message,
 * though it has more messages than the old one, so that positions of the old one are within it.
 */
class TopicMadeAnewIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int PARTITIONS = 2;

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

  private static Service served(ServedTopics at) {
    Service service = Service.start(at.settings());
    await().atMost(LIMIT).until(() -> service.ready() && service.status().degraded().isEmpty());
    return service;
  }

  @Test
  void whileItIsRead_recordsAreScoredFromTheFirst() throws Exception {
    String name = "read";
    try (ServedTopics at = topics(name, "");
        Service _ = served(at)) {
      int all = 0;
      for (int time = 1; time <= 3; time++) {
        if (time > 1) {
          makeAnew(at, name + ".records");
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
          at.ridesInto(partition, name, 40 * time, "t" + time + "p" + partition + "-");
          all += 40 * time;
        }
        assertEach(name + ".scores", all);
      }
    }
  }

  @Test
  void whileItIsRead_labelsAreUsedFromTheFirst() throws Exception {
    String name = "labels";
    try (ServedTopics at = topics(name, ", labels: { in: topic, wait: 1h }");
        Service _ = served(at)) {
      int all = 0;
      for (int time = 1; time <= 3; time++) {
        if (time > 1) {
          makeAnew(at, name + ".labels");
        }
        int count = 40 * time;
        all += count;
        at.rides(name, count, "t" + time + "-");
        for (int i = 0; i < count; i++) {
          byte[] label = Contracts.LABEL.encode(new Label((double) i, null, null));
          at.send(name + ".labels", "t" + time + "-" + i, label);
        }
        at.flush();
        assertEach(name + ".examples", all);
      }
    }
  }

  @Test
  void offsetsOfTheOldTopicCommittedToTheNew_areNotBelieved() throws Exception {
    String name = "stale";
    String records = name + ".records";
    try (ServedTopics at = topics(name, "");
        Service service = served(at)) {
      at.rides(name, 40, "old");
      assertEach(name + ".scores", 40);
      do { // until it is faster than the service, which joins its group again within seconds
        admin.deleteTopics(List.of(records)).all().get();
        await().atMost(LIMIT).until(() -> inTrouble(service));
        create(at);
      } while (!commit(name + "-" + name + "-score", records, 15));
      at.rides(name, 90, "new");
      assertEach(name + ".scores", 130);
    }
  }

  private static boolean inTrouble(Service service) {
    return service.status().troubles().stream()
        .map(Trouble::kind)
        .anyMatch(TroubleKind.TOPIC::equals);
  }

  private static void makeAnew(ServedTopics at, String topic) throws Exception {
    admin.deleteTopics(List.of(topic)).all().get();
    create(at);
  }

  private static void create(ServedTopics at) {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> !TopicCheck.create(at.settings(), PARTITIONS).isEmpty());
  }

  /** As a member that stops does with what it has read last; false if the group has members. */
  private static boolean commit(String group, String topic, long offset) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(offset));
    }
    try {
      admin.alterConsumerGroupOffsets(group, offsets).all().get();
      return true;
    } catch (ExecutionException e) {
      return false;
    }
  }

  /** So many messages, each with a key of its own. */
  private static void assertEach(String topic, int count) {
    List<String> keys =
        CommittedRecords.of(broker.bootstrapServers(), topic, count).stream()
            .map(record -> String.valueOf(record.key()))
            .toList();
    assertThat(keys).doesNotHaveDuplicates().hasSize(count);
  }
}
