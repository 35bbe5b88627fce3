package io.holdfast.service.resume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.Bikes;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Which record a dead letter is the outcome of: topics that were made anew have other ones. */
class OutcomeTopicTest {
  private static final long OLD = 1_677_672_000_000L;
  private static final long NOW = 1_795_000_000_000L;
  private static final byte[] KEY = "k".getBytes(UTF_8);
  private static final byte[] VALUE = {1};

  private final OutcomeTopic letters =
      OutcomeTopic.letters(Bikes.settings(), Subject.RECORD, "bikes.records");

  @Test
  void letterOfNow_isOfTheOldRecordThatItsHeaderSays() {
    Source source = source(headers(OLD), NOW, TimestampType.CREATE_TIME);
    assertThat(source.is(record(OLD))).isTrue();
    assertThat(source.is(record(NOW))).isFalse();
  }

  @Test
  void letterOfAnOlderProgram_isOfTheRecordOfItsOwnTime() {
    Source source = source(headers(-1), OLD, TimestampType.CREATE_TIME);
    assertThat(source.is(record(OLD))).isTrue();
    assertThat(source.is(record(NOW))).isFalse();
  }

  @Test
  void topicWithTimesOfItsOwn_headerTellsAllTheSame_andWithoutOneAnyTimeWill() {
    Source said = source(headers(OLD), NOW, TimestampType.LOG_APPEND_TIME);
    assertThat(said.is(record(OLD))).isTrue();
    assertThat(said.is(record(NOW))).isFalse();
    Source unsaid = source(headers(-1), NOW, TimestampType.LOG_APPEND_TIME);
    assertThat(unsaid.is(record(OLD))).isTrue();
  }

  private Source source(Headers headers, long written, TimestampType type) {
    return requireNonNull(
        letters.reading().of(message("bikes.dead-letters", 3, written, type, headers)));
  }

  private static Headers headers(long timestamp) {
    return DeadLetterMessage.of(
            KEY,
            VALUE,
            new RecordHeaders(),
            timestamp,
            new Origin("bikes.records", 0, 17),
            new Cause(
                Subject.RECORD, "TRUNCATED", MalformedRecordException.class.getName(), "it ends"),
            1_000)
        .headers();
  }

  private static ConsumerRecord<byte[], byte[]> record(long time) {
    return message("bikes.records", 17, time, TimestampType.CREATE_TIME, new RecordHeaders());
  }

  private static ConsumerRecord<byte[], byte[]> message(
      String topic, long offset, long time, TimestampType type, Headers headers) {
    return new ConsumerRecord<>(
        topic,
        0,
        offset,
        time,
        type,
        KEY.length,
        VALUE.length,
        KEY,
        VALUE,
        headers,
        Optional.empty());
  }
}
