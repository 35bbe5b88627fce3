package io.holdfast.service.access;

import io.holdfast.http.Permitted;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.security.rules.SecurityRuleResult;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Whether a request is let through, by its {@link Permitted} and the role of who asks. Where nobody
 * can say who they are, all may read and none may act. Files, which are the dashboard's, are for
 * all. Thread-safe.
 */
@Singleton
final class AccessRule implements SecurityRule<HttpRequest<?>> {
  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private final Security security;

  AccessRule(Security security) {
    this.security = security;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE; // no other decides
  }

  @Override
  public Publisher<SecurityRuleResult> check(
      @Nullable HttpRequest<?> request, @Nullable Authentication who) {
    boolean allowed =
        Optional.ofNullable(request)
            .flatMap(this::needed)
            .map(
                role ->
                    who != null && role(who.getRoles()).filter(r -> r.includes(role)).isPresent())
            .orElse(true);
    return Publishers.just(allowed ? SecurityRuleResult.ALLOWED : SecurityRuleResult.REJECTED);
  }

  /** The least role that a request needs; empty if everybody may ask it. */
  Optional<Role> needed(HttpRequest<?> request) {
    RouteMatch<?> route = RouteAttributes.getRouteMatch(request).orElse(null);
    if (route == null
        || (route instanceof MethodBasedRouteMatch<?, ?> method
            && method.getDeclaringType() == HealthEndpoint.class)) {
      return Optional.empty();
    }
    AnnotationMetadata annotations = route.getAnnotationMetadata();
    if (annotations.booleanValue(Permitted.class, "toAll").orElse(false)) {
      return Optional.empty();
    }
    Role role =
        annotations.hasAnnotation(Permitted.class) || annotations.hasStereotype(Permitted.class)
            ? annotations.enumValue(Permitted.class, Role.class).orElse(Role.VIEWER)
            : READING.contains(request.getMethod()) ? Role.VIEWER : Role.OPERATOR;
    boolean open = !security.configured() || security.openReading();
    return role == Role.VIEWER && open ? Optional.empty() : Optional.of(role);
  }

  /** The highest of the roles that are any of ours. */
  static Optional<Role> role(Collection<String> labels) {
    return labels.stream().flatMap(label -> Role.of(label).stream()).max(Role::compareTo);
  }
}
