package io.holdfast.service.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.TopologyRun;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecordTimeTest {
  private static final long NOW = 1_700_000_000_123L;

  private final Troubles troubles = TopologyRun.troubles();
  private final RecordTime times = new RecordTime(List.of("bikes", "boats"), troubles);

  @Test
  void milliseconds_areAsTheyAre_andNoTrouble() {
    assertThat(time(NOW)).isEqualTo(NOW);
    assertThat(time(0)).isZero();
    for (long of1970 : new long[] {99_999_999, 999_999_999, 4_102_444_800L, 54_000_000_000L}) {
      assertThat(time(of1970)).isEqualTo(of1970);
    }
    assertThat(times.extract(record(-1), 17)).as("none: that before it").isEqualTo(17);
    assertThat(troubles.all()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1700000000123456, micros, 1700000000123",
    "1700000000123456789, nanos, 1700000000123"
  })
  void otherUnit_countsAsTheTimeThatItMeans_andIsATroubleOfEachReader(
      long timestamp, String unit, long millis) {
    assertThat(time(timestamp)).isEqualTo(millis);

    assertThat(troubles.all()).extracting(Trouble::model).containsExactly("bikes", "boats");
    assertThat(troubles.all()).extracting(Trouble::kind).containsOnly(TroubleKind.TIME_UNIT);
    assertThat(troubles.all().getFirst().sentence())
        .startsWith(
            "bikes.records has 1 messages whose timestamp seems to be in "
                + unit
                + ", where Kafka's are milliseconds, such as "
                + timestamp
                + " at partition 2, offset 17: they count as of the time that this means"
                + " (2023-11-14T22:13:20")
        .endsWith("have their producer send milliseconds");
  }

  /** As of a replay that begins at 0, whose times must go on as they are. */
  @Test
  void seconds_mayBeMillisecondsOf1970_soTheyStay_andTheDoubtIsSaid() {
    assertThat(time(1_700_000_000)).isEqualTo(1_700_000_000);
    assertThat(troubles.all().getFirst().sentence())
        .isEqualTo(
            "bikes.records has 1 messages whose timestamp seems to be in seconds, where Kafka's are"
                + " milliseconds, such as 1700000000 at partition 2, offset 17: they count as of"
                + " 1970-01-20T16:13:20Z; if they are meant to be of 2023-11-14T22:13:20Z, waits and"
                + " delays last a thousand times as long; have their producer send milliseconds");
  }

  @Test
  void trouble_isOverAfterAHundredInMilliseconds_andCountsAnew() {
    for (int i = 0; i < 101; i++) {
      var _ = time(1_700_000_000);
    }
    assertThat(sentence()).contains("has 101 messages");
    for (int i = 0; i < 99; i++) {
      var _ = time(NOW);
    }
    assertThat(sentence()).isNotEmpty();
    var _ = time(NOW);
    assertThat(troubles.all()).isEmpty();
    var _ = time(1_700_000_000);
    assertThat(sentence()).contains("has 1 messages");
  }

  private String sentence() {
    return troubles.all().getFirst().sentence();
  }

  private long time(long timestamp) {
    return times.extract(record(timestamp), 0);
  }

  private static ConsumerRecord<Object, Object> record(long timestamp) {
    return new ConsumerRecord<>(
        "bikes.records",
        2,
        17,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        "k",
        "v",
        new RecordHeaders(),
        Optional.empty());
  }
}
