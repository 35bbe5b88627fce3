package io.holdfast.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.settings.KafkaKeys;
import io.holdfast.schemas.settings.Settings;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

final class StreamsSettingsTest {
  @Test
  void defaults_areThese() {
    Properties properties = properties(Map.of("bootstrap.servers", "b:1"));

    assertThat(properties)
        .containsOnly(
            Map.entry("bootstrap.servers", "b:1"),
            Map.entry("application.id", "app-score"),
            Map.entry("client.id", "app-score-i"),
            Map.entry("state.dir", Path.of("state").toString()),
            Map.entry("processing.guarantee", "exactly_once_v2"),
            Map.entry("group.protocol", "classic"),
            Map.entry("group.instance.id", "i"),
            Map.entry("session.timeout.ms", 6_000),
            Map.entry("heartbeat.interval.ms", 1_000),
            Map.entry("auto.offset.reset", "earliest"),
            Map.entry("commit.interval.ms", 100),
            Map.entry("state.cleanup.delay.ms", 86_400_000L),
            Map.entry("max.task.idle.ms", 0L),
            Map.entry("producer.max.request.size", 4_194_304),
            Map.entry("topic.max.message.bytes", 4_194_304));
  }

  @Test
  void kafkaSettings_passThroughButForTheGuarantee() {
    Properties properties =
        properties(
            Map.of(
                "sasl.mechanism", "PLAIN",
                "commit.interval.ms", "20",
                "num.stream.threads", "4",
                "application.id", "mine",
                "processing.guarantee", "at_least_once"));

    assertThat(properties)
        .containsEntry("sasl.mechanism", "PLAIN")
        .containsEntry("commit.interval.ms", "20")
        .containsEntry("num.stream.threads", "4")
        .containsEntry("application.id", "app-score")
        .containsEntry("processing.guarantee", "exactly_once_v2");
  }

  @Test
  void keysThatUsersMaySet_areThoseOfTheClientsThatShip() throws IllegalAccessException {
    Set<String> streams = new TreeSet<>(StreamsConfig.configDef().names());
    streams.removeIf(name -> name.startsWith("internal."));
    Set<String> topic = new TreeSet<>();
    for (Field field : TopicConfig.class.getFields()) {
      if (field.getName().endsWith("_CONFIG")) {
        topic.add((String) field.get(null));
      }
    }

    assertThat(KafkaKeys.names("streams")).isEqualTo(streams);
    assertThat(KafkaKeys.names("topic")).isEqualTo(topic);
  }

  private static Properties properties(Map<String, String> kafka) {
    Settings settings =
        new Settings(
            kafka,
            new Settings.Service("h", 0, "app", "i", Path.of("state")),
            new Settings.Trainer("h", 0),
            new Settings.SharedTopics("m", "r", "s"),
            Map.of());
    return StreamsSettings.of(settings, "app-score");
  }
}
