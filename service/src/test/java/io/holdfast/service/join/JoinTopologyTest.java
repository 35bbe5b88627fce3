package io.holdfast.service.join;

import static io.holdfast.service.TopologyRun.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.service.Bikes;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.label.OutcomeMeters;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Which label meets which record, when; see {@link JoinFixture}. */
final class JoinTopologyTest extends JoinFixture {
  @Test
  void recordAndLabel_makeAnExample() throws Exception {
    byte[] ride = Bikes.ride(25.0, "SUMMER", null, 2.0);
    record("a", ride, 1 * SECOND);
    label("a", 7, 4 * SECOND);

    TestRecord<byte[], byte[]> output = settled().read("bikes.examples");
    Example example = examples.decode(output.value());
    assertThat(output.key()).isEqualTo("a".getBytes(UTF_8));
    assertThat(output.timestamp()).isEqualTo(4 * SECOND);
    assertThat(example.getRecord().array()).isEqualTo(ride);
    assertThat(example.getLabel()).isEqualTo(7);
    assertThat(example.getEnvironment()).isEqualTo("SUMMER");
    assertThat(example.getWeight()).isEqualTo(2);
    assertThat(example.getServedVersion()).isEqualTo(3);
    assertThat(example.getServedHash().bytes()).isEqualTo(HASH);
    assertThat(example.getServedRawScores()).containsExactly(2.5);
    assertThat(example.getSourcePartition()).isZero();
    assertThat(example.getSourceOffset()).isZero();
    assertThat(count("USED")).isEqualTo(1);
    assertThat(deadLetters()).isEmpty();
  }

  /** An hour's wait must not become weeks, nor a label an orphan, for a producer's unit. */
  @Test
  void labelInMicros_meetsItsRecordInMilliseconds() throws Exception {
    Instant time = Instant.parse("2026-01-05T08:30:00Z");
    record("a", time.toEpochMilli());
    label("a", 7, 1_000 * time.plusSeconds(4).toEpochMilli());

    TestRecord<byte[], byte[]> example = settled().read("bikes.examples");
    assertThat(labelOf(example)).isEqualTo(7);
    assertThat(example.getRecordTime()).isEqualTo(time.plusSeconds(4));
    assertThat(troubles.of("bikes")).extracting(Trouble::kind).contains(TroubleKind.TIME_UNIT);
  }

