package io.holdfast.schemas.topic;

import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/** What a client's own metrics say of its connections to the brokers. Thread-safe. */
final class Connection {
  private final @Nullable Metric closed;

  /** Of a client with these metrics. */
  Connection(Map<MetricName, ? extends Metric> metrics) {
    closed =
        metrics.entrySet().stream()
            .filter(metric -> metric.getKey().name().equals("connection-close-total"))
            .filter(metric -> metric.getKey().group().equals("consumer-metrics"))
            .findFirst()
            .map(Map.Entry::getValue)
            .orElse(null);
  }

  /** How many connections were closed so far; idle ones are, too. */
  double lost() {
    return closed != null && closed.metricValue() instanceof Double count ? count : 0;
  }
}
