package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Bikes;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.model.ActiveModel;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records that were polled together, and then processed one by one on the same thread. */
final class ScoreAheadTest {
  private static final byte[] KEY = "ride-1".getBytes(UTF_8);
  private static final int BLOCK = 3 * ScoreAhead.MAX_BLOCK / 2;

  private final ModelSettings bikes = Bikes.settings("labels.in", "topic");
  private final Map<String, ActiveModel> active = new HashMap<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ScoreAhead ahead =
      new ScoreAhead(List.of(bikes), RecordFraming.of(Bikes.FRAMING), active::get, meters, null);

  @Test
  void polledRecords_haveTheScoresThatTheyHaveOneByOne() {
    serve(Bikes.active(3, bikes, -1, 2));
    List<byte @Nullable []> rides = rides(BLOCK);

    poll(0, rides);
    List<byte[]> scores = process(rides);
    double blocks = timed();

    assertThat(scores).containsExactlyElementsOf(oneByOne(rides));
    assertThat(blocks).as("blocks timed, and no single record").isEqualTo(2);
  }

  @Test
  void valuesBeyondWhatTheLinearBaseLearnedFrom_areCounted() {
    LedgerVersion version = Bikes.version(3, bikes, 0, 0);
    Model line =
        new Model(
            version.model().objective(),
            version.model().features(),
            Base.linear(
                new double[] {0}, List.of(new LinearTerm.Numeric(0, 0, new InputRange(10, 30), 1))),
            List.of());
    serve(new ActiveModel(new LedgerVersion(version.manifest(), version.hash(), List.of(), line)));
    List<byte @Nullable []> polled = rides(41); // 0 to 40 degrees, every seventh missing
    List<byte @Nullable []> single = List.of(Bikes.ride(31.0, "SUMMER"), Bikes.ride(30, "SUMMER"));

    poll(0, polled);
    process(polled);
    process(single);

    assertThat(meters.get(ScoreMeters.CLIPPED).counter().count()).isEqualTo(8 + 9 + 1);
  }

  @Test
  void howSureScoresAre_isTheSameAheadAndOneByOne() throws Exception {
    serve(UncertainScoresTest.active(bikes, -1, 2));
    List<byte @Nullable []> rides = rides(BLOCK);

    poll(0, rides);

    assertThat(timed()).isPositive();
    List<byte[]> scores = process(rides);
    assertThat(scores).containsExactlyElementsOf(oneByOne(rides));
    assertThat(Contracts.SCORE.decode(scores.getFirst()).getUncertainty()).isNotNull();
  }

  @Test
  void fewRecords_areScoredOneByOne() {
    serve(Bikes.active(3, bikes, -1, 2));
    List<byte @Nullable []> rides = rides(ScoreAhead.MIN_BLOCK - 1);

    poll(0, rides);

    assertThat(timed()).isZero();
    assertThat(process(rides)).containsExactlyElementsOf(oneByOne(rides));
  }

  @Test
  void badRecordsAmongOthers_areDeadLettersInTheirOrder() {
    serve(Bikes.active(3, bikes, -1, 2));
    List<byte @Nullable []> rides = rides(100);
    rides.set(7, "not avro".getBytes(UTF_8));
    rides.set(8, null);
    rides.set(50, Arrays.copyOf(Bikes.ride(1, "SUMMER"), 20));

    poll(0, rides);
    try (TopologyRun run = run()) {
      rides.forEach(ride -> run.input("bikes.records").pipeInput(new TestRecord<>(KEY, ride)));

      assertThat(run.all("bikes.scores")).hasSize(97);
      assertThat(run.all("bikes.dead-letters"))
          .extracting(
              letter ->
                  TopologyRun.header(letter, DeadLetterMessage.OFFSET)
                      + " "
                      + TopologyRun.header(letter, DeadLetterMessage.REASON))
          .containsExactly("7 UNKNOWN_FRAMING", "8 NO_VALUE", "50 TRUNCATED");
    }
  }

  @Test
  void scoresOfAPollBeforeASwap_goOutAsTheyAreAndNameTheirVersion() throws Exception {
    serve(Bikes.active(1, bikes, 0, 0));
    List<byte @Nullable []> before = rides(BLOCK);
    List<byte @Nullable []> after = rides(40);
    List<byte[]> scores = new ArrayList<>();
    try (TopologyRun run = run()) {
      poll(0, before);
      double timed = timed();
      scores.addAll(scores(run, before.subList(0, 10)));
      serve(Bikes.active(2, bikes, 4, 4));
      scores.addAll(scores(run, before.subList(10, BLOCK)));
      assertThat(timed()).as("no record is scored again").isEqualTo(timed);
      poll(BLOCK, after);
      scores.addAll(scores(run, after));
    }

    assertVersions(scores, BLOCK, BLOCK + 40);
  }

