package io.holdfast.service.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Bikes;
import io.holdfast.service.model.ActiveModel;
import io.micrometer.core.instrument.Counter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

final class ScoringTopologyTest extends ScoringFixture {
  @Test
  void record_givesOneScoreOfTheServingVersion() throws Exception {
    ActiveModel model = serve(bikes, 3, -1, 2);

    byte[] scored = send(bikes, Bikes.ride(25, "SUMMER")).read("bikes.scores").value();

    Score score = Contracts.SCORE.decode(scored);
    assertThat(score.getModel()).isEqualTo("bikes");
    assertThat(score.getVersion()).isEqualTo(3);
    assertThat(score.getModelHash().bytes()).isEqualTo(model.hashBytes());
    assertThat(score.getRawScores()).containsExactly(2.5);
    assertThat(score.getPrediction()).isEqualTo(2.5);
    assertThat(score.getProbabilities()).isEmpty();
    assertThat(score.getSourceTopic()).isEqualTo("bikes.records");
    assertThat(score.getSourcePartition()).isZero();
    assertThat(score.getSourceOffset()).isZero();
    assertThat(all("bikes.scores")).isEmpty();
    assertThat(all("bikes.dead-letters")).isEmpty();
  }

  /** What is learned, and what waits for a label, goes by milliseconds, whatever the producer. */
  @Test
  void timestampInMicros_givesScoreAndExampleOfTheTimeThatItMeans() {
    serve(bikes, 3, -1, 2);
    start(bikes);
    Instant time = Instant.parse("2026-01-05T08:30:00Z");
    input()
        .pipeInput(
            KEY,
            Bikes.ride(25.0, "SUMMER", 7.0, null),
            Instant.ofEpochMilli(1_000 * time.toEpochMilli()));

    assertThat(read("bikes.scores").getRecordTime()).isEqualTo(time);
    assertThat(read("bikes.examples").getRecordTime()).isEqualTo(time);
  }

  @Test
  void scores_ofClasses_sayWhatToExpectBeforeLabels() {
    serve(binary, 1, -1, 2);
    send(binary, Bikes.ride(25, "SUMMER"));

    double accuracy = meters.get(LiveExpectation.NAME).tag("metric", "accuracy").gauge().value();
    assertThat(accuracy).isBetween(0.5, 1.0);
    assertThat(meters.get(LiveExpectation.NAME).tag("metric", "logLoss").gauge().value())
        .isBetween(0.0, Math.log(2));
  }

  @Test
  void scores_ofValues_sayNothing() {
    serve(bikes, 3, -1, 2);
    send(bikes, Bikes.ride(25, "SUMMER"));

    assertThat(meters.find(LiveExpectation.NAME).gauges()).isEmpty();
  }

  @Test
  void score_isEncodedAsAvroItselfEncodesIt() throws Exception {
    serve(binary, 1, -1, 2);

    byte[] scored = send(binary, Bikes.ride(25, "SUMMER")).read("bikes.scores").value();

    var codec = Contracts.SCORE;
    assertThat(codec.encode(codec.decode(scored))).isEqualTo(scored);
  }

  @Test
  void binaryObjective_givesProbabilities() throws Exception {
    serve(binary, 1, -1, 2);

    byte[] scored = send(binary, Bikes.ride(25, "SUMMER")).read("bikes.scores").value();

    Score score = Contracts.SCORE.decode(scored);
    double probability = 1 / (1 + Math.exp(-2.5));
    assertThat(score.getPrediction()).isCloseTo(probability, within(1e-15));
    assertThat(score.getProbabilities()).hasSize(2);
    assertThat(score.getProbabilities().get(0)).isCloseTo(1 - probability, within(1e-15));
    assertThat(score.getProbabilities().get(1)).isEqualTo(score.getPrediction());
  }

  @Test
  void newVersion_scoresTheRecordsAfterIt() throws Exception {
    serve(bikes, 1, 0, 0);
    start(bikes);

    input().pipeInput(KEY, Bikes.ride(25, "SUMMER"));
    serve(bikes, 2, 0, 4);
    input().pipeInput(KEY, Bikes.ride(25, "SUMMER"));

    var codec = Contracts.SCORE;
    Score before = codec.decode(read("bikes.scores").value());
    Score after = codec.decode(read("bikes.scores").value());
    assertThat(before.getVersion()).isEqualTo(1);
    assertThat(before.getPrediction()).isEqualTo(0.5);
    assertThat(after.getVersion()).isEqualTo(2);
    assertThat(after.getPrediction()).isEqualTo(4.5);
    assertThat(after.getSourceOffset()).isEqualTo(1);
  }

