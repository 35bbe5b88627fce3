package io.holdfast.service;

import io.holdfast.http.ServerContext;
import io.micronaut.context.ApplicationContextBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The service's HTTP context: REST and the dashboard beside what all programs have. */
final class HttpContext {
  private static final String DASHBOARD = "classpath:io/holdfast/service/dashboard";

  private HttpContext() {}

  /** A context that listens there once its server is started; port 0 takes any free one. */
  static ApplicationContextBuilder of(String host, int port, Duration requestTimeout) {
    return ServerContext.of("service", host, port, requestTimeout)
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
}
