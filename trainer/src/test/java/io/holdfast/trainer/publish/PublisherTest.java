package io.holdfast.trainer.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Framings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class PublisherTest {
  private static final ModelTopics MODEL_TOPICS =
      new ModelTopics("r", "s", "l", "e", "d", "h", "j", 900_000, Framings.DETECTED);
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);
  private static final Settings.SharedTopics TOPICS =
      new Settings.SharedTopics("models", "reports", "schemas");

  private static final LearnedTopic TOPIC = new LearnedTopic(new Uuid(1, 2), 0, 0);

  private static final ConsumerGroupMetadata GROUP =
      new MockConsumer<byte[], byte[]>("earliest").groupMetadata();

  private final ModelSettings model = ExampleStream.settings(Map.of());
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Publisher publisher =
      new Publisher(producer, TOPICS, model, GROUP, ReportFramings.single());
  private final TrainerCore core = new TrainerCore(model, ExampleStream.framing());

  @Test
  void window_isPublishedWithItsOffsets_inOneTransaction() throws Exception {
    TrainerEvent.Concluded concluded = concluded();
    publisher.open();
    var example = new ConsumerRecord<>("m.examples", 1, 7, "k".getBytes(UTF_8), new byte[] {9});
    example.headers().add("theirs", new byte[] {1});

    Publisher.Result result =
        publisher.publish(
            List.of(
                new Publisher.Conclusion(
                    concluded,
                    List.of(
                        new DeadLetter(
                            example, new Refusal("BAD_LABEL", "labels must be 0 or 1: 3.0"))))),
            TOPIC);

    assertThat(result).isEqualTo(new Publisher.Result.Committed());
    assertThat(producer.commitCount()).isEqualTo(1);
    assertThat(producer.history())
        .extracting(record -> record.topic() + " " + new String(record.key(), UTF_8))
        .satisfiesExactly(
            segment -> assertThat(segment).startsWith("models m/segment/"),
            manifest -> assertThat(manifest).isEqualTo("models m/version/1"),
            past -> assertThat(past).isEqualTo("models m/heads/2"),
            head -> assertThat(head).isEqualTo("models m/head"),
            report -> assertThat(report).isEqualTo("reports m"),
            letter -> assertThat(letter).isEqualTo("m.dead-letters k"));
    assertThat(Contracts.REPORT.decode(producer.history().get(4).value()))
        .isEqualTo(concluded.report());
    assertThat(headers(producer.history().get(5)))
        .containsEntry("theirs", "\u0001")
        .containsEntry("__streams.errors.topic", "m.examples")
        .containsEntry("__streams.errors.partition", "1")
        .containsEntry("__streams.errors.offset", "7")
        .containsEntry("__streams.errors.message", "labels must be 0 or 1: 3.0")
        .containsEntry("holdfast.reason", "BAD_LABEL");
    assertThat(producer.consumerGroupOffsetsHistory())
        .containsExactly(
            Map.of(
                GROUP.groupId(),
                Map.of(
                    new TopicPartition("m.examples", 0),
                    new OffsetAndMetadata(40, "window=1 version=1 since=40"),
                    new TopicPartition("models", 0),
                    new OffsetAndMetadata(0, noted(concluded)))));
  }

  private static String noted(TrainerEvent.Concluded concluded) {
    Progress progress = concluded.progress();
    return TOPIC.at(progress.window(), null, progress.trials()).toString();
  }

  /** The oldest schema that says all of a report differs from report to report. */
  @Test
  void report_isFramedByTheSchemaThatItIsWrittenBy() throws Exception {
    WindowReport plain =
        WindowReport.newBuilder(concluded().report()).setExpected(null).setReason(null).build();
    WindowReport covered =
        WindowReport.newBuilder(plain)
            .setCoverage(List.of(new LevelCoverage(0.9, 100L, 0.91, 2.5)))
            .build();
    var expected = new ExpectedReport(Map.of(), Map.of(), 9L, Map.of(), Map.of(), null, null);
    WindowReport ranged =
        WindowReport.newBuilder(plain)
            .setExpected(
                ExpectedReport.newBuilder(expected)
                    .setLow(Map.of("rmse", 1.0))
                    .setHigh(Map.of("rmse", 2.0))
                    .build())
            .build();

    ReportFramings framings = ReportFramings.single();
    for (WindowReport report : List.of(plain, covered, ranged)) {
      byte[] framed = framings.of(report).frame(Contracts.REPORT.encodeBody(report));
      assertThat(Contracts.REPORT.decode(framed)).isEqualTo(report);
    }
  }

  @Test
  void windowsThatFollowEachOther_arePublishedInOrder_withTheOffsetsOfTheLast() {
    TrainerEvent.Concluded first = concluded();
    core.apply(first);
    for (LabelledRow row : ExampleStream.rows(1, 80, 1).subList(40, 80)) {
      assertThat(core.add(row)).isEmpty();
    }
    TrainerEvent.Concluded second = core.decide(core.completeWindow().orElseThrow(), TIME);
    publisher.open();

    publisher.publish(
        List.of(
            new Publisher.Conclusion(first, List.of()),
            new Publisher.Conclusion(second, List.of())),
        TOPIC);

    assertThat(producer.commitCount()).isEqualTo(1);
    assertThat(producer.history())
        .extracting(record -> new String(record.key(), UTF_8))
        .filteredOn(key -> key.startsWith("m/version/") || key.equals("m"))
        .containsExactly("m/version/1", "m", "m/version/2", "m");
    assertThat(producer.consumerGroupOffsetsHistory())
        .containsExactly(
            Map.of(
                GROUP.groupId(),
                Map.of(
                    new TopicPartition("m.examples", 0),
                    new OffsetAndMetadata(80, "window=2 version=2 since=80"),
                    new TopicPartition("models", 0),
                    new OffsetAndMetadata(0, noted(second)))));
  }

  @Test
  void deadLetter_tooLargeToSend_refersToItByPlaceAndHash() {
    byte[] value = new byte[999_990];
    byte[] key = "key-of-some-length".getBytes(UTF_8);
    var example = new ConsumerRecord<>("m.examples", 1, 7, key, value);

    ProducerRecord<byte[], byte[]> letter =
        new DeadLetter(example, new Refusal("BAD_WEIGHT", "weights must be above 0: 0.0"))
            .toRecord(MODEL_TOPICS);

    assertThat(letter.topic()).isEqualTo("d");
    assertThat(letter.key()).isEqualTo(key);
    assertThat(letter.value()).isNull();
    assertThat(headers(letter))
        .containsEntry("holdfast.of", "example")
        .containsEntry("holdfast.bytes", "1000008")
        .containsEntry("holdfast.value.sha256", Digest.of(value).hex())
        .containsEntry("__streams.errors.offset", "7");
  }

  @Test
  void deadLetter_ofAnOldExample_isOfNowAndSaysTheTimeOfTheExample() {
    var example =
        new ConsumerRecord<>(
            "m.examples",
            1,
            7,
            1_700_000_000_000L,
            TimestampType.CREATE_TIME,
            0,
            0,
            new byte[0],
            new byte[0],
            new RecordHeaders(),
            Optional.empty());

    ProducerRecord<byte[], byte[]> letter =
        new DeadLetter(example, new Refusal("BAD_WEIGHT", "weights must be above 0: 0.0"))
            .toRecord(MODEL_TOPICS);

    assertThat(letter.timestamp()).as("the producer's clock").isNull();
    assertThat(headers(letter)).containsEntry("holdfast.timestamp", "1700000000000");
  }

  @Test
  void deadLetter_sentInAgain_saysTheNewestReasonAlone() {
    var example = new ConsumerRecord<>("m.examples", 1, 7, new byte[0], new byte[0]);
    example.headers().add("holdfast.reason", "OLDER".getBytes(UTF_8));

    assertThat(
            new DeadLetter(
                    example, new Refusal("BAD_WEIGHT", "weights must be finite and above 0: 0.0"))
                .toRecord(MODEL_TOPICS)
                .headers()
                .headers("holdfast.reason"))
        .hasSize(1)
        .allSatisfy(
            header -> assertThat(new String(header.value(), UTF_8)).isEqualTo("BAD_WEIGHT"));
  }

  @Test
  void trainer_thatAnotherFenced_isToldSo() {
    TrainerEvent.Concluded concluded = concluded();
    publisher.open();
    producer.fenceProducer();

    assertThat(publisher.publish(List.of(new Publisher.Conclusion(concluded, List.of())), TOPIC))
        .isEqualTo(new Publisher.Result.Fenced());
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void fencing_thatShowsInTheAbort_isFencing() {
    TrainerEvent.Concluded concluded = concluded();
    publisher.open();
    producer.commitTransactionException = new InvalidProducerEpochException("old");
    producer.abortTransactionException = new ProducerFencedException("old");

    assertThat(publisher.publish(List.of(new Publisher.Conclusion(concluded, List.of())), TOPIC))
        .isEqualTo(new Publisher.Result.Fenced());
  }

  @Test
  void failure_wrappingAFence_isFencing() {
    producer.initTransactionException =
        new KafkaException("in error state", new ProducerFencedException("old"));

    assertThat(publisher.open()).isEqualTo(new Publisher.Result.Fenced());
  }

  @Test
  void transaction_thatFails_isAbortedAndPublishesNothing() {
    TrainerEvent.Concluded concluded = concluded();
    publisher.open();
    producer.commitTransactionException = new KafkaException("a record was too large");

    assertThat(publisher.publish(List.of(new Publisher.Conclusion(concluded, List.of())), TOPIC))
        .isInstanceOfSatisfying(
            Publisher.Result.Failed.class,
            failed -> assertThat(failed.cause().getMessage()).contains("a record was too large"));
    assertThat(producer.transactionAborted()).isTrue();
    assertThat(producer.history()).isEmpty();
  }

  /** Kafka's client refuses to abort a commit that timed out: it may have come through. */
  @Test
  void commit_thatTimesOut_isAFailureOfThisSessionOnly() {
    TrainerEvent.Concluded concluded = concluded();
    publisher.open();
    producer.commitTransactionException = new TimeoutException("no answer");
    producer.abortTransactionException = new IllegalStateException("commit must be retried");

    assertThat(publisher.publish(List.of(new Publisher.Conclusion(concluded, List.of())), TOPIC))
        .isInstanceOf(Publisher.Result.Failed.class);
  }

  private TrainerEvent.Concluded concluded() {
    core.apply(core.begin(ExampleStream.SCHEMA, TIME));
    for (LabelledRow row : ExampleStream.rows(1, 40, 1)) {
      assertThat(core.add(row)).isEmpty();
    }
    return core.decide(core.completeWindow().orElseThrow(), TIME);
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    record.headers().forEach(h -> headers.put(h.key(), new String(h.value(), UTF_8)));
    return headers;
  }
}
