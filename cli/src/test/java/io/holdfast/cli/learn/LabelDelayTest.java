package io.holdfast.cli.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelDelayTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1000,1000",
    "250ms,250",
    "1.5s,1500",
    "2m,120000",
    "2h,7200000",
    "3d,259200000"
  })
  void fixed_isTheSameForEveryRow(String text, long expected) {
    LabelDelay delay = LabelDelay.parse(text);
    assertThat(delay.of(0, "a", 1)).isEqualTo(delay.of(77, "b", 2)).isEqualTo(expected);
    assertThat(delay.timed()).isEqualTo(Character.isLetter(text.charAt(text.length() - 1)));
    assertThat(delay).hasToString(text);
  }

  @Test
  void range_isDrawnOverAllOfIt_byRowAndSeed() {
    LabelDelay delay = LabelDelay.parse("10..19");
    long[] drawn = LongStream.range(0, 10_000).map(row -> delay.of(row, "", 1)).toArray();
    for (long value = 10; value <= 19; value++) {
      long of = value;
      assertThat(LongStream.of(drawn).filter(one -> one == of).count()).isBetween(850L, 1_150L);
    }
    assertThat(LongStream.of(drawn)).allMatch(one -> one >= 10 && one <= 19);
    assertThat(LongStream.range(0, 10_000).map(row -> delay.of(row, "", 1)).toArray())
        .isEqualTo(drawn);
    assertThat(LongStream.range(0, 10_000).map(row -> delay.of(row, "", 2)).toArray())
        .isNotEqualTo(drawn);
  }

  @Test
  void environments_haveTheirOwn_andTheRestTheUsual() {
    LabelDelay delay = LabelDelay.parse("500,north=2000,south=0");
    assertThat(delay.of(3, "north", 1)).isEqualTo(2_000);
    assertThat(delay.of(3, "south", 1)).isZero();
    assertThat(delay.of(3, "east", 1)).isEqualTo(500);
    assertThat(LabelDelay.parse("a=7").of(3, "b", 1)).isZero();
    assertThat(LabelDelay.parse("1h..3h,a=2d").of(3, "a", 1))
        .isEqualTo(Duration.ofDays(2).toMillis());
    assertThat(LabelDelay.parse("1..3h").of(3, "b", 1))
        .isBetween(Duration.ofHours(1).toMillis(), Duration.ofHours(3).toMillis());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "soon", "3..1", "1h..3", "5,6", "5,a=2h", "1.5", "2 h", "a="})
  void nonsense_isRefusedInASentence(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LabelDelay.parse(text))
        .withMessageContaining("delay")
        .withMessageContaining(text);
  }
}
