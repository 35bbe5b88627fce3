package io.holdfast.http;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A program's HTTP context: all of its settings are here, none in files or variables that another
 * application on the same class path or machine may have left.
 */
public final class ServerContext {
  /** Connections that nothing comes or goes on. */
  private static final Duration IDLE = Duration.ofMinutes(2);

  private ServerContext() {}

  /**
   * A context that listens there once its server is started.
   *
   * @param role which program's beans are wanted, {@code service} or {@code trainer}
   * @param port 0 takes any free one
   * @param requestTimeout how long a request may take to arrive
   */
  public static ApplicationContextBuilder of(
      String role, String host, int port, Duration requestTimeout) {
    return ApplicationContext.builder()
        .deduceEnvironment(false)
        .deduceCloudEnvironment(false)
        .enableDefaultPropertySources(false)
        .environmentPropertySource(false)
        .bootstrapEnvironment(false)
        .banner(false)
        .properties(properties(role, host, port, requestTimeout));
  }

  private static Map<String, Object> properties(
      String role, String host, int port, Duration requestTimeout) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("holdfast.role", role);
    properties.put(RequestTimeout.PROPERTY, requestTimeout.toMillis());
    properties.put("micronaut.application.name", "holdfast-" + role);
    properties.put("micronaut.server.host", host);
    properties.put("micronaut.server.port", port == 0 ? -1 : port);
    properties.put("micronaut.server.idle-timeout", IDLE.toString());
    properties.put("micronaut.metrics.enabled", true);
    properties.put("micronaut.metrics.export.prometheus.enabled", true);
    properties.put("micronaut.metrics.export.prometheus.descriptions", true);
    properties.put("endpoints.all.enabled", false);
    properties.put("endpoints.health.enabled", true);
    properties.put("endpoints.health.sensitive", false);
    properties.put("endpoints.health.details-visible", "ANONYMOUS");
    properties.put("endpoints.health.disk-space.enabled", false);
    // Nothing is discovered: its part of the answer would be empty.
    properties.put("endpoints.health.discovery-client.enabled", false);
    return properties;
  }
}
