package io.holdfast.service.score;

import static io.holdfast.service.TopologyRun.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Bikes;
import io.holdfast.service.route.DeadLetters;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records and labels that cannot be used: one outcome each, and what is kept of them. */
final class UnusableRecordsTest extends ScoringFixture {
  @Test
  void recordWithUnusableLabel_isScoredAndALabelDeadLetter() {
    serve(bikes, 1, 0, 0);
    start(bikes);

    input().pipeInput(KEY, Bikes.ride(25.0, "SUMMER", Double.NaN, null));
    input().pipeInput(KEY, Bikes.ride(25.0, "SUMMER", 1.0, -2.0));

    assertThat(all("bikes.scores")).hasSize(2);
    assertThat(all("bikes.examples")).isEmpty();
    assertThat(all("bikes.dead-letters"))
        .extracting(letter -> header(letter, DeadLetterMessage.REASON))
        .containsExactly("BAD_LABEL", "BAD_WEIGHT");
    assertThat(labels("MALFORMED")).isEqualTo(2);
  }

  @Test
  void recordOfASchemaWithoutTheLabel_isScoredAndALabelDeadLetter() {
    ModelSettings other = Bikes.settings("label", "riders");
    serve(other, 1, 0, 0);

    send(other, Bikes.ride(25, "SUMMER"));

    assertThat(all("bikes.scores")).hasSize(1);
    assertThat(header(read("bikes.dead-letters"), DeadLetterMessage.REASON))
        .isEqualTo("MISSING_LABEL");
  }

  @Test
  void badRecords_areDeadLettersByReasonAndTheStreamGoesOn() {
    serve(bikes, 1, 0, 0);
    start(bikes);
    byte[] good = Bikes.ride(25, "SUMMER");
    byte[] unknown =
        new RecordEncoder(
                SchemaFile.parse("{\"type\":\"record\",\"name\":\"Other\",\"fields\":[]}"))
            .encode(
                new GenericRecordBuilder(
                        SchemaFile.parse("{\"type\":\"record\",\"name\":\"Other\",\"fields\":[]}"))
                    .build());
    List<byte[]> bad =
        List.of(
            "not avro".getBytes(UTF_8),
            unknown,
            Arrays.copyOf(good, good.length - 1),
            Arrays.copyOf(good, good.length + 1));

    for (byte[] value : bad) {
      input().pipeInput(KEY, value);
    }
    input().pipeInput(new TestRecord<>(KEY, null));
    input().pipeInput(KEY, good);

    List<TestRecord<byte[], byte[]>> letters = all("bikes.dead-letters");
    assertThat(letters)
        .extracting(letter -> header(letter, DeadLetterMessage.REASON))
        .containsExactly(
            "UNKNOWN_FRAMING", "UNKNOWN_SCHEMA", "TRUNCATED", "TRAILING_BYTES", "NO_VALUE");
    assertThat(letters).extracting(TestRecord::key).containsOnly(KEY);
    assertThat(letters.subList(0, 4)).extracting(TestRecord::value).isEqualTo(bad);
    assertThat(letters.get(4).value()).isNull();
    assertThat(all("bikes.scores")).hasSize(1);
    assertThat(meters.find(DeadLetters.COUNT).tag("reason", "TRUNCATED").counter())
        .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
  }

  @Test
  void deadLetter_saysWhereFromAndWhy() {
    serve(bikes, 1, 0, 0);
    start(bikes);

    input().pipeInput(KEY, Bikes.ride(25, "SUMMER"));
    input().pipeInput(KEY, "not avro".getBytes(UTF_8), Instant.ofEpochMilli(77));

    TestRecord<byte[], byte[]> letter = read("bikes.dead-letters");
    assertThat(header(letter, "holdfast.timestamp")).isEqualTo("77");
    assertThat(header(letter, "__streams.errors.topic")).isEqualTo("bikes.records");
    assertThat(header(letter, "__streams.errors.partition")).isEqualTo("0");
    assertThat(header(letter, "__streams.errors.offset")).isEqualTo("1");
    assertThat(header(letter, "__streams.errors.exception"))
        .isEqualTo(MalformedRecordException.class.getName());
    assertThat(header(letter, "__streams.errors.message")).contains("single-object encoding");
    assertThat(header(letter, "holdfast.reason")).isEqualTo("UNKNOWN_FRAMING");
  }

  @Test
  void deadLetterSentInAgain_carriesTheNewestHeadersOnce() {
    serve(bikes, 1, 0, 0);
    start(bikes);
    input().pipeInput(KEY, "not avro".getBytes(UTF_8));
    TestRecord<byte[], byte[]> first = read("bikes.dead-letters");

    input().pipeInput(new TestRecord<>(first.key(), first.value(), first.headers()));

    TestRecord<byte[], byte[]> second = read("bikes.dead-letters");
    assertThat(second.headers().headers(DeadLetterMessage.OFFSET)).hasSize(1);
    assertThat(header(second, DeadLetterMessage.OFFSET)).isEqualTo("1");
  }

