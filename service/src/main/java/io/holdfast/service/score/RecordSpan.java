package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.http.trace.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Goes on with the trace that a record is part of, if its producer samples it: a record without one
 * begins none. Of one record; not thread-safe.
 */
final class RecordSpan {
  private static final String PARENT = "traceparent";
  private static final TextMapGetter<Headers> HEADERS = new KafkaHeaders();

  private final Span span;

  private RecordSpan(Span span) {
    this.span = span;
  }

  /** The span of scoring a record; null if nothing is traced, or not this record. */
  static @Nullable RecordSpan of(String model, Headers headers, RecordMetadata source) {
    Tracer tracer = Tracing.tracer();
    if (tracer == null || headers.lastHeader(PARENT) == null) {
      return null;
    }
    Context parent = Tracing.of(headers, HEADERS);
    return Span.fromContext(parent).getSpanContext().isSampled()
        ? new RecordSpan(
            tracer
                .spanBuilder("score " + model)
                .setParent(parent)
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute("messaging.system", "kafka")
                .setAttribute("messaging.destination.name", source.topic())
                .setAttribute("messaging.destination.partition.id", "" + source.partition())
                .setAttribute("messaging.kafka.offset", source.offset())
                .setAttribute("holdfast.model", model)
                .startSpan())
        : null;
  }

  /** What is written of the record is below this span. */
  Headers headers(Headers record) {
    Headers own = new RecordHeaders(record.toArray());
    own.remove(PARENT);
    return own.add(PARENT, Tracing.parent(span).getBytes(UTF_8));
  }

  void scored(long version) {
    span.setAttribute("holdfast.version", version);
  }

  void refused(String reason) {
    span.setStatus(StatusCode.ERROR, reason);
  }

  void end() {
    span.end();
  }

  private static final class KafkaHeaders implements TextMapGetter<Headers> {
    @Override
    public @Nullable String get(@Nullable Headers headers, String name) {
      Header header = headers == null ? null : headers.lastHeader(name);
      return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
    }
  }
}
