package io.holdfast.service.score;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Shows every poll of a stream thread's consumer to {@link ScoreAhead} and changes nothing of it.
 * Made by Kafka, one a consumer, and called on the thread that polls.
 */
public final class ScoreAheadInterceptor implements ConsumerInterceptor<byte[], byte[]> {
  private @Nullable ScoreAhead ahead;

  @Override
  public void configure(Map<String, ?> settings) {
    ahead = (ScoreAhead) settings.get(ScoreAhead.SETTING);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    if (ahead != null) {
      ahead.score(records);
    }
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    // nothing is kept for what was committed
  }

  @Override
  public void close() {
    // what is kept goes with the thread
  }
}
