package io.holdfast.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import org.jspecify.annotations.Nullable;

/**
 * All metrics as Prometheus reads them: OpenMetrics for those who ask for it, else the text format,
 * whatever they ask for, as Prometheus' own exporters do. Thread-safe.
 */
@Controller("/prometheus")
@Permitted(toAll = true)
@Requires(beans = PrometheusMeterRegistry.class)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class MetricsController {
  private static final String OPEN_METRICS = "application/openmetrics-text";
  private static final String OPEN_METRICS_1 = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
  private static final String TEXT_4 = "text/plain; version=0.0.4; charset=utf-8";

  private final MetricsPage page;

  MetricsController(PrometheusMeterRegistry registry) {
    this.page = new MetricsPage(registry);
  }

  /** All metrics; {@code kafka=all} has all of Kafka's own. */
  @Get
  @Produces(MediaType.ALL)
  public HttpResponse<String> scrape(
      @Nullable @Header(HttpHeaders.ACCEPT) String accept,
      @Nullable @QueryValue("kafka") String kafka) {
    String type = accept != null && accept.contains(OPEN_METRICS) ? OPEN_METRICS_1 : TEXT_4;
    return HttpResponse.ok(page.text(type, "all".equals(kafka)))
        .header(HttpHeaders.CONTENT_TYPE, type);
  }
}
