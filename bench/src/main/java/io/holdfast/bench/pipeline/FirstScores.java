package io.holdfast.bench.pipeline;

import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sees every score that the topology sends, and says when the first of each version went out, and
 * when the version had been ready. Made by Kafka's producer; called by the stream thread.
 */
public final class FirstScores implements ProducerInterceptor<byte[], byte[]> {
  static final String SINK = "holdfast.bench.sink";
  static final String READY = "holdfast.bench.ready";

  private String sink = "";
  private Map<?, ?> ready = Map.of();
  private long newest = -1;

  @Override
  public void configure(Map<String, ?> config) {
    sink = String.valueOf(config.get(SINK));
    if (config.get(READY) instanceof Map<?, ?> times) {
      ready = times;
    }
  }

  @Override
  public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
    if (record.topic().equals(sink)) {
      long now = System.nanoTime();
      try {
        long version = Contracts.SCORE.decode(record.value()).getVersion();
        if (version > newest) {
          newest = version;
          Object since = ready.get(version);
          ChildJvm.reply(version + " " + now + " " + (since == null ? now : since));
        }
      } catch (MalformedRecordException e) {
        throw new IllegalStateException("the topology sends scores", e);
      }
    }
    return record;
  }

  @Override
  public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
    // the sender's own affair
  }

  @Override
  public void close() {
    // nothing is held
  }
}
