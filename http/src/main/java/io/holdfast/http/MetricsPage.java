package io.holdfast.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All series of a registry, of Kafka's own only those that operation needs, unless all are asked
 * for. Thread-safe.
 */
final class MetricsPage {
  private static final String KAFKA = "kafka_";
  private static final String TOPIC = "topic";

  /** Of Kafka's several hundred a client: is it connected, does it work, does anything fail. */
  private static final Set<String> USED =
      Set.of(
          "kafka_consumer_connection_count",
          "kafka_consumer_coordinator_assigned_partitions",
          "kafka_consumer_coordinator_failed_rebalance",
          "kafka_consumer_coordinator_last_heartbeat_seconds_ago",
          "kafka_consumer_coordinator_rebalance",
          "kafka_consumer_failed_authentication",
          "kafka_consumer_fetch_manager_fetch_latency_avg",
          "kafka_consumer_fetch_manager_records_consumed",
          "kafka_consumer_last_poll_seconds_ago",
          "kafka_producer_connection_count",
          "kafka_producer_failed_authentication",
          "kafka_producer_record_error",
          "kafka_producer_record_retry",
          "kafka_producer_record_send",
          "kafka_producer_request_latency_avg",
          "kafka_stream_alive_stream_threads",
          "kafka_stream_failed_stream_threads",
          "kafka_stream_thread_commit_latency_avg",
          "kafka_stream_thread_poll_ratio",
          "kafka_stream_thread_process_ratio",
          "kafka_stream_thread_process");

  private final PrometheusMeterRegistry registry;

  MetricsPage(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  String text(String contentType, boolean allOfKafka) {
    MetricSnapshots found =
        registry
            .getPrometheusRegistry()
            .scrape(name -> allOfKafka || !name.startsWith(KAFKA) || USED.contains(name));
    MetricSnapshots.Builder once = MetricSnapshots.builder();
    found.stream().map(MetricsPage::withoutTwins).forEach(once::metricSnapshot);
    var bytes = new ByteArrayOutputStream();
    try {
      ExpositionFormats.init().findWriter(contentType).write(bytes, once.build());
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be written", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Kafka has a topic with dots twice, the second time with underscores: a sum would double. */
  private static MetricSnapshot withoutTwins(MetricSnapshot metric) {
    Set<Labels> twins = new HashSet<>();
    for (DataPointSnapshot point : metric.getDataPoints()) {
      String topic = point.getLabels().get(TOPIC);
      if (topic != null && topic.contains(".")) {
        twins.add(named(point.getLabels(), topic.replace('.', '_')));
      }
    }
    if (twins.isEmpty() || !metric.getMetadata().getName().startsWith(KAFKA)) {
      return metric;
    }
    return switch (metric) {
      case GaugeSnapshot gauge ->
          new GaugeSnapshot(gauge.getMetadata(), without(gauge.getDataPoints(), twins));
      case CounterSnapshot counter ->
          new CounterSnapshot(counter.getMetadata(), without(counter.getDataPoints(), twins));
      default -> metric;
    };
  }

  private static Labels named(Labels labels, String topic) {
    Labels.Builder named = Labels.builder();
    labels.forEach(
        label ->
            named.label(label.getName(), label.getName().equals(TOPIC) ? topic : label.getValue()));
    return named.build();
  }

  private static <T extends DataPointSnapshot> List<T> without(List<T> points, Set<Labels> twins) {
    return points.stream().filter(point -> !twins.contains(point.getLabels())).toList();
  }
}
