package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DeliveryStreamTest {

  @Test
  void row_ofTheSameSeedAndNumber_isTheSame() {
    for (long i = 0; i < 100; i++) {
      assertThat(new DeliveryStream(7).row(i)).isEqualTo(new DeliveryStream(7).row(i));
      assertThat(new DeliveryStream(7).labelDelay(i))
          .isEqualTo(new DeliveryStream(7).labelDelay(i));
    }
  }

  @Test
  void row_ofAnotherSeed_isAnother() {
    assertThat(new DeliveryStream(7).row(3)).isNotEqualTo(new DeliveryStream(8).row(3));
  }

  @Test
  void cities_driftApart_asTimeGoesOn() {
    assertThat(gap(20_000)).isGreaterThan(3 * gap(0));
  }

  @Test
  void labels_mostlyArriveWithinFourHundredRows_someNever() {
    var stream = new DeliveryStream(1);
    var delays = LongStream.range(0, 5000).mapToInt(stream::labelDelay).summaryStatistics();
    assertThat(delays.getMin()).isEqualTo(-1);
    assertThat(delays.getMax()).isBetween(100, 400);
    long never = LongStream.range(0, 5000).filter(i -> stream.labelDelay(i) < 0).count();
    assertThat(never).isBetween(50L, 200L);
  }

  /** Mean minutes of the city shifted most upwards less those of the one shifted most downwards. */
  private static double gap(long from) {
    return mean(from, DeliveryStream.CITIES.getLast())
        - mean(from, DeliveryStream.CITIES.getFirst());
  }

  private static double mean(long from, String city) {
    var stream = new DeliveryStream(1);
    return LongStream.range(from, from + 5000)
        .mapToObj(stream::row)
        .filter(delivery -> delivery.city().equals(city))
        .mapToDouble(Delivery::minutes)
        .average()
        .orElseThrow();
  }
}
