package io.holdfast.schemas.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class RedriverTest {
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {2};
  private static final Instant OLD = Instant.parse("2023-03-01T12:00:00Z");
  private static final Instant REFUSED = Instant.parse("2026-11-27T12:00:00Z");
  private static final Instant NOW = Instant.parse("2026-11-27T13:00:00Z");

  @Test
  void letterOfAnOldMessage_isSentInWithTheTimeOfTheMessage() {
    ProducerRecord<byte[], byte[]> sent =
        redrive(letter(headers(OLD.toEpochMilli()), REFUSED), NOW).getFirst();
    assertThat(sent.topic()).isEqualTo("bikes.records");
    assertThat(sent.timestamp()).isEqualTo(OLD.toEpochMilli());
    assertThat(sent.headers().toArray())
        .extracting(header -> header.key() + "=" + new String(header.value(), UTF_8))
        .as("the message's own alone")
        .containsExactly("trace=7");
  }

  @Test
  void mark_isOfNow_andNoEarlierThanItsLetter() {
    for (Instant written : List.of(REFUSED, NOW.plusSeconds(5))) {
      ProducerRecord<byte[], byte[]> mark =
          redrive(letter(headers(OLD.toEpochMilli()), written), NOW).getLast();
      assertThat(mark.topic()).isEqualTo("bikes.dead-letters");
      assertThat(mark.headers().lastHeader(DeadLetterMessage.REDRIVEN).value())
          .asString()
          .isEqualTo("5");
      Instant later = written.isAfter(NOW) ? written : NOW;
      assertThat(mark.timestamp()).isEqualTo(later.toEpochMilli());
    }
  }

  @Test
  void letterOfAnOlderProgram_hasTheTimeOfItsMessage() {
    Headers headers = headers(-1);
    Letter letter = letter(headers, OLD);
    assertThat(letter.time()).isEqualTo(OLD);
    assertThat(letter.refused()).as("it does not say").isNull();
    assertThat(redrive(letter, NOW))
        .extracting(ProducerRecord::timestamp)
        .containsExactly(OLD.toEpochMilli(), NOW.toEpochMilli());
  }

  @Test
  void letter_saysTheTimeOfItsMessageAndWhenItWasRefused() {
    Letter letter = letter(headers(OLD.toEpochMilli()), REFUSED);
    assertThat(letter.time()).isEqualTo(OLD);
    assertThat(letter.refused()).isEqualTo(REFUSED);
  }

  @Test
  void timeThatIsNoNumber_isThatOfTheLetter() {
    Headers headers = headers(-1).add(DeadLetterMessage.TIMESTAMP, "yesterday".getBytes(UTF_8));
    assertThat(letter(headers, OLD).time()).isEqualTo(OLD);
    Headers empty = headers(-1).add(DeadLetterMessage.TIMESTAMP, null);
    assertThat(letter(empty, OLD).time()).isEqualTo(OLD);
  }

  private static List<ProducerRecord<byte[], byte[]>> redrive(Letter letter, Instant now) {
    var producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (var redriver =
        new Redriver(new Letters(Map.of(), "bikes.dead-letters"), producer, () -> now)) {
      redriver.add(letter);
      redriver.flush();
    }
    return producer.history();
  }

  private static Headers headers(long timestamp) {
    return DeadLetterMessage.of(
            KEY,
            VALUE,
            new RecordHeaders().add("trace", "7".getBytes(UTF_8)),
            timestamp,
            new Origin("bikes.records", 2, 17),
            new Cause(Subject.RECORD, "TRUNCATED", "none", "it ends early"),
            1_000)
        .headers();
  }

  private static Letter letter(Headers headers, Instant written) {
    return Letter.of(
        new ConsumerRecord<>(
            "bikes.dead-letters",
            0,
            5,
            written.toEpochMilli(),
            TimestampType.CREATE_TIME,
            KEY.length,
            VALUE.length,
            KEY,
            VALUE,
            headers,
            Optional.empty()));
  }
}
