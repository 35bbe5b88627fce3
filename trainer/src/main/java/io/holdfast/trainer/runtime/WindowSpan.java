package io.holdfast.trainer.runtime;

import io.holdfast.http.trace.Tracing;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.Window;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import org.jspecify.annotations.Nullable;

/** The span of a window, from when it was whole until what comes of it is decided. */
record WindowSpan(Span span) {

  /** Null if nothing is traced. */
  static @Nullable WindowSpan of(String model, Window window) {
    Tracer tracer = Tracing.tracer();
    return tracer == null
        ? null
        : new WindowSpan(
            tracer
                .spanBuilder("window " + model)
                .setAttribute("holdfast.model", model)
                .setAttribute("holdfast.window", window.number())
                .setAttribute("holdfast.rows", window.rows().size())
                .startSpan());
  }

  /** Ends it; {@code concluded} is null if the trainer was stopped meanwhile. */
  static void end(@Nullable WindowSpan window, TrainerEvent.@Nullable Concluded concluded) {
    if (window == null) {
      return;
    }
    if (concluded != null) {
      window.span.setAttribute("holdfast.decision", concluded.report().getDecision());
    }
    window.span.end();
  }
}
