package io.holdfast.service;

import io.holdfast.http.ServerContext;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Jwt;
import io.micronaut.context.ApplicationContextBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The service's HTTP context: REST and the dashboard beside what all programs have. */
final class HttpContext {
  private static final String DASHBOARD = "classpath:io/holdfast/service/dashboard";

  private HttpContext() {}

  /** A context that listens there once its server is started; port 0 takes any free one. */
  static ApplicationContextBuilder of(String host, int port, Duration requestTimeout) {
    return of(host, port, requestTimeout, Security.NONE);
  }

  /** The same, where some may do more than others. */
  static ApplicationContextBuilder of(
      String host, int port, Duration requestTimeout, Security security) {
    return ServerContext.of("service", host, port, requestTimeout, security.tls())
        .singletons(security)
        .properties(secured(security.jwt()))
        .properties(
            Map.of(
                "micronaut.server.max-request-size",
                "2MB",
                "micronaut.router.static-resources.dashboard.paths",
                DASHBOARD,
                "micronaut.router.static-resources.dashboard.mapping",
                "/**",
                "micronaut.router.static-resources.openapi.paths",
                List.of(
                    "classpath:io/holdfast/service/openapi",
                    "classpath:META-INF/resources/webjars/swagger-ui/5.34.1"),
                "micronaut.router.static-resources.openapi.mapping",
                "/openapi/**",
                // An empty list is a list: readers need no case for what is left out.
                "micronaut.serde.serialization.inclusion",
                "ALWAYS"));
  }

  /** Without a provider no JWT is looked at: the framework takes unsigned ones if it has no key. */
  private static Map<String, Object> secured(@Nullable Jwt jwt) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("micronaut.security.enabled", true);
    properties.put("micronaut.security.token.jwt.enabled", jwt != null);
    // The framework's own endpoints for tokens: ours are /api/v1/session.
    for (String endpoint : List.of("introspection", "login", "logout", "oauth", "keys")) {
      properties.put("micronaut.security.endpoints." + endpoint + ".enabled", false);
    }
    if (jwt != null) {
      String jwks = "micronaut.security.token.jwt.signatures.jwks.provider.";
      properties.put(jwks + "url", jwt.jwks().toString());
      properties.put("micronaut.security.token.jwt.claims-validators.issuer", jwt.issuer());
      properties.put("micronaut.security.token.jwt.claims-validators.audience", jwt.audience());
      properties.put("micronaut.security.token.jwt.claims-validators.not-before", true);
    }
    return properties;
  }
}
