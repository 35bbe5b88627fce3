package io.holdfast.service.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FirstRecordsTest {
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
  private final WaitingFraming framing = new WaitingFraming();
  private final FirstRecords records = new FirstRecords(Map.of(), "rides", framing, () -> false);

  @Test
  void topicThatIsNotThere_isLookedAtAgainLater() {
    consumer.updatePartitions("rides", List.of());
    consumer.schedulePollTask(
        () -> {
          throw new IllegalStateException("as of Kafka's, to which no partition is assigned");
        });

    assertThat(records.look(consumer)).isFalse();
  }

  @Test
  void lastRecordsOfEachPartition_areLookedAt_notTheOldest() {
    var large = new TopicPartition("rides", 0);
    var small = new TopicPartition("rides", 1);
    consumer.updatePartitions("rides", List.of(info(0), info(1)));
    consumer.updateBeginningOffsets(Map.of(large, 0L, small, 3L));
    consumer.updateEndOffsets(Map.of(large, 100L, small, 5L));
    consumer.setMaxPollRecords(5);
    consumer.schedulePollTask(
        () -> {
          IntStream.range(0, 100).forEach(offset -> consumer.addRecord(record(0, offset)));
          IntStream.range(3, 5).forEach(offset -> consumer.addRecord(record(1, offset)));
        });

    assertThat(records.look(consumer)).isTrue();

    assertThat(framing.asked.stream().map(value -> (int) value[0]))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.concat(IntStream.range(80, 100), IntStream.range(3, 5)).boxed().toList());
  }

  private static PartitionInfo info(int partition) {
    return new PartitionInfo("rides", partition, null, null, null);
  }

  private static ConsumerRecord<byte[], byte[]> record(int partition, int offset) {
    return new ConsumerRecord<>(
        "rides", partition, offset, new byte[0], new byte[] {(byte) offset});
  }
}
