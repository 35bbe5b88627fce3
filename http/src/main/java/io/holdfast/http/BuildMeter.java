package io.holdfast.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What runs, as a metric that is always 1. Stateless. */
public final class BuildMeter {
  private BuildMeter() {}

  /** Registers it for a program. */
  public static void bind(String program, MeterRegistry meters) {
    Gauge.builder("holdfast.build.info", () -> 1)
        .description("Always 1: the program, its version and Java's in the tags")
        .tag("program", program)
        .tag("version", ServerVersion.VALUE)
        .tag("java", System.getProperty("java.version"))
        .register(meters);
  }
}
