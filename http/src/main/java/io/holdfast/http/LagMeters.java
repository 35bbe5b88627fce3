package io.holdfast.http;

import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.LagMonitor;
import io.holdfast.schemas.lag.Stage;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/** How far stages are behind as metrics: NaN where it is not known. Stateless. */
public final class LagMeters {
  private LagMeters() {}

  /** Registers {@code NAME.rows} and {@code NAME.seconds} of every stage. */
  public static void bind(String name, LagMonitor monitor, MeterRegistry meters) {
    for (Stage stage : monitor.stages()) {
      Tags tags = Tags.of("model", stage.model(), "stage", stage.kind().label());
      Gauge.builder(name + ".rows", () -> rows(monitor.lag(stage)))
          .description("Records that are there and of which nothing came yet")
          .tags(tags)
          .register(meters);
      Gauge.builder(name + ".seconds", () -> seconds(monitor.lag(stage)))
          .description("How long the oldest of them, or the oldest whole window, has been waiting")
          .tags(tags)
          .register(meters);
    }
  }

  private static double rows(@Nullable Lag lag) {
    return lag == null ? Double.NaN : lag.rows();
  }

  private static double seconds(@Nullable Lag lag) {
    return lag == null ? Double.NaN : lag.waited().toMillis() / 1_000.0;
  }
}