  @Test
  void recordsThatWereNotScoredAhead_areScoredByWhatServesByThen() throws Exception {
    serve(Bikes.active(1, bikes, 0, 0));
    List<byte @Nullable []> rides = rides(39 + ScoreAhead.MIN_BLOCK);
    poll(0, rides.subList(0, 40));
    poll(40, rides.subList(40, rides.size()));

    serve(Bikes.active(2, bikes, 4, 4));

    assertVersions(process(rides), 40, rides.size());
  }

  private static void assertVersions(List<byte[]> scores, int byTheFirst, int all)
      throws Exception {
    assertThat(scores).hasSize(all);
    for (int i = 0; i < all; i++) {
      Score score = Contracts.SCORE.decode(scores.get(i));
      assertThat(score.getSourceOffset()).isEqualTo(i);
      assertThat(score.getVersion()).isEqualTo(i < byTheFirst ? 1 : 2);
      assertThat(score.getPrediction()).isEqualTo(i < byTheFirst ? 0.5 : 4.5);
    }
  }

  @Test
  void pollBeforeAnyVersion_isLeftAlone() {
    poll(0, rides(40));

    assertThat(timed()).isZero();
  }

  @Test
  void recordsOfAnEarlierPollThatWereNeverProcessed_changeNothing() {
    serve(Bikes.active(3, bikes, -1, 2));
    List<byte @Nullable []> rides = rides(60);

    poll(500, rides(40));
    poll(0, rides);

    assertThat(process(rides)).containsExactlyElementsOf(oneByOne(rides));
  }

  @Test
  void users_interceptorsStay() {
    Properties properties = new Properties();
    properties.put("interceptor.classes", "com.example.Traces");

    ahead.addTo(properties);

    assertThat(properties)
        .containsEntry(
            "main.consumer.interceptor.classes",
            "com.example.Traces," + ScoreAhead.Interceptor.class.getName())
        .containsEntry("interceptor.classes", "com.example.Traces");
  }

  private void serve(ActiveModel model) {
    active.put(Bikes.NAME, model);
  }

  private static List<byte @Nullable []> rides(int count) {
    List<byte @Nullable []> rides = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rides.add(Bikes.ride(i % 7 == 0 ? null : (double) (i % 41), "SUMMER", null, null));
    }
    return rides;
  }

  private void poll(long firstOffset, List<byte @Nullable []> values) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (byte @Nullable [] value : values) {
      records.add(
          new ConsumerRecord<>("bikes.records", 0, firstOffset + records.size(), KEY, value));
    }
    var interceptor = new ScoreAhead.Interceptor();
    interceptor.configure(Map.of(ScoreAhead.SETTING, ahead));
    var polled =
        new ConsumerRecords<>(Map.of(new TopicPartition("bikes.records", 0), records), Map.of());
    assertThat(interceptor.onConsume(polled)).isSameAs(polled);
    interceptor.close();
  }

  private TopologyRun run() {
    return new TopologyRun(
        ScoringTopology.of(
            List.of(bikes),
            RecordFraming.of(Bikes.FRAMING),
            WrittenFramings.SINGLE,
            active::get,
            meters,
            TopologyRun.troubles(),
            ahead));
  }

  private List<byte[]> process(List<byte @Nullable []> rides) {
    try (TopologyRun run = run()) {
      return scores(run, rides);
    }
  }

  private List<byte[]> oneByOne(List<byte @Nullable []> rides) {
    try (TopologyRun run =
        new TopologyRun(
            ScoringTopology.of(
                List.of(bikes),
                RecordFraming.of(Bikes.FRAMING),
                WrittenFramings.SINGLE,
                active::get,
                new SimpleMeterRegistry(),
                TopologyRun.troubles(),
                null))) {
      return scores(run, rides);
    }
  }

  private static List<byte[]> scores(TopologyRun run, List<byte @Nullable []> rides) {
    rides.forEach(ride -> run.input("bikes.records").pipeInput(new TestRecord<>(KEY, ride)));
    return run.all("bikes.scores").stream().map(TestRecord::value).toList();
  }

  private double timed() {
    Timer timer = meters.find(ScoreMeters.LATENCY).timer();
    return timer == null ? 0 : timer.count();
  }
}
