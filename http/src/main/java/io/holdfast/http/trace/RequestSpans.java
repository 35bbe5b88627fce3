package io.holdfast.http.trace;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.jspecify.annotations.Nullable;

/** A span for every request to the API, below the caller's if it names one. Stateless. */
@ServerFilter({"/api/**", "/v2/**"})
final class RequestSpans implements Ordered {
  private static final String SPAN = "holdfast.span";
  private static final int SERVER_ERROR = 500;
  private static final TextMapGetter<HttpRequest<?>> HEADERS = new RequestHeaders();

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE + 1; // refusals are in it, too
  }

  @RequestFilter
  void begin(HttpRequest<?> request) {
    Tracer tracer = Tracing.tracer();
    if (tracer != null) {
      Span span =
          tracer
              .spanBuilder(request.getMethodName() + " " + request.getPath())
              .setParent(Tracing.of(request, HEADERS))
              .setSpanKind(SpanKind.SERVER)
              .setAttribute("http.request.method", request.getMethodName())
              .setAttribute("url.path", request.getPath())
              .startSpan();
      request.setAttribute(SPAN, span);
    }
  }

  @ResponseFilter
  void end(HttpRequest<?> request, MutableHttpResponse<?> response) {
    request
        .getAttribute(SPAN, Span.class)
        .ifPresent(
            span -> {
              span.setAttribute("http.response.status_code", response.code());
              if (response.code() >= SERVER_ERROR) {
                span.setStatus(StatusCode.ERROR);
              }
              span.end();
            });
  }

  private static final class RequestHeaders implements TextMapGetter<HttpRequest<?>> {
    @Override
    public @Nullable String get(@Nullable HttpRequest<?> request, String name) {
      return request == null ? null : request.getHeaders().get(name);
    }
  }
}
