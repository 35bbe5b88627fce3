package io.holdfast.trainer.runtime.log;

import io.holdfast.schemas.avro.ForgottenRows;
import io.holdfast.schemas.avro.LogPlace;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.version.Digest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;

/** Which examples of a topic are as if they were not there. Immutable. */
public final class ForgottenKeys {
  static final ForgottenKeys NONE = new ForgottenKeys(Map.of());

  private final Map<Digest, Map<Integer, Long>> until;

  private ForgottenKeys(Map<Digest, Map<Integer, Long>> until) {
    this.until = until;
  }

  /** Those of the topic with that id. */
  public static ForgottenKeys of(List<ForgottenRows> rows, Uuid topic) {
    Map<Digest, Map<Integer, Long>> until = new HashMap<>();
    for (ForgottenRows asked : rows) {
      if (asked.getTopicId().equals(topic.toString())) {
        for (Sha256Digest key : asked.getKeys()) {
          Map<Integer, Long> ends = until.computeIfAbsent(Digest.of(key), _ -> new HashMap<>());
          for (LogPlace place : asked.getUntil()) {
            ends.merge(place.getPartition(), place.getOffset(), Math::max);
          }
        }
      }
    }
    return until.isEmpty() ? NONE : new ForgottenKeys(until);
  }

  /** Whether an example is one of them. */
  public boolean has(ConsumerRecord<byte[], byte[]> example) {
    if (until.isEmpty() || example.key() == null) {
      return false;
    }
    Map<Integer, Long> ends = until.get(Digest.of(example.key()));
    return ends != null && example.offset() < ends.getOrDefault(example.partition(), 0L);
  }
}
