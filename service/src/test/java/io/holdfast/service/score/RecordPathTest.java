package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.Bikes;
import io.holdfast.service.correlate.IdText;
import io.holdfast.service.model.ActiveModel;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a record's bytes to its score's, without Kafka. */
final class RecordPathTest {
  private static final int RECORDS = 20_000;
  private static final int ARRAY_HEADER = 16;

  private static final byte[] ID = "ride-1".getBytes(UTF_8);

  private final ModelSettings bikes = Bikes.settings("objective", "logistic", "classes", "no,yes");
  private final ActiveModel model = Bikes.active(3, bikes, -1, 2);
  private final RecordScorer scorer = new RecordScorer();
  private final ScoreEncoder encoder =
      new ScoreEncoder(WrittenFramings.SINGLE.scores(), "bikes.records");

  @Test
  void record_allocatesTheBytesOfItsScoreAndNothingElse() throws MalformedRecordException {
    byte[] ride = Bikes.ride(25, "SUMMER");
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    int length = score(ride, 0).length;

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < RECORDS; i++) {
      score(ride, i % 60); // one byte each, so all scores are equally long
    }
    long perRecord = (threads.getCurrentThreadAllocatedBytes() - before) / RECORDS;

    assertThat(perRecord).isBetween((long) length, (long) (ARRAY_HEADER + length + 7) / 8 * 8);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 63",
    "2, 64",
    "63, 8191",
    "64, 8192",
    "8192, 1048575",
    "2147483647, 1048576",
    "0, 4294967296",
    "0, 9223372036854775807"
  })
  void score_isWrittenAsAvroItselfWritesIt(int partition, long offset) throws Exception {
    byte[] bytes = encoder.encode(model, new double[] {2.5}, partition, offset, ID);

    Score score = Contracts.SCORE.decode(bytes);

    assertThat(score.getSourcePartition()).isEqualTo(partition);
    assertThat(score.getSourceOffset()).isEqualTo(offset);
    assertThat(score.getSourceTopic()).isEqualTo("bikes.records");
    assertThat(score.getModel()).isEqualTo("bikes");
    assertThat(score.getModelHash().bytes()).isEqualTo(model.hashBytes());
    assertThat(score.getProbabilities()).hasSize(2);
    assertThat(score.getId()).isEqualTo("ride-1");
    assertThat(score.getLabel()).isEqualTo("yes");
    assertThat(Contracts.SCORE.encode(score)).isEqualTo(bytes);
  }

  @Test
  void versions_inTurn_areEachNamedByTheirScores() throws Exception {
    ActiveModel other = Bikes.active(200, bikes, 0, 0);

    for (ActiveModel next : new ActiveModel[] {model, other, model}) {
      Score score = Contracts.SCORE.decode(encoder.encode(next, new double[] {1}, 0, 0, null));
      assertThat(score.getVersion()).isEqualTo(next.number());
      assertThat(score.getModelHash().bytes()).isEqualTo(next.hashBytes());
    }
  }

  private byte[] score(byte[] ride, long offset) throws MalformedRecordException {
    Framing.Frame frame = Bikes.FRAMING.open(ride);
    double[] raw = scorer.score(model, frame.schema(), ride, frame.bodyOffset());
    return encoder.encode(model, raw, 0, offset, IdText.of(ID));
  }
}
