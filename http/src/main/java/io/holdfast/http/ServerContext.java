package io.holdfast.http;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.Security.Tls;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

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
    return of(role, host, port, requestTimeout, null);
  }

  /**
   * The same, by HTTPS if there is a certificate.
   *
   * @throws StartException in one sentence, if it cannot be used
   */
  public static ApplicationContextBuilder of(
      String role, String host, int port, Duration requestTimeout, @Nullable Tls tls) {
    return ApplicationContext.builder()
        .deduceEnvironment(false)
        .deduceCloudEnvironment(false)
        .enableDefaultPropertySources(false)
        .environmentPropertySource(false)
        .bootstrapEnvironment(false)
        .banner(false)
        .properties(properties(role, host, port, requestTimeout))
        .properties(tls == null ? Map.of() : secured(port, tls));
  }

  private static Map<String, Object> secured(int port, Tls tls) {
    try {
      var _ =
          SslContextBuilder.forServer(tls.certificate().toFile(), tls.privateKey().toFile())
              .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new StartException(
          List.of(
              Sentence.of(
                  "holdfast.security.certificate and .privateKey must be readable PEM files of one"
                      + " certificate, the key without a password: %s, %s",
                  tls.certificate(), tls.privateKey())));
    }
    return Map.of(
        "micronaut.certificate.file.holdfast.path",
        tls.privateKey().toString(),
        "micronaut.certificate.file.holdfast.certificate-path",
        tls.certificate().toString(),
        "micronaut.certificate.file.holdfast.format",
        "PEM",
        "micronaut.server.ssl.enabled",
        true,
        "micronaut.server.ssl.key-name",
        "holdfast",
        "micronaut.server.ssl.protocols",
        List.of("TLSv1.3", "TLSv1.2"),
        "micronaut.server.ssl.port",
        port == 0 ? -1 : port);
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
    // Who asks is of interest to the service alone, which turns it on.
    properties.put("micronaut.security.enabled", false);
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