  @Test
  void letterOfAnOldRecord_isOfNow_andSaysTheTimeOfTheRecord() {
    serve(bikes, 1, 0, 0);
    start(bikes);
    Instant old = Instant.parse("2023-03-01T12:00:00Z");
    Instant begin = InstantSource.system().instant();
    input().pipeInput(new TestRecord<>(KEY, "not avro".getBytes(UTF_8), old));
    input().pipeInput(new TestRecord<>(KEY, Bikes.ride(25.0, "SUMMER", Double.NaN, null), old));

    assertThat(all("bikes.dead-letters"))
        .hasSize(2)
        .allSatisfy(
            letter -> {
              assertThat(letter.getRecordTime())
                  .isBetween(begin.minusMillis(1), InstantSource.system().instant());
              assertThat(header(letter, DeadLetterMessage.TIMESTAMP))
                  .isEqualTo(Long.toString(old.toEpochMilli()));
            });
    assertThat(read("bikes.scores").getRecordTime()).isEqualTo(old);
  }

  @Test
  void recordTooLargeToBeWrittenAgain_isADeadLetterThatRefersToIt() {
    serve(bikes, 1, 0, 0);
    start(bikes);
    byte[] value = new byte[ModelTopics.MAX_RECORD_BYTES];
    var headers = new RecordHeaders().add("trace", "1".getBytes(UTF_8));
    input().pipeInput(new TestRecord<>(KEY, value, headers));

    TestRecord<byte[], byte[]> letter = read("bikes.dead-letters");
    assertThat(letter.key()).isEqualTo(KEY);
    assertThat(letter.value()).isNull();
    assertThat(header(letter, "trace")).isEqualTo("1");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("LIMIT_EXCEEDED");
    assertThat(header(letter, DeadLetterMessage.TOPIC)).isEqualTo("bikes.records");
    assertThat(header(letter, DeadLetterMessage.PARTITION)).isEqualTo("0");
    assertThat(header(letter, DeadLetterMessage.OFFSET)).isEqualTo("0");
    assertThat(header(letter, DeadLetterMessage.VALUE_SHA256)).isEqualTo(Digest.of(value).hex());
    assertThat(header(letter, DeadLetterMessage.BYTES))
        .isEqualTo(Integer.toString(KEY.length + value.length + 6));
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .startsWith(
            "key, value and headers must be at most 900000 bytes together, which is"
                + " holdfast.models.bikes.topics.maxRecordBytes: 9000");
  }

  @Test
  void deadLetterWithinARaisedLimit_isWhole() {
    ModelSettings raised = Bikes.settings("topics.maxRecordBytes", "2000000");
    serve(raised, 1, 0, 0);
    start(raised);
    byte[] value = new byte[1_900_000];
    input().pipeInput(KEY, value);

    TestRecord<byte[], byte[]> letter = read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("UNKNOWN_FRAMING");
    assertThat(letter.value()).isEqualTo(value);
  }

  @Test
  void recordsAndLabels_haveOneOutcomeEach_andTheSumsAddUp() {
    serve(bikes, 1, 0, 0);
    start(bikes);
    List<byte @Nullable []> records = new ArrayList<>();
    for (Double label : Arrays.asList(3.0, null, Double.NaN, 1e300, -1e300, 4.0)) {
      records.add(Bikes.ride(25.0, "SUMMER", label, null));
    }
    records.add(Bikes.ride(25.0, "SUMMER", 1.0, -2.0));
    records.add("not avro".getBytes(UTF_8));
    records.add(null);
    records.forEach(record -> input().pipeInput(new TestRecord<>(KEY, record)));

    assertThat(all("bikes.scores")).hasSize(7);
    assertThat(all("bikes.examples")).as("each can be trained on").hasSize(2);
    assertThat(meters.get(ScoreMeters.SCORED).counter().count()).isEqualTo(7);
    assertThat(deadLetters("record")).as("with those scored: all").isEqualTo(2);
    assertThat(labels("USED")).isEqualTo(2);
    assertThat(labels("ABSENT")).isEqualTo(1);
    assertThat(labels("MALFORMED")).as("with the others: all that were scored").isEqualTo(4);
    assertThat(deadLetters("label")).isEqualTo(4);
    assertThat(all("bikes.dead-letters"))
        .extracting(
            letter ->
                header(letter, DeadLetterMessage.OF)
                    + " "
                    + header(letter, DeadLetterMessage.REASON))
        .containsExactly(
            "label BAD_LABEL",
            "label BAD_LABEL",
            "label BAD_LABEL",
            "label BAD_WEIGHT",
            "record UNKNOWN_FRAMING",
            "record NO_VALUE");
  }
}
