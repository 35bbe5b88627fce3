package io.holdfast.http.trace;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.StartException;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tracer of this process. One for all, as OpenTelemetry has it: a trace goes through the whole
 * program. Thread-safe.
 */
public final class Tracing {
  /** The environment variable that names the collector, as OpenTelemetry has it. */
  public static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

  private static final String SERVICE_NAME = "OTEL_SERVICE_NAME";

  private static volatile @Nullable Tracer tracer;

  private Tracing() {}

  /** Stops tracing, and sends what was not sent. */
  public interface Stop extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Begins to trace if the environment names a collector.
   *
   * @param role {@code service} or {@code trainer}
   * @throws StartException the endpoint is no URL of HTTP
   */
  public static Stop start(String role, Map<String, String> environment) {
    String endpoint = environment.getOrDefault(ENDPOINT, "").strip();
    if (endpoint.isEmpty()) {
      return () -> {};
    }
    String name = environment.getOrDefault(SERVICE_NAME, "holdfast-" + role);
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(AttributeKey.stringKey("service.name"), name))))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter(endpoint)).build())
            .build();
    tracer = provider.get("holdfast");
    return () -> {
      tracer = null;
      provider.close();
    };
  }

  private static OtlpHttpSpanExporter exporter(String endpoint) {
    String url = endpoint.endsWith("/") ? endpoint : endpoint + "/";
    try {
      return OtlpHttpSpanExporter.builder().setEndpoint(url + "v1/traces").build();
    } catch (IllegalArgumentException e) {
      throw new StartException(
          List.of(
              Sentence.of(
                  "%s must be a collector's URL such as http://localhost:4318, not %s",
                  ENDPOINT, endpoint)));
    }
  }

  /** The tracer; null if nothing is traced. */
  public static @Nullable Tracer tracer() {
    return tracer;
  }

  /** The context that a carrier's W3C headers name; the root's if they name none. */
  public static <C> Context of(C carrier, TextMapGetter<C> headers) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), carrier, headers);
  }

  /** A span as a W3C {@code traceparent}. */
  public static String parent(Span span) {
    var context = span.getSpanContext();
    return "00-"
        + context.getTraceId()
        + "-"
        + context.getSpanId()
        + "-"
        + context.getTraceFlags().asHex();
  }
}
