package io.holdfast.service.access;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.security.token.reader.TokenResolver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Answers 429 in place of looking at more tokens of an address whose tokens fail. Thread-safe. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class FailureLimit implements Ordered {
  private static final String WAIT = "holdfast.wait";

  private final Failures failures;
  private final TokenResolver<HttpRequest<?>> tokens;

  FailureLimit(Failures failures, TokenResolver<HttpRequest<?>> tokens) {
    this.failures = failures;
    this.tokens = tokens;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE; // it sees the answers of the one below
  }

  @ResponseFilter
  void after(HttpRequest<?> request, MutableHttpResponse<?> response) {
    Optional<String> wait = request.getAttribute(WAIT, String.class);
    if (wait.isPresent()) {
      response.header(HttpHeaders.RETRY_AFTER, wait.get());
      return;
    }
    List<String> given = tokens(request);
    if (given.isEmpty()) {
      return;
    }
    if (request.getUserPrincipal().isPresent()) {
      given.forEach(failures::succeeded);
    } else {
      failures.failed(address(request));
    }
  }

  static void refuseSoon(Failures failures, HttpRequest<?> request, String token) {
    Duration wait = failures.wait(address(request), token);
    if (!wait.isZero()) {
      String seconds = String.valueOf(wait.toSeconds() + 1);
      request.setAttribute(WAIT, seconds);
      throw new ProblemException(
          ProblemKind.TOO_MANY_REQUESTS,
          "too many tokens from this address were not valid: try again in " + seconds + " s");
    }
  }

  static String address(HttpRequest<?> request) {
    return request.getRemoteAddress().getAddress().getHostAddress();
  }

  private List<String> tokens(HttpRequest<?> request) {
    return tokens.resolveTokens(request);
  }

  /** Refuses before anybody looks at the token. */
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static final class Before implements Ordered {
    private final FailureLimit limit;

    Before(FailureLimit limit) {
      this.limit = limit;
    }

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE + 1;
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
      for (String token : limit.tokens(request)) {
        refuseSoon(limit.failures, request, token);
      }
    }
  }
}
