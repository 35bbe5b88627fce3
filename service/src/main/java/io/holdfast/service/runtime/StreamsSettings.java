package io.holdfast.service.runtime;

import io.holdfast.schemas.settings.Settings;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The Kafka Streams configuration of a topology: ours, then the user's, then what is not to change.
 */
public final class StreamsSettings {
  private StreamsSettings() {}

  /** The properties of the application {@code applicationId}. */
  public static Properties of(Settings settings, String applicationId) {
    String instance = InstanceId.of(settings.service());
    int most = Math.max(4 << 20, settings.maxMessageBytes());
    Properties properties = new Properties();
    // Static members on the classic protocol come back as soon as they have started after a
    // crash, and others take over after the session time-out, 6 s at the least by a broker's
    // defaults; the newer protocols take 45 s, and that of streams refuses static members.
    properties.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance);
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    // A score is visible when its transaction commits: the interval is the median latency, and
    // 100 ms costs about a third of the processor time of 20 ms.
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    // Cleaning may race with a task that comes back; state directories are small.
    properties.put(StreamsConfig.STATE_CLEANUP_DELAY_MS_CONFIG, 24 * 60 * 60 * 1000L);
    // What is read waits for no other partition: the join orders records and labels itself.
    properties.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 0L);
    // Examples and what the join holds carry whole records.
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), most);
    properties.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), most);
    properties.putAll(settings.kafka());
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
    properties.put(StreamsConfig.CLIENT_ID_CONFIG, applicationId + "-" + instance);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, settings.service().stateDirectory().toString());
    // One outcome a record, one example a label: not for sale.
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    return properties;
  }
}