  @Test
  void shadow_scoresTheSameRecordsUnderItsOwnVersionAndHash() throws Exception {
    serve(bikes, 3, -1, 2);
    ActiveModel shadowing = Bikes.active(4, bikes, 0, 7);
    shadow.put(bikes.name(), shadowing);
    start(bikes);

    input().pipeInput(KEY, Bikes.ride(25, "SUMMER"), 42);
    shadow.clear();
    input().pipeInput(KEY, Bikes.ride(25, "SUMMER"), 43);

    Score served = Contracts.SCORE.decode(read("bikes.scores").value());
    TestRecord<byte[], byte[]> beside = read("bikes.shadow-scores");
    Score shadowed = Contracts.SCORE.decode(beside.value());
    assertThat(served.getVersion()).isEqualTo(3);
    assertThat(served.getPrediction()).isEqualTo(2.5);
    assertThat(shadowed.getVersion()).isEqualTo(4);
    assertThat(shadowed.getModelHash().bytes()).isEqualTo(shadowing.hashBytes());
    assertThat(shadowed.getPrediction()).isEqualTo(7.5);
    assertThat(shadowed.getSourceOffset()).isEqualTo(served.getSourceOffset());
    assertThat(beside.key()).isEqualTo(KEY);
    assertThat(beside.timestamp()).isEqualTo(42L);
    assertThat(all("bikes.shadow-scores")).as("without a shadow").isEmpty();
    assertThat(meters.get("holdfast.shadow.scored").counter().count()).isEqualTo(1);
  }

  @Test
  void shadowThatCannotScore_isCountedAndTheRecordHasItsScore() {
    serve(bikes, 3, -1, 2);
    LedgerVersion version = Bikes.version(4, bikes, 0, 0);
    Model readsTheId = new Model(new Squared(), List.of(new Feature.Numeric("id")), 0, List.of());
    shadow.put(
        bikes.name(),
        new ActiveModel(
            new LedgerVersion(version.manifest(), version.hash(), List.of(), readsTheId)));

    send(bikes, Bikes.ride(25, "SUMMER"));

    assertThat(all("bikes.scores")).hasSize(1);
    assertThat(all("bikes.shadow-scores")).isEmpty();
    assertThat(all("bikes.dead-letters")).isEmpty();
    assertThat(meters.get("holdfast.shadow.failed").counters())
        .extracting(Counter::count)
        .filteredOn(count -> count > 0)
        .containsExactly(1.0);
  }

  @Test
  void missingValue_goesWhereTheTreeSends() throws Exception {
    serve(bikes, 1, -1, 2);

    byte[] scored =
        send(bikes, Bikes.ride(null, "SUMMER", null, null)).read("bikes.scores").value();

    assertThat(Contracts.SCORE.decode(scored).getPrediction()).isEqualTo(-0.5);
  }

  @Test
  void recordWithItsLabel_givesAnExample() throws Exception {
    ActiveModel model = serve(bikes, 3, -1, 2);
    byte[] ride = Bikes.ride(25.0, "SUMMER", 7.0, 2.0);

    byte[] bytes = send(bikes, ride).read("bikes.examples").value();

    var codec = Contracts.EXAMPLE;
    Example example = codec.decode(bytes);
    assertThat(codec.encode(example)).isEqualTo(bytes);
    assertThat(example.getRecord().array()).isEqualTo(ride);
    assertThat(example.getLabel()).isEqualTo(7);
    assertThat(example.getEnvironment()).isEqualTo("SUMMER");
    assertThat(example.getAnchors()).isEmpty();
    assertThat(example.getWeight()).isEqualTo(2);
    assertThat(example.getServedVersion()).isEqualTo(3);
    assertThat(example.getServedHash().bytes()).isEqualTo(model.hashBytes());
    assertThat(example.getServedRawScores()).containsExactly(2.5);
    assertThat(example.getSourceOffset()).isZero();
    assertThat(labels("USED")).isEqualTo(1);
  }

  @Test
  void recordWithNullLabel_isScoredAndCountedAbsent() {
    serve(bikes, 1, 0, 0);

    send(bikes, Bikes.ride(25, "SUMMER"));

    assertThat(all("bikes.scores")).hasSize(1);
    assertThat(all("bikes.examples")).isEmpty();
    assertThat(all("bikes.dead-letters")).isEmpty();
    assertThat(labels("ABSENT")).isEqualTo(1);
  }

  @Test
  void labelsInATopic_giveNoExamplesHere() {
    serve(binary, 1, 0, 0);

    send(binary, Bikes.ride(25.0, "SUMMER", 1.0, null));

    assertThat(all("bikes.scores")).hasSize(1);
    assertThat(all("bikes.examples")).isEmpty();
    assertThat(all("bikes.dead-letters")).isEmpty();
  }

  @Test
  void modelsOfOneTopic_scoreItEach() {
    ModelSettings first = Bikes.settings();
    ModelSettings second =
        ModelSettings.of(
            "cold",
            Map.of("objective", "squared", "label", "count", "topics.records", "bikes.records"),
            key -> key);
    serve(first, 1, 0, 0);
    active.put("cold", Bikes.active(5, second, 0, 0));

    start(first, second);
    input().pipeInput(KEY, Bikes.ride(25, "SUMMER"));

    assertThat(all("bikes.scores")).hasSize(1);
    assertThat(all("cold.scores")).hasSize(1);
  }

  @Test
  void startBeforeAnyVersion_isABugThatStopsTheTask() {
    start(bikes);

    assertThatThrownBy(() -> input().pipeInput(KEY, Bikes.ride(25, "SUMMER")))
        .isInstanceOf(StreamsException.class)
        .hasRootCauseMessage("scoring was started before model bikes had a verified version");
  }
}
