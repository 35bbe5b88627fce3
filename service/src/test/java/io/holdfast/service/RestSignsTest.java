package io.holdfast.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.model.ScoreWatch;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What requests add to the signs of trouble, and what the status says of them. */
class RestSignsTest {
  private final ModelSettings bikes = Bikes.settings();
  private final SimpleMeterRegistry scored = new SimpleMeterRegistry();
  private final ServedModels models =
      new ServedModels(
          List.of(bikes),
          _ -> List.of(Bikes.RIDE),
          _ -> List.of(),
          scored,
          InstantSource.fixed(Instant.EPOCH));
  private final ApplicationContext context =
      HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30))
          .singletons(
              models,
              new RecentReports(List.of("bikes"), 100),
              new StandInStatus(),
              new StandInActions())
          .start();
  private final EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    http.close();
    context.close();
  }

  @Test
  void scoreByRequest_farBeyondAllLabels_isCounted() throws Exception {
    var ledger = new BikesLedger(models, bikes);
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    ScoreWatch watch = requireNonNull(models.scores("bikes"));
    for (int i = 0; i < ScoreWatch.FEWEST_LABELS; i++) {
      watch.labelled(i % 2 * 0.5); // 0 to 0.5
    }

    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.getURI().resolve("/api/v1/models/bikes/score"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "[{\"temperature\": 10}, {\"temperature\": 25}]"));
    assertThat(body(request)).contains("-0.5").contains("2.5");

    assertThat(scored.get(ScoreWatch.FAR_BEYOND).tag("model", "bikes").counter().count())
        .isEqualTo(1);
  }

  @Test
  void status_saysWhatTheJoinHolds() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.getURI().resolve("/api/v1/status")).GET();
    assertThat(json(request).get("pending")).as("no join runs").isEmpty();

    MeterRegistry meters = context.getBean(MeterRegistry.class);
    Gauge.builder(OutcomeMeters.RECORDS_PENDING, () -> 7).tag("model", "bikes").register(meters);
    for (String awaited : List.of("scores", "record")) {
      Gauge.builder(OutcomeMeters.LABELS_PENDING, () -> 2)
          .tags("model", "bikes", "for", awaited)
          .register(meters);
    }
    assertThat(json(request).get("pending"))
        .hasToString("[{\"model\":\"bikes\",\"records\":7,\"labels\":4}]");
  }

  private JsonNode json(HttpRequest.Builder request) throws Exception {
    return new ObjectMapper().readTree(body(request));
  }

  private String body(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }
}
