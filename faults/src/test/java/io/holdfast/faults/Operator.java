package io.holdfast.faults;

import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.topic.TopicCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What somebody may do to topics and groups with the tools of Kafka. Stateless. */
final class Operator {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Operator() {}

  /** Deletes the groups that score, join and train, none of which has a member. */
  static void forgetOffsets(Deployment at) {
    Settings settings = at.settings();
    List<String> groups = new ArrayList<>();
    for (ModelSettings model : settings.models().values()) {
      groups.add(StreamsNames.score(settings, model));
      groups.add(StreamsNames.join(settings, model));
      groups.add(HeadWriter.transactionalId(model.name()));
    }
    try (Admin admin = at.brokers().admin()) {
      for (String group : groups) {
        again(() -> delete(admin, group));
      }
    }
  }

  private static boolean delete(Admin admin, String group) throws InterruptedException {
    try {
      admin.deleteConsumerGroups(List.of(group)).all().get();
      return true;
    } catch (ExecutionException e) {
      return e.getCause() instanceof GroupIdNotFoundException; // who was stopped may not have left
    }
  }

  /** Sets the groups that join, which have no members, back to the beginning of all they read. */
  static void setJoinBack(Deployment at) {
    Settings settings = at.settings();
    try (Admin admin = at.brokers().admin()) {
      for (ModelSettings model : settings.models().values()) {
        Map<TopicPartition, OffsetAndMetadata> begin = new HashMap<>();
        String topic = model.topics().join();
        for (int i = 0; i < partitions(admin, topic); i++) {
          begin.put(new TopicPartition(topic, i), new OffsetAndMetadata(0));
        }
        again(
            () -> {
              admin
                  .alterConsumerGroupOffsets(StreamsNames.join(settings, model), begin)
                  .all()
                  .get();
              return true;
            });
      }
    }
  }

  /** Gives every topic of a model one partition more, the records' first. */
  static void addPartitions(Deployment at) {
    try (Admin admin = at.brokers().admin()) {
      for (ModelSettings model : at.settings().models().values()) {
        var topics = model.topics();
        for (String topic :
            List.of(
                topics.records(),
                topics.labels(),
                topics.join(),
                topics.scores(),
                topics.deadLetters(),
                topics.shadowScores(),
                topics.examples())) {
          int more = partitions(admin, topic) + 1;
          again(
              () -> {
                admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(more))).all().get();
                return true;
              });
        }
      }
    }
  }

  private static int partitions(Admin admin, String topic) {
    try {
      Map<String, TopicDescription> found =
          admin.describeTopics(List.of(topic)).allTopicNames().get();
      return found.values().iterator().next().partitions().size();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** From now on the model topic is compacted all the time, whatever is new in it. */
  static void compactModels(Deployment at) {
    var cleaner = new ConfigResource(ConfigResource.Type.BROKER, "");
    var models = new ConfigResource(ConfigResource.Type.TOPIC, at.settings().topics().models());
    Map<ConfigResource, Collection<AlterConfigOp>> changes =
        Map.of(
            cleaner,
            List.of(set("log.cleaner.backoff.ms", "200")),
            models,
            List.of(
                set("segment.ms", "500"),
                set("min.cleanable.dirty.ratio", "0.0"),
                set("max.compaction.lag.ms", "500"),
                set("delete.retention.ms", "500")));
    try (Admin admin = at.brokers().admin()) {
      again(
          () -> {
            admin.incrementalAlterConfigs(changes).all().get();
            return true;
          });
    }
  }

  /** Writes tombstones for the heads of all models, until no head is left. */
  static void deleteHeads(Deployment at) {
    compactModels(at);
    Settings settings = at.settings();
    String topic = settings.topics().models();
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", at.brokers().directServers()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      again(
          () -> {
            for (String model : settings.models().keySet()) {
              producer.send(new ProducerRecord<>(topic, 0, model + "/head", null)).get();
            }
            return CommittedRecords.of(at.brokers().directServers(), topic).stream()
                .noneMatch(it -> it.value() != null && it.key().endsWith("/head"));
          });
    }
  }

  private static AlterConfigOp set(String name, String value) {
    return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
  }

  /** Deletes a topic and makes it anew, with so many partitions. */
  static void makeAnew(Deployment at, String topic, int partitions) {
    try (Admin admin = at.brokers().admin()) {
      again(
          () -> {
            admin.deleteTopics(List.of(topic)).all().get();
            return true;
          });
      again(() -> TopicCheck.create(at.settings(), partitions).contains(topic));
    }
  }

  private static void again(Callable<Boolean> action) {
    await().atMost(PATIENCE).ignoreExceptions().until(action);
  }
}
