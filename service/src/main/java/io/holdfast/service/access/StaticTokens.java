package io.holdfast.service.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Token;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The tokens of the configuration. Thread-safe. */
@Singleton
final class StaticTokens implements TokenValidator<HttpRequest<?>> {
  private final List<Token> tokens;

  StaticTokens(Security security) {
    this.tokens = security.tokens();
  }

  @Override
  public Publisher<Authentication> validateToken(String token, @Nullable HttpRequest<?> request) {
    Token found = find(token);
    return found == null
        ? Publishers.empty()
        : Publishers.just(Authentication.build(found.name(), List.of(found.role().label())));
  }

  /** Compares with each, as long whichever it is: how long it takes says nothing. */
  private @Nullable Token find(String token) {
    byte[] hash = Security.hash(token).getBytes(US_ASCII);
    Token found = null;
    for (Token each : tokens) {
      if (MessageDigest.isEqual(hash, each.hash().getBytes(US_ASCII))) {
        found = each;
      }
    }
    return found;
  }
}
