package io.holdfast.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EpochUnitTest {
  /** Every unit, from the first time that can be told to the last. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1973-03-03T09:46:40Z",
        "2001-09-09T01:46:40Z",
        "2026-11-25T12:00:00Z",
        "5138-11-16T09:46:39Z"
      })
  void time_isTheSame_inWhateverUnitItIsGiven(String time) {
    long seconds = Instant.parse(time).getEpochSecond();
    assertThat(EpochUnit.of((double) seconds)).isEqualTo(EpochUnit.SECONDS);
    assertThat(EpochUnit.of(seconds * 1e3)).isEqualTo(EpochUnit.MILLIS);
    assertThat(EpochUnit.of(seconds * 1e6)).isEqualTo(EpochUnit.MICROS);
    assertThat(EpochUnit.of(seconds * 1e9)).isEqualTo(EpochUnit.NANOS);
    assertThat(EpochUnit.SECONDS.millis(seconds + 0.25)).isEqualTo(seconds * 1e3 + 250);
    assertThat(EpochUnit.MICROS.millis(seconds * 1e6)).isEqualTo(seconds * 1e3);
    assertThat(EpochUnit.millisOfMessage(seconds)).as("may be of 1970").isEqualTo(seconds);
    assertThat(EpochUnit.millisOfMessage(seconds * 1_000)).isEqualTo(seconds * 1_000);
    assertThat(EpochUnit.millisOfMessage(seconds * 1_000_000 + 999)).isEqualTo(seconds * 1_000);
    if (seconds < Long.MAX_VALUE / 1_000_000_000) {
      assertThat(EpochUnit.millisOfMessage(seconds * 1_000_000_000 + 999_999))
          .isEqualTo(seconds * 1_000);
    }
  }

  @Test
  void whatIsNoTime_staysAsItIs() {
    for (long number : new long[] {Long.MIN_VALUE, -1_700_000_000, -1, 0, 1, 99_999_999}) {
      assertThat(EpochUnit.of((double) number)).isNull();
      assertThat(EpochUnit.millisOfMessage(number)).isEqualTo(number);
    }
    assertThat(EpochUnit.of(Double.NaN)).isNull();
    assertThat(EpochUnit.of(1e20)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"SECONDS, seconds", "MILLIS, millis", "MICROS, micros", "NANOS, nanos"})
  void label_isThatOfTheFlag(EpochUnit unit, String label) {
    assertThat(unit.label()).isEqualTo(label);
  }
}
