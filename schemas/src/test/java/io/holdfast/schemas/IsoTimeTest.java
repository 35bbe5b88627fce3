package io.holdfast.schemas;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTimeTest {
  /** The hour that clocks in Berlin show twice, and the one that they never show. */
  @Test
  void offsets_tellTheHoursOfANightThatClocksChange() {
    Instant summer = requireNonNull(IsoTime.instant("2026-10-25T02:30:00+02:00"));
    Instant winter = requireNonNull(IsoTime.instant("2026-10-25 02:30:00+01:00"));
    assertThat(summer).isEqualTo("2026-10-25T00:30:00Z");
    assertThat(Duration.between(summer, winter)).isEqualTo(Duration.ofHours(1));
    assertThat(IsoTime.instant("2026-03-29T01:59:59+01:00"))
        .isEqualTo(Instant.parse("2026-03-29T03:00:00+02:00").minusSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe"})
  void withoutAnOffset_itIsUtc_onMachinesOfEveryZone(String zone) {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      for (String text :
          new String[] {"2026-03-29T02:30", "2026-10-25 02:30", "2026-11-01T01:30"}) {
        assertThat(IsoTime.instant(text)).isEqualTo(text.replace(' ', 'T') + ":00Z");
      }
      assertThat(IsoTime.instant("2026-03-29")).isEqualTo("2026-03-29T00:00:00Z");
    } finally {
      TimeZone.setDefault(before);
    }
  }
}
