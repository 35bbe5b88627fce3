package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MetricsPage page = new MetricsPage(registry);

  private void kafka(String name, String topic, double value) {
    Gauge.builder(name, () -> value).tag("client.id", "a").tag("topic", topic).register(registry);
  }

  @Test
  void ofKafka_onlyWhatOperationNeeds_unlessAllIsAskedFor() {
    Gauge.builder("kafka.consumer.io.ratio", () -> 1).register(registry);
    Gauge.builder("kafka.consumer.connection.count", () -> 1).register(registry);
    Counter.builder("kafka.producer.record.error.total").register(registry);
    Counter.builder("holdfast.records.scored").register(registry);

    assertThat(page.text(TEXT, false))
        .contains("kafka_consumer_connection_count 1.0")
        .contains("kafka_producer_record_error_total 0.0")
        .contains("holdfast_records_scored_total 0.0")
        .doesNotContain("kafka_consumer_io_ratio");
    assertThat(page.text(TEXT, true)).contains("kafka_consumer_io_ratio 1.0");
  }

  @Test
  void topicWithDots_isThereOnce() {
    kafka("kafka.consumer.fetch.manager.records.lag", "shop.orders_a", 7);
    kafka("kafka.consumer.fetch.manager.records.lag", "shop_orders_a", 7);
    kafka("kafka.consumer.fetch.manager.records.lag", "other_topic", 3);

    assertThat(page.text(TEXT, true))
        .contains("records_lag{client_id=\"a\",topic=\"shop.orders_a\"} 7.0")
        .contains("topic=\"other_topic\"")
        .doesNotContain("topic=\"shop_orders_a\"");
  }
}
