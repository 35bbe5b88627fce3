package io.holdfast.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.schemas.wire.SchemaFile;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SchemaTopicTest {
  private static final TopicPartition PARTITION = new TopicPartition("schemas", 0);
  private static final Map<String, String> NOWHERE = Map.of("bootstrap.servers", "127.0.0.1:1");
  private static final SchemaId SEVEN = new SchemaId.Numbered(7);
  private static final SchemaId EIGHT = new SchemaId.Numbered(8);
  private static final Schema MILLIS =
      schema("{\"type\": \"long\", \"logicalType\": \"timestamp-millis\"}");
  private static final Schema MICROS =
      schema("{\"type\": \"long\", \"logicalType\": \"timestamp-micros\"}");

  private final MockConsumer<String, byte[]> consumer =
      new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
  private final Map<String, Schema> onTopic = new LinkedHashMap<>();
  private final List<SchemaTopic> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(SchemaTopic::close);
  }

  private static Schema schema(String type) {
    return SchemaFile.parse(
        "{\"type\": \"record\", \"name\": \"Ride\", \"fields\": [{\"name\": \"at\", \"type\": "
            + type
            + "}]}");
  }

  private static Schema decimal(int scale) {
    return schema(
        "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 9, \"scale\": "
            + scale
            + "}");
  }

  private static String key(String recordTopic, Schema schema) {
    return recordTopic + "/" + Fingerprint.hex(Fingerprint.of(schema));
  }

  private SchemaTopic read() {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, (long) onTopic.size()));
    consumer.schedulePollTask(
        () -> {
          long offset = 0;
          for (Map.Entry<String, Schema> one : onTopic.entrySet()) {
            byte[] json = one.getValue().toString().getBytes(UTF_8);
            consumer.addRecord(new ConsumerRecord<>("schemas", 0, offset++, one.getKey(), json));
          }
        });
    SchemaTopic topic = new SchemaTopic(NOWHERE, "schemas", () -> consumer);
    opened.add(topic);
    assertThat(topic.awaitCaughtUp(Duration.ofSeconds(30))).isTrue();
    return topic;
  }

  private static RegistryStore store(SchemaTopic topic) {
    return new RegistryStore(topic, NOWHERE, "schemas", new Registry(List.of(registry())));
  }

  private static URI registry() {
    return URI.create("http://127.0.0.1:1");
  }

  private static MalformedRecordException refusal(RegistryStore store, Schema schema) {
    return catchThrowableOfType(
        MalformedRecordException.class, () -> store.keep("rides", EIGHT, schema));
  }

  @Test
  void recordsTopic_mayBeNamedRegistry() {
    onTopic.put(key("registry", MILLIS), MILLIS);

    assertThat(read().all("registry")).containsExactly(MILLIS);
  }

  @Test
  void schemaThatDiffersInLogicalTypes_isNotKept_andSaysWhy() {
    onTopic.put(key("rides", MILLIS), MILLIS);

    SchemaTopic topic = read();

    MalformedRecordException refusal = refusal(store(topic), MICROS);

    assertThat(refusal.reason()).isEqualTo(Reason.INCOMPATIBLE_SCHEMA);
    assertThat(refusal)
        .hasMessageContaining("already has a schema " + key("rides", MICROS))
        .hasMessageContaining("differs only in logical types");
    assertThat(topic.all("rides")).containsExactly(MILLIS);
  }

  @Test
  void decimalsOfAnotherScale_differ() {
    onTopic.put(key("rides", decimal(2)), decimal(2));

    assertThat(refusal(store(read()), decimal(4)).reason()).isEqualTo(Reason.INCOMPATIBLE_SCHEMA);
  }

  @Test
  void idsOnTheTopic_thatDifferInLogicalTypes_areNotOneAnother() throws Exception {
    String name = "registry/" + RegistryStore.digest(List.of(registry())) + "/";
    onTopic.put(key("rides", MILLIS), MILLIS);
    onTopic.put(name + SEVEN, MILLIS);
    onTopic.put(name + EIGHT, MICROS);

    RegistryStore store = store(read());

    assertThat(store.keep("rides", SEVEN, MILLIS)).isEqualTo(store.find(SEVEN)).isEqualTo(MILLIS);
    assertThat(store.find(EIGHT)).isEqualTo(MICROS);
    assertThat(refusal(store, MICROS).reason()).isEqualTo(Reason.INCOMPATIBLE_SCHEMA);
  }
}
