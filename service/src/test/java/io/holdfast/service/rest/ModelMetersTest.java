package io.holdfast.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelMetersTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void meters_areSummedByModelAndTag() {
    counted("rides", "LATE", "record", 2);
    counted("rides", "LATE", "label", 3);
    counted("rides", "TORN", "record", 5);
    counted("bikes", "LATE", "record", 7);
    meters.counter("kafka.dead", "model", "rides").increment();

    ModelMeters rides = ModelMeters.of(meters, "rides");

    assertThat(rides.count("holdfast.dead")).isEqualTo(10);
    assertThat(rides.countsBy("reason", "holdfast.dead")).isEqualTo(Map.of("LATE", 5L, "TORN", 5L));
    assertThat(rides.countsBy("reason", "holdfast.dead", "of", "record"))
        .isEqualTo(Map.of("LATE", 2L, "TORN", 5L));
    assertThat(rides.countsBy("unknown", "holdfast.dead")).isEmpty();
    assertThat(rides.count("kafka.dead")).isZero();
  }

  @Test
  void metersOfAnotherKind_areNotMixedUp() {
    Gauge.builder("holdfast.held", () -> 1.5).tag("model", "rides").register(meters);
    meters.timer("holdfast.delay", "model", "rides");

    ModelMeters rides = ModelMeters.of(meters, "rides");

    assertThat(rides.gauges("holdfast.held").map(Gauge::value)).isEqualTo(List.of(1.5));
    assertThat(rides.count("holdfast.held")).isZero();
    assertThat(rides.timer("holdfast.delay")).isNotNull();
    assertThat(rides.timer("holdfast.held")).isNull();
  }

  @Test
  void modelWithoutMeters_countsNothing() {
    ModelMeters none = ModelMeters.of(meters, "none");
    assertThat(none.count("holdfast.dead")).isZero();
    assertThat(none.timer("holdfast.delay")).isNull();
  }

  private void counted(String model, String reason, String of, double count) {
    meters.counter("holdfast.dead", "model", model, "reason", reason, "of", of).increment(count);
  }
}
