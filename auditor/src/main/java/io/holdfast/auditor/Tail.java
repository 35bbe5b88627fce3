package io.holdfast.auditor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Where on its topic that stands which follows from the newest records: of each 1,024 messages, the
 * last record that one of them is of. Owned by one thread.
 */
final class Tail {
  private static final int BLOCK = 1_024;

  private final Map<TopicPartition, List<Block>> blocks = new HashMap<>();
  private final Map<Integer, Long> last = new HashMap<>();

  private record Block(long begin, Map<Integer, Long> last) {}

  /** Takes a message that is of a record. */
  void saw(ConsumerRecord<byte[], byte[]> message, int partition, long offset) {
    List<Block> of =
        blocks.computeIfAbsent(
            new TopicPartition(message.topic(), message.partition()), any -> new ArrayList<>());
    if (of.isEmpty() || message.offset() >= of.getLast().begin + BLOCK) {
      of.add(new Block(message.offset(), new HashMap<>()));
    }
    of.getLast().last.merge(partition, offset, Math::max);
    last.merge(partition, offset, Math::max);
  }

  /** The last record of a partition that a message was of; -1 if none was. */
  long last(int partition) {
    return last.getOrDefault(partition, -1L);
  }

  /** From where on to read so as to meet all that is of those records and later ones. */
  private long start(TopicPartition partition, long end, Map<Integer, Long> records) {
    for (Block block : blocks.getOrDefault(partition, List.of())) {
      if (block.last.entrySet().stream()
          .anyMatch(one -> one.getValue() >= records.getOrDefault(one.getKey(), 0L))) {
        return block.begin;
      }
    }
    return end;
  }

  /** With where a topic ended, and where the next audit begins on it. */
  Proven proven(Proven proven, Map<TopicPartition, Long> ends) {
    Map<String, Long> seen = new HashMap<>(proven.seen());
    Map<String, Long> starts = new HashMap<>(proven.starts());
    ends.forEach(
        (partition, end) -> {
          seen.put(partition.toString(), end);
          starts.put(partition.toString(), start(partition, end, proven.records()));
        });
    return new Proven(proven.model(), proven.records(), seen, starts, proven.before());
  }
}
