package io.holdfast.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Locale;

/**
 * Requests that may change something must say that they are JSON. A browser sends what a foreign
 * page's form or script posts without asking anybody, unless it is declared as JSON. Stateless.
 */
@ServerFilter("/api/**")
final class JsonBodies {

  /** Refuses all else with 415. */
  @RequestFilter
  void check(HttpRequest<?> request) {
    if (!HttpMethod.permitsRequestBody(request.getMethod())) {
      return;
    }
    String type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
    if (type == null || !name(type).equals(MediaType.APPLICATION_JSON)) {
      throw new ProblemException(
          ProblemKind.UNSUPPORTED_MEDIA_TYPE,
          "the header Content-Type must be application/json: "
              + (type == null ? "there is none" : type));
    }
  }

  private static String name(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }
}
