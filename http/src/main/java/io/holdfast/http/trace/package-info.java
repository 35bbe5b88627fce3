/**
 * Traces in OpenTelemetry's protocol, if the environment names a collector. In come W3C trace
 * contexts of requests and records; out go spans. Without a collector there is no tracer, and
 * nobody asks for a span.
 */
@NullMarked
package io.holdfast.http.trace;

import org.jspecify.annotations.NullMarked;
