package io.holdfast.trainer.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleReaderTest {
  private static final Digest HASH = Digest.of(new byte[] {1});

  @Test
  void example_becomesARow() {
    var reading = ExampleReader.read(record(Contracts.EXAMPLE.encode(example(List.of(0.25)))));

    assertThat(reading)
        .isInstanceOfSatisfying(
            ExampleReader.Reading.Row.class,
            read -> {
              assertThat(read.row().position()).isEqualTo(new Position(2, 5, 77));
              assertThat(read.row().record()).containsExactly(4, 5, 6);
              assertThat(read.row().label()).isEqualTo(1.5);
              assertThat(read.row().weight()).isEqualTo(1);
              assertThat(read.row().environment()).isEqualTo("winter");
              assertThat(read.row().served()).isEqualTo(new Served(0.25, 3, HASH));
            });
  }

  @Test
  void tombstone_isUnreadable() {
    assertUnreadable(null);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 20})
  void example_cutShort_isUnreadable(int bytes) {
    byte[] whole = Contracts.EXAMPLE.encode(example(List.of(0.25)));
    assertUnreadable(Arrays.copyOf(whole, bytes));
  }

  @Test
  void example_ofSeveralScoresAndAnchors_keepsTheirOrder() {
    Example example =
        Example.newBuilder(example(List.of(1.0, -2.0, 3.0))).setAnchors(List.of(7.0, 5.0)).build();

    assertThat(ExampleReader.read(record(Contracts.EXAMPLE.encode(example))))
        .isInstanceOfSatisfying(
            ExampleReader.Reading.Row.class,
            read -> {
              assertThat(read.row().served())
                  .isEqualTo(new Served(new double[] {1, -2, 3}, 3, HASH));
              assertThat(read.row().anchors()).containsExactly(7, 5);
            });
  }

  private static void assertUnreadable(byte @Nullable [] value) {
    assertThat(ExampleReader.read(record(value)))
        .isInstanceOfSatisfying(
            ExampleReader.Reading.Unreadable.class,
            unreadable -> {
              assertThat(unreadable.refusal().reason()).isEqualTo("UNREADABLE_EXAMPLE");
              assertThat(unreadable.position()).isEqualTo(new Position(2, 5, 77));
            });
  }

  private static ConsumerRecord<byte[], byte[]> record(byte @Nullable [] value) {
    return new ConsumerRecord<>(
        "m.examples",
        2,
        5,
        77,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  private static Example example(List<Double> rawScores) {
    return Example.newBuilder()
        .setRecord(ByteBuffer.wrap(new byte[] {4, 5, 6}))
        .setLabel(1.5)
        .setEnvironment("winter")
        .setServedVersion(3)
        .setServedHash(new Sha256Digest(HASH.bytes()))
        .setServedRawScores(rawScores)
        .setSourcePartition(0)
        .setSourceOffset(9)
        .build();
  }
}
