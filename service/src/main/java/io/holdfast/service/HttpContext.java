package io.holdfast.service;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import java.util.Map;

/**
 * The HTTP side's context: all of its settings are here, none in files or variables that another
 * application on the same class path or machine may have left.
 */
final class HttpContext {
  private static final String DASHBOARD = "classpath:io/holdfast/service/dashboard";

  private HttpContext() {}

  /** A context that listens there once its server is started; port 0 takes any free one. */
  static ApplicationContextBuilder of(String host, int port) {
    return ApplicationContext.builder()
        .deduceEnvironment(false)
        .deduceCloudEnvironment(false)
        .enableDefaultPropertySources(false)
        .environmentPropertySource(false)
        .bootstrapEnvironment(false)
        .banner(false)
        .properties(properties(host, port));
  }

  private static Map<String, Object> properties(String host, int port) {
    return Map.ofEntries(
        Map.entry("holdfast.role", "service"),
        Map.entry("micronaut.application.name", "holdfast-service"),
        Map.entry("micronaut.server.host", host),
        Map.entry("micronaut.server.port", port == 0 ? -1 : port),
        Map.entry("micronaut.server.max-request-size", "2MB"),
        Map.entry("micronaut.router.static-resources.dashboard.paths", DASHBOARD),
        Map.entry("micronaut.router.static-resources.dashboard.mapping", "/**"),
        // An empty list is a list: readers need no case for what is left out.
        Map.entry("micronaut.serde.serialization.inclusion", "ALWAYS"),
        Map.entry("micronaut.metrics.enabled", true),
        Map.entry("micronaut.metrics.export.prometheus.enabled", true),
        Map.entry("micronaut.metrics.export.prometheus.descriptions", true),
        Map.entry("endpoints.all.enabled", false),
        Map.entry("endpoints.health.enabled", true),
        Map.entry("endpoints.health.sensitive", false),
        Map.entry("endpoints.health.details-visible", "ANONYMOUS"),
        Map.entry("endpoints.health.disk-space.enabled", false),
        // Nothing is discovered: its part of the answer would be empty.
        Map.entry("endpoints.health.discovery-client.enabled", false),
        Map.entry("endpoints.prometheus.enabled", true),
        Map.entry("endpoints.prometheus.sensitive", false));
  }
}