  @Test
  void labelInMicros_thatIsTooLate_isLate() {
    Instant time = Instant.parse("2026-01-05T08:30:00Z");
    record("a", time.toEpochMilli());
    label("a", 7, 1_000 * time.plusSeconds(11).toEpochMilli());

    assertThat(settled().all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("LATE");
  }

  @Test
  void labelBeforeItsRecord_waitsForIt() throws Exception {
    label("a", 7, 2 * SECOND);
    settled();
    assertThat(pending("record")).isEqualTo(1);
    record("a", SECOND);

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
    assertThat(pending("record")).isZero();
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void labelThatOvertakesItsRecordsScore_waitsForIt_andDoesNotTakeAnOlderRecord() throws Exception {
    record("a", 1 * SECOND);
    settled();
    progress.hold(); // a newer record is in its topic and has not been scored
    label("a", 7, 9 * SECOND);
    assertThat(settled().all("bikes.examples")).isEmpty();
    assertThat(pending("scores")).isEqualTo(1);
    assertThat(waiting()).isEqualTo(1);

    record("a", 8 * SECOND);
    progress.release();

    Example example = examples.decode(settled().read("bikes.examples").value());
    assertThat(example.getSourceOffset()).isEqualTo(1);
    assertThat(used).as("told of").containsExactly(7.0);
    assertThat(pending("scores")).isZero();
    assertThat(waiting()).as("the older record").isEqualTo(1);
  }

  @Test
  void labelsHeldBackForLong_areATroubleUntilTheyGo() {
    record("a", 1 * SECOND);
    progress.hold();
    label("a", 7, 9 * SECOND);
    label("b", 7, 9 * SECOND);
    run.advance(JoinBacklog.PATIENCE);
    assertThat(troubles.all()).isEmpty();
    run.advance(Duration.ofSeconds(3));

    Trouble trouble = troubles.all().getFirst();
    assertThat(trouble.kind()).isEqualTo(TroubleKind.LABELS_HELD_BACK);
    assertThat(trouble.sentence())
        .matches(
            "2 labels are held back, the oldest for 3[0-9] s, until the records that were there"
                + " before them are scored; partition 0 of bikes.records is behind: see whether"
                + " scoring runs and keeps up");
    assertThat(meters.get(OutcomeMeters.LABELS_HELD).gauge().value()).isBetween(30.0, 40.0);

    progress.release();
    run.advance(Duration.ofSeconds(3));
    assertThat(troubles.all()).isEmpty();
    assertThat(run.all("bikes.examples")).hasSize(1);
  }

  @Test
  void labelsThatCameWhileOthersWereHeld_waitNoLongerThanTheyMust() {
    progress.hold();
    record("a", SECOND);
    label("a", 7, SECOND);
    settled();
    record("b", SECOND);
    label("b", 7, SECOND);
    settled();
    progress.passOne();

    assertThat(settled().all("bikes.examples")).hasSize(1);
    progress.passOne();
    assertThat(settled().all("bikes.examples")).hasSize(1);
  }

  @Test
  void secondLabel_isADuplicate() {
    record("a", SECOND);
    label("a", 7, 2 * SECOND);
    label("a", 8, 3 * SECOND);

    assertThat(settled().all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("DUPLICATE");
  }

  @Test
  void secondLabelBeforeTheRecord_isADuplicate() throws Exception {
    label("a", 7, SECOND);
    label("a", 8, 2 * SECOND);
    settled();
    record("a", 3 * SECOND);

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
    assertThat(deadLetters()).containsExactly("DUPLICATE");
  }

  @Test
  void labelAtTheEndOfTheWait_isUsedAndAfterItLate() {
    record("a", SECOND);
    record("b", SECOND);
    label("a", 7, 11 * SECOND);
    label("b", 7, 11 * SECOND + 1);

    assertThat(settled().all("bikes.examples")).hasSize(1);
    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("LATE");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo(
            "the label's time 1970-01-01T00:00:11.001Z is more than labels.wait, 10 s, after its"
                + " record's, 1970-01-01T00:00:01Z");
  }

  @Test
  void recordGivenUp_makesItsLabelLate_andLaterAnOrphan() {
    record("a", SECOND);
    run.advance(WAIT);
    assertThat(withoutLabel("UNLABELLED")).isEqualTo(1);
    label("a", 7, SECOND);
    TestRecord<byte[], byte[]> letter = settled().read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("LATE");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo(
            "the label came when its record, of 1970-01-01T00:00:01Z, had been given up after"
                + " labels.wait, 10 s");

    run.advance(WAIT);
    label("a", 7, SECOND);
    assertThat(settled().all("bikes.dead-letters")).isEmpty();
    run.advance(WAIT);
    assertThat(deadLetters()).containsExactly("ORPHAN");
  }

  @Test
  void oneRecordFarAhead_movesNoTime() throws Exception {
    long now = run.now();
    record("a", now);
    record("b", now + 3_000 * SECOND);
    label("a", 7, now + SECOND);
    label("b", 8, now + SECOND);

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void eventsOfThePast_areGivenUpAsTheirTimeGoesOn_notByTheClock() {
    for (int i = 0; i < 1_000; i++) {
      record("r" + i, i * SECOND);
      label("l" + i, 7, i * SECOND);
      if (i % 3 == 0) {
        label("r" + i, 7, i * SECOND);
      }
    }
    settled();
    run.advance(Duration.ofSeconds(2));

    // The newest 256 of each side, three waits, and what is between two barriers.
    assertThat(held()).isLessThan(2_500);
    assertThat(count("ORPHAN")).isGreaterThan(600);
    assertThat(count("USED")).isEqualTo(334);
    run.advance(WAIT);
    run.advance(WAIT);
    assertThat(held()).isZero();
  }

  @Test
  void aFewFarAheadAmongEventsOfThePast_giveNothingUp() throws Exception {
    for (int i = 0; i < 300; i++) {
      boolean ahead = i % 40 == 39;
      record("r" + i, i + (ahead ? 3_000 * SECOND : 0));
      label("x" + i, 7, i + (ahead ? 3_000 * SECOND : 0));
    }
    settled();
    run.advance(Duration.ofSeconds(2));
    label("r7", 7, 1_000);

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
  }

  @Test
  void orphan_keepsItsKeyValueHeadersAndTime() {
    byte[] value = labels.encode(new Label(7.0, null, null));
    var headers = new RecordHeaders().add("trace", "1".getBytes(UTF_8));
    run.input("bikes.labels")
        .pipeInput(
            new TestRecord<>("a".getBytes(UTF_8), value, headers, Instant.ofEpochMilli(SECOND)));
    settled();
    run.advance(WAIT);

    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(letter.key()).isEqualTo("a".getBytes(UTF_8));
    assertThat(letter.value()).isEqualTo(value);
    assertThat(header(letter, DeadLetterMessage.TIMESTAMP)).isEqualTo("" + SECOND);
    assertThat(header(letter, "trace")).isEqualTo("1");
    assertThat(header(letter, DeadLetterMessage.TOPIC)).isEqualTo("bikes.labels");
    assertThat(header(letter, DeadLetterMessage.OFFSET)).isEqualTo("0");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("ORPHAN");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo(
            "no record of its id with a time within labels.wait, 10 s, of the label's,"
                + " 1970-01-01T00:00:01Z, came while it waited");
  }

  @Test
  void sameKeyAgain_labelTakesTheNewestRecordNotAfterIt() throws Exception {
    record("a", SECOND);
    record("a", 2 * SECOND);
    record("a", 5 * SECOND);
    label("a", 7, 3 * SECOND);

    assertThat(sourceOf(settled().read("bikes.examples"))).isEqualTo(1);
    run.advance(WAIT);
    assertThat(withoutLabel("SUPERSEDED")).isEqualTo(1);
    assertThat(withoutLabel("UNLABELLED")).isEqualTo(1);
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void labelsOutOfOrder_takeEachItsOwnRecord() throws Exception {
    for (int i = 0; i < 3; i++) {
      record("a", (3 * i + 1) * SECOND);
    }
    for (int i : new int[] {2, 0, 1}) {
      label("a", i, (3 * i + 2) * SECOND);
    }

    settled();
    for (int i : new int[] {2, 0, 1}) {
      Example example = examples.decode(run.read("bikes.examples").value());
      assertThat(example.getSourceOffset()).isEqualTo(i);
      assertThat(example.getLabel()).isEqualTo(i);
    }
  }

  @Test
  void recordThatWasNeverScored_makesItsLabelUnscored() {
    record("a", SECOND);
    send("a", new JoinInput.Unscored(0, sent++, 2 * SECOND));
    label("a", 7, 3 * SECOND);

    assertThat(settled().all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("UNSCORED");
  }

  @Test
  void labelFarAheadOfTheClock_countsAsOfNow() throws Exception {
    long now = run.now();
    record("a", now);
    label("a", 7, now + 3_000 * SECOND);

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
    assertThat(troubles.isActive("bikes", TroubleKind.CLOCK_AHEAD)).isTrue();
  }

  @Test
  void persistentStore_joinsToo() {
    run.close();
    run =
        new TopologyRun(
            JoinTopology.of(
                settings,
                new JoinFramings(
                    Bikes.FRAMING,
                    RecordFraming.of(Bikes.FRAMING),
                    WrittenFramings.SINGLE.examples()),
                meters,
                troubles,
                progress,
                used::add));
    record("a", SECOND);
    label("a", 7, 2 * SECOND);
    label("b", 7, 2 * SECOND);
    settled();
    run.advance(WAIT);

    assertThat(run.all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("ORPHAN");
  }

  @Test
  void restartedTopology_showsItsFigures() {
    label("a", 7, SECOND);
    settled();
    assertThat(pending("record")).isEqualTo(1);
    run.close();
    run = start();

    assertThat(pending("record")).isZero();
    label("a", 7, SECOND);
    settled();
    assertThat(pending("record")).isEqualTo(1);
  }
}
