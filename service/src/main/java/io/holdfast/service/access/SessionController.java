package io.holdfast.service.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.Permitted;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.service.ops.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Who asks, and signing in and out for pages. Thread-safe. */
@AnswersProblems
@Controller("/api/v1/session")
@Permitted(toAll = true)
@ExecuteOn(TaskExecutors.BLOCKING)
final class SessionController {
  private final Security security;
  private final Failures failures;
  private final List<TokenValidator<HttpRequest<?>>> validators;

  SessionController(
      Security security, Failures failures, List<TokenValidator<HttpRequest<?>>> validators) {
    this.security = security;
    this.failures = failures;
    this.validators = List.copyOf(validators);
  }

  /**
   * Who asks.
   *
   * @param secured whether anybody can say who they are; if not, nobody may act
   * @param openReading whether reading needs no role
   */
  @Serdeable
  public record SessionView(
      boolean secured, boolean openReading, @Nullable String name, @Nullable String role) {}

  /** Who asks; null where nobody signed in. */
  @Get
  SessionView session(@Nullable Authentication who) {
    return view(who);
  }

  /** Signs in with {@code {"token": "..."}}. */
  @Post
  HttpResponse<SessionView> signIn(@Body byte[] body, HttpRequest<?> request) {
    String token = token(body);
    FailureLimit.refuseSoon(failures, request, token);
    Authentication who =
        Flux.fromIterable(validators)
            .concatMap(validator -> validator.validateToken(token, request))
            .blockFirst();
    if (who == null) {
      failures.failed(FailureLimit.address(request));
      throw new ProblemException(
          ProblemKind.UNAUTHENTICATED, "the token is not valid, or not any more");
    }
    failures.succeeded(token);
    return HttpResponse.ok(view(who)).cookie(SessionCookie.of(token, request));
  }

  /** Signs out. */
  @Post("/end")
  HttpResponse<SessionView> signOut(HttpRequest<?> request) {
    return HttpResponse.ok(view(null)).cookie(SessionCookie.of("", request).maxAge(0));
  }

  private SessionView view(@Nullable Authentication who) {
    return new SessionView(
        security.configured(),
        security.openReading(),
        who == null ? null : Audit.name(who),
        who == null ? null : AccessRule.role(who.getRoles()).map(Role::label).orElse(null));
  }

  private static String token(byte[] body) {
    try {
      JsonNode token = new ObjectMapper().readTree(body).path("token");
      if (token.isTextual() && !token.asText().isBlank() && token.asText().length() <= 8_000) {
        return token.asText().strip();
      }
    } catch (IOException e) {
      // Said below: what Jackson says would repeat the body.
    }
    throw new ProblemException(
        ProblemKind.MALFORMED_BODY, "the body must be a JSON object such as {\"token\": \"...\"}");
  }
}
