package io.holdfast.http;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Of all pages, ours alone may send what may change something. Browsers say where a request comes
 * from; programs do not. Stateless.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class SameOrigin implements Ordered {
  private static final Set<HttpMethod> SAFE =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE; // the framework, too, refuses some of them, and without a reason
  }

  /** Refuses all else with 403. */
  @RequestFilter
  void check(HttpRequest<?> request) {
    if (SAFE.contains(request.getMethod())) {
      return;
    }
    HttpHeaders headers = request.getHeaders();
    String site = headers.get("Sec-Fetch-Site");
    String origin = headers.get(HttpHeaders.ORIGIN);
    boolean foreign =
        site != null
            ? !site.equals("same-origin") && !site.equals("none")
            : origin != null && !sameHost(origin, headers.get(HttpHeaders.HOST));
    if (foreign) {
      throw new ProblemException(
          ProblemKind.FROM_A_PAGE, "a page of another origin may change nothing here");
    }
  }

  /** A proxy may have ended TLS: the scheme is not compared. */
  private static boolean sameHost(String origin, @Nullable String host) {
    try {
      return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
