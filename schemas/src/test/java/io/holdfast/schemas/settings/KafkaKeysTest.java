package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaKeysTest {
  private static final String INTERNAL = "internal.";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "secruity.protocol: SSL | kafka.secruity.protocol is no setting of Kafka's clients; did you"
            + " mean kafka.security.protocol?",
        "sasl.jaas.confg: x | kafka.sasl.jaas.confg is no setting of Kafka's clients; did you mean"
            + " kafka.sasl.jaas.config?",
        "commit.intervall.ms: 20 | did you mean kafka.commit.interval.ms?",
        "bootstrap-servers: b | did you mean kafka.bootstrap.servers?",
        "consumer.max.pol.records: 5 | kafka.consumer.max.pol.records is no setting of Kafka's"
            + " consumers; did you mean kafka.consumer.max.poll.records?",
        "producer.max.poll.records: 5 | kafka.producer.max.poll.records is no setting of Kafka's"
            + " producers",
        "admin.linger.ms: 5 | kafka.admin.linger.ms is no setting of Kafka's admin clients",
        "topic.retention.hours: 5 | kafka.topic.retention.hours is no setting of Kafka's topics",
        "retention.ms: 5 | kafka.retention.ms is no setting of Kafka's clients",
        "something.else: 5 | kafka.something.else is no setting of Kafka's clients (holdfast.yaml"
            + " line 2)",
        "application.id: a | kafka.application.id is set by Holdfast: set"
            + " holdfast.service.applicationId instead",
        "processing.guarantee: at_least_once | it is exactly_once_v2 always",
        "producer.transactional.id: t | kafka.producer.transactional.id is set by Holdfast",
        "security.protocol: SASL_PLAINTEX | kafka.security.protocol must be one of PLAINTEXT, SSL,"
            + " SASL_PLAINTEXT, SASL_SSL: SASL_PLAINTEX; did you mean SASL_PLAINTEXT?",
      })
  void key_thatNothingKnows_stopsTheStartAndNamesTheNearest(String line, String sentence) {
    assertThatThrownBy(() -> read(line))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(sentence)
        .hasMessageContaining("(holdfast.yaml line 2)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "security.protocol: sasl_ssl",
        "ssl.truststore.location: /t",
        "commit.interval.ms: 20",
        "num.stream.threads: 2",
        "consumer.max.poll.records: 5",
        "main.consumer.fetch.min.bytes: 5",
        "producer.linger.ms: 5",
        "admin.retries: 5",
        "topic.retention.ms: 5",
        "client.tag.zone: a",
      })
  void key_ofAnyClient_isTaken(String line) throws IOException {
    assertThat(read(line).kafka()).hasSize(2);
  }

  @Test
  void keyWithAPrefix_isForThatClientAlone() throws IOException {
    Map<String, String> kafka =
        read("retry.backoff.ms: 1\n  consumer.retry.backoff.ms: 2\n  producer.linger.ms: 3")
            .kafka();

    assertThat(KafkaKeys.consumer(kafka))
        .containsEntry("retry.backoff.ms", "2")
        .hasSize(2)
        .containsKey("bootstrap.servers");
    assertThat(KafkaKeys.producer(kafka))
        .containsEntry("retry.backoff.ms", "1")
        .containsEntry("linger.ms", "3")
        .hasSize(3);
    assertThat(KafkaKeys.admin(kafka)).containsEntry("retry.backoff.ms", "1").hasSize(2);
  }

  @Test
  void names_areThoseOfTheClientsThatShip() {
    assertThat(KafkaKeys.names("consumer")).isEqualTo(open(ConsumerConfig.configNames()));
    assertThat(KafkaKeys.names("producer")).isEqualTo(open(ProducerConfig.configNames()));
    assertThat(KafkaKeys.names("admin")).isEqualTo(open(AdminClientConfig.configNames()));
  }

  private static TreeSet<String> open(Iterable<String> names) {
    TreeSet<String> open = new TreeSet<>();
    names.forEach(
        name -> {
          if (!name.startsWith(INTERNAL)) {
            open.add(name);
          }
        });
    return open;
  }

  private Settings read(String line) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("holdfast.yaml"),
            "kafka:\n  "
                + line
                + "\nholdfast: { models: { m: { objective: squared, label: y } } }\n");
    return Settings.read(file, Map.of());
  }
}
