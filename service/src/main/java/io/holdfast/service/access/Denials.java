package io.holdfast.service.access;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.authentication.AuthorizationException;
import io.micronaut.security.authentication.DefaultAuthorizationExceptionHandler;
import io.micronaut.security.token.reader.TokenResolver;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why a request is not let through, and what would be right. Thread-safe. */
@Singleton
@Replaces(DefaultAuthorizationExceptionHandler.class)
final class Denials implements ExceptionHandler<AuthorizationException, HttpResponse<?>> {
  private static final Logger LOG = LoggerFactory.getLogger(Denials.class);

  private final Security security;
  private final AccessRule rule;
  private final TokenResolver<HttpRequest<?>> tokens;
  private final ErrorResponseProcessor<?> errors;

  Denials(
      Security security,
      AccessRule rule,
      TokenResolver<HttpRequest<?>> tokens,
      ErrorResponseProcessor<?> errors) {
    this.security = security;
    this.rule = rule;
    this.tokens = tokens;
    this.errors = errors;
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is inherited
  public HttpResponse<?> handle(HttpRequest request, AuthorizationException refused) {
    HttpRequest<?> asked = request;
    Role needed = rule.needed(asked).orElse(Role.VIEWER);
    ProblemException why = why(asked, needed, refused.getAuthentication());
    MutableHttpResponse<?> response = HttpResponse.status(why.getStatus());
    if (why.kind() == ProblemKind.UNAUTHENTICATED) {
      response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"holdfast\"");
    }
    return errors.processResponse(
        ErrorContext.builder(asked).cause(why).errorMessage("" + why.getMessage()).build(),
        response);
  }

  private ProblemException why(HttpRequest<?> request, Role needed, @Nullable Authentication who) {
    if (!security.configured()) {
      return new ProblemException(
          ProblemKind.ACTIONS_OFF,
          "nobody may change anything here, since nobody can say who they are: set"
              + " holdfast.security.tokens, or use holdfast models on the command line");
    }
    if (who == null) {
      return new ProblemException(
          ProblemKind.UNAUTHENTICATED,
          (tokens.resolveTokens(request).isEmpty()
                  ? "this needs a token"
                  : "the token is not valid, or not any more: this needs one")
              + " with the role "
              + needed.label()
              + ", as Authorization: Bearer TOKEN or by signing in on the dashboard");
    }
    String role = AccessRule.role(who.getRoles()).map(Role::label).orElse("no role of ours");
    LOG.warn(
        "audit: {} with {} was refused {} {}",
        Audit.plain(Audit.name(who)),
        role,
        request.getMethod(),
        Audit.plain(request.getPath()));
    return new ProblemException(
        ProblemKind.FORBIDDEN,
        Audit.name(who) + " has " + role + " and this needs the role " + needed.label());
  }
}
