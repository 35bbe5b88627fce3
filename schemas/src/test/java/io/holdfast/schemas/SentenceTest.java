package io.holdfast.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentenceTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S,0 s",
    "PT0.5S,500 ms",
    "PT1S,1 s",
    "PT1.5S,1500 ms",
    "PT10S,10 s",
    "PT1M,1 min",
    "PT90S,90 s",
    "PT125S,2 min",
    "PT1H,1 h",
    "PT90M,90 min",
    "PT36H,36 h",
    "P1D,1 d",
    "P7D,7 d"
  })
  void durations_areSaidAsPeopleSayThem(Duration duration, String said) {
    assertThat(Sentence.of("for %s, %d times", duration, 3)).isEqualTo("for " + said + ", 3 times");
  }
}
