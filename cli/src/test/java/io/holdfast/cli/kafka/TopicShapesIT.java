package io.holdfast.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code topics create} makes topics, by a real broker. */
class TopicShapesIT {
  @TempDir static Path folder;
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static CliRun create(Path config, String... flags) {
    String[] all = new String[flags.length + 3];
    all[0] = "topics";
    all[1] = "create";
    all[2] = "--config=" + config;
    System.arraycopy(flags, 0, all, 3, flags.length);
    return CliRun.of(all);
  }

  private static String value(Admin admin, String topic, String key) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Config config = admin.describeConfigs(List.of(resource)).all().get().values().iterator().next();
    return config.get(key).value();
  }

  @Test
  void topics_areMadeAsSaid_andAsOneBrokerCanHoldThem() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            """
            kafka:
              bootstrap.servers: "%s"
            holdfast:
              models:
                bikes:
                  objective: squared
                  label: y
                  labels:
                    in: record
            """
                .replace("%s", broker.bootstrapServers()));
    create(config, "--replication", "3").saysOneSentence(1, "3 replicas", "1 broker");
    create(config, "--replication", "0").saysOneSentence(2, "--replication", "0");
    create(config, "--min-insync", "letters=1").saysOneSentence(2, "letters", "deadLetters");
    create(config, "--retention", "records=soon").saysOneSentence(2, "--retention", "soon");
    CliRun dry = create(config, "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out()).startsWith("Would create holdfast.models, ");
    assertThat(dry.err()).contains("The cluster has 1 broker, so topics have 1 replica");

    JsonNode made =
        create(
                config,
                "--partitions=2",
                "--retention=12h,records=30d,reports=400d",
                "--replication=1",
                "--json")
            .json();

    assertThat(made.path("created"))
        .as("a dry run made none")
        .hasSize(dry.out().split(", ").length);
    assertThat(made.path("topics").get(0).path("retention").asText()).isEqualTo("compacted");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      assertThat(value(admin, "bikes.records", "retention.ms")).isEqualTo("2592000000");
      assertThat(value(admin, "bikes.scores", "retention.ms")).isEqualTo("43200000");
      assertThat(value(admin, "holdfast.reports", "retention.ms")).isEqualTo("34560000000");
      assertThat(value(admin, "holdfast.models", "cleanup.policy")).isEqualTo("compact");
      assertThat(value(admin, "bikes.records", "min.insync.replicas")).isEqualTo("1");
    }
    assertThat(create(config).out()).startsWith("All topics were there.");
  }

  @Test
  void topics_onceMade_takeRecordsOfAnyPartitionAtTheFirstTry() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("wide.yml"),
            """
            kafka: { bootstrap.servers: "%s" }
            holdfast:
              topics: { models: wide.models, schemas: wide.schemas, reports: wide.reports }
              models: { wide: { objective: squared, label: y } }
            """
                .replace("%s", broker.bootstrapServers()));
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (var producer =
        new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
      assertThat(create(config, "--partitions=100").exitCode()).isZero();
      for (String topic : List.of("wide.records", "wide.scores", "wide.dead-letters")) {
        for (int partition = 0; partition < 100; partition++) {
          sent.add(producer.send(new ProducerRecord<>(topic, partition, null, new byte[1])));
        }
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
      assertThat(producer.metrics().values())
          .filteredOn(
              one ->
                  one.metricName().name().equals("record-retry-total")
                      && one.metricName().group().equals("producer-metrics"))
          .singleElement()
          .satisfies(retries -> assertThat(retries.metricValue()).isEqualTo(0.0));
    }
  }
}
