package io.holdfast.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SchemaFile;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Whatever a record of the schema topic holds, its schema is learned, or it is passed over. */
class SchemaTopicFuzzTest {
  private static final Map<String, String> NOWHERE = Map.of("bootstrap.servers", "127.0.0.1:1");

  @SuppressWarnings("NullAway.Init")
  private SchemaTopic topic;

  @BeforeEach
  void open() {
    topic = new SchemaTopic(NOWHERE, "schemas", SchemaTopicFuzzTest::ofNothing);
  }

  private static MockConsumer<String, byte[]> ofNothing() {
    var consumer = new MockConsumer<String, byte[]>("earliest");
    var partition = new TopicPartition("schemas", 0);
    consumer.updateBeginningOffsets(Map.of(partition, 0L));
    consumer.updateEndOffsets(Map.of(partition, 0L));
    return consumer;
  }

  @AfterEach
  void close() {
    topic.close();
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void value(byte[] value) {
    Long fingerprint = fingerprint(value);
    take("registry/0123456789ab/7", value);
    take("rides/0123456789abcdef", value);
    if (fingerprint == null) {
      return;
    }
    take("rides/" + Fingerprint.hex(fingerprint), value);
    Schema schema = topic.latest("rides").orElseThrow();
    assertThat(Fingerprint.of(schema)).isEqualTo(fingerprint);
    assertThat(topic.find(fingerprint)).isEqualTo(schema);
    try {
      assertThat(FeatureDecoder.compile(schema, List.of()).absent()).isEmpty();
    } catch (MalformedRecordException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void key(byte[] key) {
    byte[] schema = "{\"type\": \"record\", \"name\": \"R\", \"fields\": []}".getBytes(UTF_8);
    take(new String(key, UTF_8), schema);
    take(new String(key, UTF_8), null);
    assertThat(topic.all("rides")).hasSizeLessThan(2);
  }

  private void take(String key, byte @Nullable [] value) {
    topic.onRecord(new ConsumerRecord<>("schemas", 0, 0, key, value));
  }

  /** Of the schema that bytes hold; null if they hold none. */
  private static @Nullable Long fingerprint(byte[] value) {
    try {
      return Fingerprint.of(SchemaFile.parse(new String(value, UTF_8)));
    } catch (IllegalArgumentException refused) {
      assertThat(refused).message().isNotBlank();
      return null;
    }
  }
}
