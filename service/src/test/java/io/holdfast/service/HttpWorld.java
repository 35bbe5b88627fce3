package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Security;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** The service's HTTP over {@link Bikes}, with what a broker would have brought. */
public final class HttpWorld implements AutoCloseable {
  public final ModelSettings settings;
  public final StandInStatus status = new StandInStatus();
  public final StandInActions actions = new StandInActions();
  public final ServedModels models;
  public final BikesLedger ledger;
  public final ApplicationContext context;
  private final EmbeddedServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  public HttpWorld() {
    this(Map.of());
  }

  /** With other properties than usual. */
  public HttpWorld(Map<String, Object> properties) {
    this(Bikes.settings(), Bikes.RIDE, properties);
  }

  /** Where some may do more than others. */
  public HttpWorld(Security security) {
    this(Bikes.settings(), Bikes.RIDE, Map.of(), security);
  }

  /** Of another model, whose records have that schema. */
  public HttpWorld(ModelSettings settings, Schema schema, Map<String, Object> properties) {
    this(settings, schema, properties, Security.NONE);
  }

  /** All of these. */
  public HttpWorld(
      ModelSettings settings, Schema schema, Map<String, Object> properties, Security security) {
    this.settings = settings;
    status.schemas = List.of(schema);
    models =
        new ServedModels(
            List.of(settings),
            topic -> status.schemas,
            _ -> List.of(),
            new SimpleMeterRegistry(),
            InstantSource.fixed(Instant.EPOCH));
    ledger = new BikesLedger(models, settings);
    context =
        HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30), security)
            .properties(properties)
            .singletons(
                models,
                new RecentReports(List.of(settings.name()), 100),
                status,
                actions,
                new StandInLetters(),
                new StandInLookup())
            .start();
    server = context.getBean(EmbeddedServer.class).start();
  }

  /** Where a path is. */
  public URI url(String path) {
    return server.getURI().resolve(path);
  }

  public HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(url(path)));
  }

  /** A body that is declared as JSON. */
  public HttpResponse<String> post(String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(url(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The body of an answer that is no error. */
  public JsonNode json(HttpResponse<String> response) throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  /** That an answer is a problem of that kind. */
  public void assertProblem(HttpResponse<String> response, String kind, String detail)
      throws IOException {
    assertThat(response.headers().firstValue("Content-Type"))
        .as(response.body())
        .hasValue("application/problem+json");
    JsonNode problem = new ObjectMapper().readTree(response.body());
    assertThat(problem.get("type").asText()).as(response.body()).isEqualTo("/problems/" + kind);
    assertThat(problem.get("status").asInt()).isEqualTo(response.statusCode());
    assertThat(problem.get("detail").asText()).contains(detail).isNotBlank();
  }

  @Override
  public void close() {
    http.close();
    context.close();
  }
}
