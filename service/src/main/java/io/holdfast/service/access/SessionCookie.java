package io.holdfast.service.access;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import io.micronaut.security.token.reader.TokenReader;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * The token of who signed in on the dashboard: no script can read it, no other site's page has it
 * sent, and it is gone with the browser. Stateless.
 */
@Singleton
final class SessionCookie implements TokenReader<HttpRequest<?>> {
  private static final String NAME = "holdfast-token";

  @Override
  public Optional<String> findToken(HttpRequest<?> request) {
    return request.getCookies().findCookie(NAME).map(Cookie::getValue).filter(v -> !v.isEmpty());
  }

  static Cookie of(String token, HttpRequest<?> request) {
    boolean https =
        request.isSecure() || "https".equals(request.getHeaders().get("X-Forwarded-Proto"));
    return Cookie.of(NAME, token).path("/").httpOnly(true).secure(https).sameSite(SameSite.Strict);
  }
}
