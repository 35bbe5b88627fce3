package io.holdfast.service.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ResumingConsumerTest {
  /** As Kafka Streams polls for as long as it waits for its group: it must not take a processor. */
  @Test
  void pollsThatDoNotWait_takeTurnsWhileNothingComes() {
    var settings =
        Map.<String, Object>of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:1",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    var consumer =
        new ResumingConsumer(settings, ResumePoints.BEGINNING, new SourceTopics(_ -> Map.of()));
    consumer.assign(List.of(new TopicPartition("rides", 0)));
    consumer.poll(Duration.ZERO); // loads classes, which takes time by itself
    long begun = System.nanoTime();

    for (int time = 0; time < 100; time++) {
      assertThat(consumer.poll(Duration.ZERO).isEmpty()).isTrue();
    }

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(900));
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}
