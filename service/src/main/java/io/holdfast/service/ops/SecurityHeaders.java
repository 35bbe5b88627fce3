package io.holdfast.service.ops;

import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Every answer forbids what the dashboard does not need: foreign and inline scripts, frames. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
public final class SecurityHeaders {
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** Adds the headers. */
  @ResponseFilter
  public void add(MutableHttpResponse<?> response) {
    response.header("Content-Security-Policy", CONTENT_POLICY);
    response.header("X-Content-Type-Options", "nosniff");
    response.header("Referrer-Policy", "no-referrer");
  }
}
