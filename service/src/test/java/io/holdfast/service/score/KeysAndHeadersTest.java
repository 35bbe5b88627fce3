package io.holdfast.service.score;

import static io.holdfast.service.TopologyRun.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.Bikes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.serialization.UUIDSerializer;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a record has besides its value goes with its score and with whatever else comes of it. */
final class KeysAndHeadersTest extends ScoringFixture {
  private static final UUID RIDE = UUID.fromString("0b8a3c1e-77f0-4a6e-9d0c-5c1f2e3d4a5b");

  static Stream<Arguments> keys() {
    byte[] avro =
        new SingleObjectFraming(Map.<Long, Schema>of()::get)
            .frame(new Schema.Parser().parse("\"string\""), new byte[] {2, 'a'});
    return Stream.of(
        Arguments.of("string", key(new StringSerializer(), "ride-1"), "ride-1"),
        Arguments.of("string beyond ASCII", key(new StringSerializer(), "Zürich 駅"), "Zürich 駅"),
        Arguments.of("empty string", key(new StringSerializer(), ""), ""),
        Arguments.of("UUID", key(new UUIDSerializer(), RIDE), RIDE.toString()),
        Arguments.of("int", key(new IntegerSerializer(), 4711), "4711"),
        Arguments.of("int below 0", key(new IntegerSerializer(), -1), "-1"),
        Arguments.of("long", key(new LongSerializer(), 1L << 60), "1152921504606846976"),
        Arguments.of(
            "long below 0", key(new LongSerializer(), Long.MIN_VALUE), "" + Long.MIN_VALUE),
        Arguments.of(
            "16 bytes",
            ByteBuffer.allocate(16)
                .putLong(RIDE.getMostSignificantBits())
                .putLong(RIDE.getLeastSignificantBits())
                .array(),
            RIDE.toString()),
        Arguments.of("bytes", key(new ByteArraySerializer(), new byte[] {1, -2, 3}), "01fe03"),
        Arguments.of("Avro", avro, "c301c70345637248018f0261"),
        Arguments.of("long text", "x".repeat(5_000).getBytes(UTF_8), null),
        Arguments.of("none", null, null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  void key_isTheScoresToo_andItsTextTheId(String what, byte @Nullable [] key, @Nullable String id)
      throws Exception {
    serve(bikes, 3, -1, 2);
    shadow.put(bikes.name(), Bikes.active(4, bikes, 0, 7));
    start(bikes);

    Headers headers = headers();
    input()
        .pipeInput(
            new TestRecord<>(
                key, Bikes.ride(1.0, "SPRING", 7.0, null), headers, Instant.ofEpochMilli(42)));
    input().pipeInput(new TestRecord<>(key, new byte[] {7}, headers, Instant.ofEpochMilli(42)));

    for (String topic :
        List.of("bikes.scores", "bikes.shadow-scores", "bikes.examples", "bikes.dead-letters")) {
      TestRecord<byte[], byte[]> output = read(topic);
      assertThat(output.key()).as(topic).isEqualTo(key);
      if (topic.endsWith("dead-letters")) {
        assertThat(header(output, DeadLetterMessage.TIMESTAMP)).isEqualTo("42");
      } else {
        assertThat(output.timestamp()).as(topic).isEqualTo(42L);
      }
      assertThat(texts(output.headers())).as(topic).containsAllEntriesOf(texts(headers()));
      if (topic.endsWith("scores")) {
        assertThat(Contracts.SCORE.decode(output.value()).getId()).as(topic).isEqualTo(id);
        assertThat(output.headers()).as(topic).isEqualTo(headers());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"field id, ride", "header ce_id, A234-1234-1234", "header absent,"})
  void id_isWhatLabelsNameTheRecordBy(String place, @Nullable String id) throws Exception {
    ModelSettings model = Bikes.settings("labels.in", "topic", "labels.correlation.record", place);
    serve(model, 3, -1, 2);
    start(model);

    input().pipeInput(new TestRecord<>(KEY, Bikes.ride(1, "SPRING"), headers()));

    assertThat(Contracts.SCORE.decode(read("bikes.scores").value()).getId()).isEqualTo(id);
  }

  @Test
  void headerThatNamesTheRecordsSchema_staysWithTheRecord() {
    serve(bikes, 3, -1, 2);
    start(bikes);
    Headers headers = headers().add("__value_schema_id", new byte[17]);

    input().pipeInput(new TestRecord<>(KEY, Bikes.ride(1.0, "SPRING", 7.0, null), headers));
    input().pipeInput(new TestRecord<>(KEY, new byte[] {7}, headers));

    assertThat(read("bikes.scores").headers()).isEqualTo(headers());
    assertThat(read("bikes.examples").headers().lastHeader("__value_schema_id")).isNull();
    assertThat(read("bikes.dead-letters").headers()).contains(headers.toArray());
  }

  /** CloudEvents in binary mode, W3C's trace context, and one of the user's own, twice. */
  private static Headers headers() {
    return new RecordHeaders()
        .add("ce_specversion", "1.0".getBytes(UTF_8))
        .add("ce_id", "A234-1234-1234".getBytes(UTF_8))
        .add("ce_source", "/rides".getBytes(UTF_8))
        .add("ce_type", "com.example.ride".getBytes(UTF_8))
        .add("content-type", "application/avro".getBytes(UTF_8))
        .add(
            "traceparent",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".getBytes(UTF_8))
        .add("tracestate", "rojo=00f067aa0ba902b7".getBytes(UTF_8))
        .add("tenant", new byte[] {0, -1})
        .add("tenant", null);
  }

  private static Map<String, List<String>> texts(Headers headers) {
    Map<String, List<String>> texts = new HashMap<>();
    for (Header header : headers) {
      texts
          .computeIfAbsent(header.key(), name -> new ArrayList<>())
          .add(Arrays.toString(header.value()));
    }
    return texts;
  }

  private static <T> byte[] key(Serializer<T> serializer, T key) {
    try (serializer) {
      return serializer.serialize("bikes.records", key);
    }
  }
}
