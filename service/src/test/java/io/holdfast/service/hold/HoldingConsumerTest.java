package io.holdfast.service.hold;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.resume.ResumePoints;
import io.holdfast.service.resume.SourceTopics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HoldingConsumerTest {
  private static final TopicPartition RIDES = new TopicPartition("rides", 0);

  private final Troubles troubles = new Troubles(InstantSource.system());
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RecordFraming framing = new WaitingFraming();

  /** Kafka Streams calls one of them, and not the same in every version. */
  @SuppressWarnings({"removal", "deprecation"})
  static Stream<Consumer<HoldingConsumer>> closings() {
    return Stream.of(
        HoldingConsumer::close,
        consumer -> consumer.close(Duration.ZERO),
        consumer -> consumer.close(CloseOptions.timeout(Duration.ZERO)));
  }

  @ParameterizedTest
  @MethodSource("closings")
  void partitionThatIsHeld_isHeldNoLonger_onceClosed(Consumer<HoldingConsumer> closing) {
    var settings =
        Map.<String, Object>of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:1",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    var partitions = new HeldPartitions("rides", troubles, meters);
    var consumer =
        new HoldingConsumer(
            settings,
            "rides",
            framing,
            partitions,
            ResumePoints.BEGINNING,
            new SourceTopics(_ -> Map.of()));
    consumer.assign(List.of(RIDES));

    ConsumerRecords<byte[], byte[]> given = consumer.hold(polled());

    assertThat(given.isEmpty()).isTrue();
    assertThat(consumer.paused()).containsExactly(RIDES);
    assertThat(waiting()).isOne();
    assertThat(troubles.isActive("rides", TroubleKind.REGISTRY)).isTrue();

    closing.accept(consumer);

    assertThat(waiting()).isZero();
    assertThat(troubles.isActive("rides", TroubleKind.REGISTRY)).isFalse();
  }

  private double waiting() {
    return meters.get(HeldPartitions.NAME).gauge().value();
  }

  private static ConsumerRecords<byte[], byte[]> polled() {
    var record = new ConsumerRecord<>("rides", 0, 5, new byte[0], new byte[] {0, 0, 0, 0, 7});
    return new ConsumerRecords<>(
        Map.of(RIDES, List.of(record)), Map.of(RIDES, new OffsetAndMetadata(6)));
  }
}
