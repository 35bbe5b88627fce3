package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
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
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the stream scores, by whichever of the registered schemas it was written, REST scores. */
final class RestSchemasTest {
  /** As the stream's, with another symbol. */
  private static final Schema FOUR_SEASONS = ride("\"SPRING\", \"SUMMER\", \"WINTER\"", "double");

  /** Another producer's, which the model cannot read. */
  private static final Schema TEXT = ride("\"SPRING\"", "string");

  private final ModelSettings bikes = Bikes.settings();
  private final StandInStatus status = new StandInStatus();
  private final ServedModels models =
      new ServedModels(
          List.of(bikes),
          topic -> status.schemas,
          _ -> List.of(),
          new SimpleMeterRegistry(),
          InstantSource.fixed(Instant.EPOCH));
  private final ApplicationContext context =
      HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30))
          .singletons(
              models, new RecentReports(List.of("bikes"), 100), status, new StandInActions())
          .start();
  private final EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
  private final HttpClient http = HttpClient.newHttpClient();

  private static Schema ride(String seasons, String temperature) {
    return SchemaFile.parse(
        """
        {"type": "record", "name": "Ride", "namespace": "test", "fields": [
          {"name": "temperature", "type": ["null", "TEMPERATURE"]},
          {"name": "weather", "type": {"type": "record", "name": "Weather", "fields": [
            {"name": "wind", "type": "int"}]}},
          {"name": "season", "type": {"type": "enum", "name": "Season", "symbols": [SEASONS]}},
          {"name": "count", "type": ["null", "double"]}]}
        """
            .replace("TEMPERATURE", temperature)
            .replace("SEASONS", seasons));
  }

  @AfterEach
  void close() {
    http.close();
    context.close();
  }

  @Test
  void symbolThatAnOlderOrNewerSchemaHas_isScored() throws Exception {
    status.schemas = List.of(Bikes.RIDE, FOUR_SEASONS);
    var ledger = new BikesLedger(models, bikes);
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);

    assertThat(post("{\"temperature\": 25, \"season\": \"WINTER\"}")).contains("\"rawScore\":2.5");
    assertThat(post("{\"temperature\": 25, \"season\": \"SUMMER\"}")).contains("\"rawScore\":2.5");
    assertThat(post("{\"temperature\": 25, \"season\": \"AUTUMN\"}"))
        .contains("field season must be one of SPRING, SUMMER");
  }

  @Test
  void newestSchemaThatTheVersionCannotRead_isPassedOver() throws Exception {
    status.schemas = List.of(TEXT, Bikes.RIDE);
    var ledger = new BikesLedger(models, bikes);
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);

    assertThat(post("{\"temperature\": 25}")).contains("\"rawScore\":2.5");
    assertThat(post("{\"temperature\": \"warm\"}"))
        .contains("field temperature must be a number or null");
  }

  @Test
  void noSchemaThatFits_isSaidUntilOneIsRegistered() throws Exception {
    var ledger = new BikesLedger(models, bikes);
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    status.schemas = List.of(TEXT);

    assertThat(post("{\"temperature\": 25}"))
        .contains("503")
        .contains("no schema that is known for records of topic bikes.records fits version 0");

    status.schemas = List.of(Bikes.RIDE, TEXT);
    assertThat(post("{\"temperature\": 25}")).contains("\"rawScore\":2.5");
  }

  private String post(String body) throws Exception {
    return http.send(
            HttpRequest.newBuilder(server.getURI().resolve("/api/v1/models/bikes/score"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
