package io.holdfast.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.score.ScoringTopology;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that HTTP answers, over what a broker would have brought. */
final class HttpTest {
  private final ModelSettings bikes = Bikes.settings();
  private final ModelSettings odds =
      ModelSettings.of("odds", Map.of("objective", "logistic", "label", "count"), key -> key);
  private final StandInStatus status = new StandInStatus();
  private final RecentReports reports = new RecentReports(List.of("bikes", "odds"), 100);
  private final ServedModels models =
      new ServedModels(
          List.of(bikes, odds),
          topic -> List.of(Bikes.RIDE),
          _ -> List.of(),
          new SimpleMeterRegistry(),
          InstantSource.fixed(Instant.EPOCH));
  private final StandInActions actions = new StandInActions();
  private final ApplicationContext context =
      HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30))
          .singletons(models, reports, status, actions)
          .start();
  private final EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
  private final HttpClient http = HttpClient.newHttpClient();
  private final BikesLedger ledger = new BikesLedger(models, bikes);

  @AfterEach
  void close() {
    http.close();
    context.close();
  }

  @Test
  void models_beforeAnyVersion_areListedAsServingNothing() throws Exception {
    JsonNode answer = json(get("/api/v1/models"));

    assertThat(answer).hasSize(2);
    assertThat(answer.get(0).get("name").asText()).isEqualTo("bikes");
    assertThat(answer.get(0).get("serving").isNull()).isTrue();
    assertThat(answer.get(0).get("rejections").isArray()).isTrue();
    assertThat(answer.get(0).get("counts").get("scored").asLong()).isZero();
  }

  @Test
  void model_showsWhatServes() throws Exception {
    LedgerVersion version = ledger.publish(0, null, 0, 1);
    ledger.head(version, HeadReason.INITIAL);
    models.apply("bikes/head", new byte[] {1}, 5_000);

    JsonNode answer = json(get("/api/v1/models/bikes"));

    JsonNode serving = answer.get("serving");
    assertThat(serving.get("version").asLong()).isZero();
    assertThat(serving.get("hash").asText()).isEqualTo(version.hash().hex());
    assertThat(serving.get("trees").asInt()).isEqualTo(1);
    assertThat(serving.get("features").asInt()).isEqualTo(3);
    assertThat(serving.get("reason").asText()).isEqualTo("INITIAL");
    assertThat(serving.get("since").asText()).isEqualTo("1970-01-01T00:16:40Z");
    assertThat(answer.get("topics").get("records").asText()).isEqualTo("bikes.records");
    assertThat(answer.get("rejections").get(0).get("at").asText())
        .isEqualTo("1970-01-01T00:00:05Z");
  }

  @Test
  void versions_areNewestFirstWithTheirParents() throws Exception {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    LedgerVersion second = ledger.publish(1, first, 0, 1);

    JsonNode answer = json(get("/api/v1/models/bikes/versions"));

    assertThat(answer).hasSize(2);
    assertThat(answer.get(0).get("hash").asText()).isEqualTo(second.hash().hex());
    assertThat(answer.get(0).get("parent").asText()).isEqualTo(first.hash().hex());
    assertThat(answer.get(0).get("publishedAt").asText()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(answer.get(0).get("metrics").get("rows").asDouble()).isEqualTo(10);
    assertThat(answer.get(0).get("metrics").get("auc").isNull()).as("NaN is no JSON").isTrue();
    assertThat(answer.get(1).get("parent").isNull()).isTrue();
    assertThat(json(get("/api/v1/models/bikes/versions?limit=1"))).hasSize(1);
  }

  @Test
  void reports_areTheNewestOldestFirst() throws Exception {
    for (long window = 1; window <= 5; window++) {
      reports.add(report(window));
    }

    JsonNode answer = json(get("/api/v1/models/bikes/reports?limit=3"));

    assertThat(answer).hasSize(3);
    assertThat(answer.get(0).get("window").asLong()).isEqualTo(3);
    assertThat(answer.get(0).get("environments").get(0).get("environment").asText())
        .isEqualTo("SPRING");
    assertThat(answer.get(0).get("constantLoss").isNull()).isTrue();
    JsonNode expected = answer.get(0).get("expected");
    assertThat(expected.get("metrics").get("rmse").asDouble()).isEqualTo(1.25);
    assertThat(expected.get("labelledRows").asLong()).isEqualTo(40);
    assertThat(expected.get("high").get("rmse").asDouble()).isEqualTo(1.25 * 1.15);
    assertThat(json(get("/api/v1/models/bikes/reports?after=4"))).hasSize(1);
    assertThat(json(get("/api/v1/models/bikes")).get("newestWindow").asLong()).isEqualTo(5);
  }

  @Test
  void score_isTheStreamsScore() throws Exception {
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    double streamed;
    try (var run =
        new TopologyRun(
            ScoringTopology.of(
                List.of(bikes),
                RecordFraming.of(Bikes.FRAMING),
                WrittenFramings.SINGLE,
                models,
                new SimpleMeterRegistry(),
                TopologyRun.troubles(),
                null))) {
      run.input("bikes.records").pipeInput("k".getBytes(UTF_8), Bikes.ride(25, "SUMMER"));
      streamed = Contracts.SCORE.decode(run.read("bikes.scores").value()).getPrediction();
    }

    JsonNode answer =
        json(
            post(
                "/api/v1/models/bikes/score",
                """
                {"temperature": 25, "season": "SUMMER",
                 "weather": {"wind": 3, "at": "1970-01-01T00:00:01Z"}, "tags": ["a"]}
                """));

    assertThat(answer.get("model").asText()).isEqualTo("bikes");
    assertThat(answer.get("version").asLong()).isZero();
    assertThat(answer.get("predictions").get(0).get("prediction").asDouble()).isEqualTo(streamed);
    assertThat(answer.get("predictions").get(0).get("rawScore").asDouble()).isEqualTo(2.5);
    assertThat(answer.get("predictions").get(0).get("rawScores")).hasToString("[2.5]");
    assertThat(answer.get("predictions").get(0).get("probabilities")).isEmpty();
  }

  @Test
  void score_ofSeveralRecords_isInTheirOrderAndTakesWhatIsMissing() throws Exception {
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);

    JsonNode answer =
        json(
            post(
                "/api/v1/models/bikes/score",
                "[{\"temperature\": 25}, {}, {\"temperature\": null}, {\"temperature\": 20}]"));

    assertThat(answer.get("predictions"))
        .extracting(prediction -> prediction.get("rawScore").asDouble())
        .containsExactly(2.5, -0.5, -0.5, -0.5);
  }

  /** What the service knows of the records beside the schema that they were learned from. */
  @Test
  void score_saysWhichFeaturesTheSchemaLacks_andWhatWasNeverSeenOrIsRounded() throws Exception {
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    Schema other =
        SchemaFile.parse(
            """
            {"type": "record", "name": "Other", "fields": [
              {"name": "season", "type": "string"},
              {"name": "degrees", "type": "long", "aliases": ["temperature"]},
              {"name": "count", "type": ["null", "double"]}]}
            """);
    status.add(other);
    String by = "/api/v1/models/bikes/score?schema=" + Fingerprint.hex(Fingerprint.of(other));

    JsonNode answer =
        json(
            post(
                by,
                """
                [{"season": "SUMMER", "temperature": 25}, {"season": "Winter", "degrees": 25},
                 {"season": " SUMMER", "degrees": 9007199254740993},
                 {"degrees": 9007199254740992, "count": 9007199254740993}]
                """));

    JsonNode predictions = answer.get("predictions");
    assertThat(predictions)
        .extracting(prediction -> prediction.get("absent").toString())
        .containsOnly("[\"weather.wind\"]");
    assertThat(predictions)
        .extracting(prediction -> prediction.get("rawScore").asDouble())
        .containsOnly(2.5);
    assertThat(predictions)
        .extracting(prediction -> prediction.get("unseen").toString())
        .containsExactly("[]", "[\"season\"]", "[]", "[]");
    assertThat(predictions)
        .extracting(prediction -> prediction.get("rounded").toString())
        .containsExactly("[]", "[]", "[\"temperature\"]", "[]");
    assertProblem(
        post(by, "{\"temprature\": 1}"), 400, "field temprature is not in the record schema Other");
  }

  @Test
  void score_ofABinaryModel_hasProbabilities() throws Exception {
    BikesLedger oddsLedger = new BikesLedger(models, odds);
    oddsLedger.head(oddsLedger.publish(0, null, 0, 0), HeadReason.INITIAL);

    JsonNode prediction = json(post("/api/v1/models/odds/score", "{}")).get("predictions").get(0);

    double positive = 1 / (1 + Math.exp(-0.5));
    assertThat(prediction.get("prediction").asDouble()).isCloseTo(positive, within(1e-15));
    assertThat(prediction.get("probabilities").get(0).asDouble())
        .isCloseTo(1 / (1 + Math.exp(0.5)), within(1e-15));
    assertThat(prediction.get("probabilities").get(1).asDouble())
        .isEqualTo(prediction.get("prediction").asDouble());
  }

  @Test
  void score_beforeAVersion_is503() throws Exception {
    assertProblem(
        post("/api/v1/models/bikes/score", "{}"), 503, "model bikes has no verified version yet");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not json | the body is not JSON",
        "3 | must be a JSON object",
        "[] | non-empty array",
        "[3] | record 0 must be a JSON object: 3",
        "{} {} | the body is not JSON",
        "{\"temperature\": 1, \"temperature\": 2} | Duplicate",
        "{\"temprature\": 1} | field temprature is not in the record schema test.Ride; did you mean"
            + " temperature?",
        "{\"temperature\": \"warm\"} | field temperature must be a number or null: \"warm\"",
        "{\"temperature\": 1e999} | field temperature must be within the numbers of 64 bits, about"
            + " ±1.8e308: 1E+999",
        "{\"season\": \"WINTER\"} | field season must be one of SPRING, SUMMER or null",
        "{\"weather\": {\"wind\": 1.5}} | field weather.wind must be a whole number or null: 1.5",
        "{\"weather\": {\"wind\": 3000000000}} | field weather.wind must be a whole number",
        "{\"weather\": {\"at\": \"yesterday\"}} | field weather.at must be an ISO 8601 date or time"
            + " (2026-05-31,",
        "{\"weather\": {\"wnd\": 1}} | field weather.wnd is not in the record schema",
        "{\"weather\": 3} | field weather must be an object or null: 3",
        "[{}, {\"id\": 3}] | record 1: field id must be a text or null: 3",
      })
  void score_ofWhatIsNoRecord_is400AndSaysWhy(String body, String detail) throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);

    assertProblem(post("/api/v1/models/bikes/score", body), 400, detail);
  }

  /** The spellings that a CSV file may have, too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-05-31",
        "2026-05-31T08:30",
        "2026-05-31 08:30",
        "2026-05-31 08:30:00.250",
        "2026-05-31T08:30:00Z",
        "2026-05-31 08:30:00+02:00"
      })
  void score_ofATimeAsFilesSpellIt_isTaken(String time) throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);

    JsonNode answer =
        json(post("/api/v1/models/bikes/score", "{\"weather\": {\"at\": \"" + time + "\"}}"));
    assertThat(answer.get("predictions")).hasSize(1);
  }

  @Test
  void score_bySchemaFingerprint() throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    String known = Fingerprint.hex(Fingerprint.of(Bikes.RIDE));

    assertThat(post("/api/v1/models/bikes/score?schema=" + known, "{}").statusCode())
        .isEqualTo(200);
    assertProblem(
        post("/api/v1/models/bikes/score?schema=0123456789abcdef", "{}"), 400, "0123456789abcdef");
    assertProblem(
        post("/api/v1/models/bikes/score?schema=x", "{}"), 400, "16 hexadecimal digits: x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain", "json", "application/jsonp", "application/json5;a=b"})
  void score_ofWhatIsNotDeclaredAsJson_is415AndNotExecuted(String type) throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.getURI().resolve("/api/v1/models/bikes/score"))
            .POST(HttpRequest.BodyPublishers.ofString("{}"));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }

    assertProblem(
        http.send(request.build(), HttpResponse.BodyHandlers.ofString()),
        415,
        "the header Content-Type must be application/json: "
            + (type.isEmpty() ? "there is none" : type));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json;charset=UTF-8", "application/json; charset=utf-8"})
  void score_ofJsonWithParameters_isTaken(String type) throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    HttpRequest request =
        HttpRequest.newBuilder(server.getURI().resolve("/api/v1/models/bikes/score"))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();

    assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void score_ofTooMuch_isRefused() throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    String many = "[" + "{},".repeat(1_000) + "{}]";
    String large = "{\"id\": \"" + "x".repeat(3 << 20) + "\"}";

    assertProblem(post("/api/v1/models/bikes/score", many), 413, "at most 1000 records: 1001");
    HttpResponse<String> tooLarge = post("/api/v1/models/bikes/score", large);
    assertThat(tooLarge.statusCode()).isEqualTo(413);
    assertThat(tooLarge.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  @Test
  void mistakes_areProblemsInOneSentence() throws Exception {
    assertProblem(
        get("/api/v1/models/boats"), 404, "there is no model boats; the configuration has");
    assertProblem(get("/api/v1/models/bikes/reports?limit=0"), 400, "limit must be 1 to 1000: 0");
    assertProblem(get("/api/v1/models/bikes/versions?limit=many"), 400, "many");
    assertProblem(get("/api/v1/nothing"), 404, "");
    assertThat(get("/beans").statusCode()).as("only health and metrics are open").isEqualTo(404);
  }

  @Test
  void health_followsTheStatus() throws Exception {
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
    assertThat(json(get("/api/v1/status")).get("ready").asBoolean()).isTrue();

    status.degraded = List.of("model bikes has served version 3 for 2 d");
    status.troubles =
        List.of(new Trouble("bikes", TroubleKind.LAGGING, "54,000 rows behind", Instant.EPOCH));
    assertThat(get("/health/readiness").statusCode()).as("a stale model is served").isEqualTo(200);
    assertThat(get("/health/readiness").body())
        .contains("\"status\":\"DEGRADED\"")
        .contains("model bikes has served version 3 for 2 d");
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(json(get("/api/v1/status")).get("degraded").get(0).asText()).contains("version 3");
    Stage train =
        new Stage("bikes", Stage.Kind.TRAIN, "g", "m", List.of("bikes.examples"), 1, Duration.ZERO);
    status.lags = Map.of(train, new Lag(54_000, Duration.ofMillis(61_500), true));
    assertThat(json(get("/api/v1/status")).get("troubles").get(0).get("kind").asText())
        .isEqualTo("lagging");
    assertThat(json(get("/api/v1/status")).get("lags").get(0))
        .hasToString(
            "{\"model\":\"bikes\",\"stage\":\"train\",\"group\":\"g\",\"rows\":54000,"
                + "\"seconds\":61.5,\"deserted\":true}");

    status.joinAwaited = List.of("model bikes: joining labels is starting");
    status.awaited = List.of("topology score is REBALANCING");
    assertThat(get("/health/joining").statusCode()).isEqualTo(503);
    assertThat(get("/health/rest").statusCode()).as("needs no broker").isEqualTo(200);
    assertThat(get("/health/readiness").body()).contains("DEGRADED", "REBALANCING", "modelTopic");
    status.starting = List.of("model bikes: no verified version has been read yet");
    assertThat(get("/health/readiness").statusCode()).isEqualTo(503);
    status.failures = List.of("topology score stopped: no space");
    assertThat(get("/health/liveness").statusCode()).isEqualTo(503);
    assertThat(get("/health/liveness").body()).contains("no space");
    assertThat(json(get("/api/v1/status")).get("alive").asBoolean()).isFalse();
  }

  @Test
  void prometheus_hasHttpAndJvmMetrics() throws Exception {
    get("/api/v1/models");

    assertThat(get("/prometheus").body())
        .contains("http_server_requests_seconds_count")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  void dashboard_isServedWithAPolicyThatForbidsForeignCode() throws Exception {
    for (String path :
        List.of(
            "/",
            "/app.js",
            "/charts.js",
            "/pages/model.js",
            "/dashboard.css",
            "/icon.svg",
            "/uplot/uPlot.iife.min.js",
            "/uplot/uPlot.min.css",
            "/uplot/LICENSE")) {
      HttpResponse<String> response = get(path);
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'none'")
          .contains("script-src 'self'")
          .doesNotContain("unsafe");
      assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
    String page = get("/").body();
    assertThat(page).contains("<title>Holdfast</title>").doesNotContain("://");
    assertThat(page).doesNotContainPattern("<script(?![^>]* src=)").doesNotContain("style=");
    assertThat(get("/app.js").headers().firstValue("Content-Type").orElse(""))
        .contains("javascript");
  }

  private static WindowReport report(long window) {
    return WindowReport.newBuilder()
        .setFormat(1)
        .setModel("bikes")
        .setWindow(window)
        .setRanges(List.of())
        .setRows(10)
        .setUnusable(Map.of())
        .setServedVersions(List.of(0L))
        .setLoss(1.5)
        .setConstantLoss(Double.NaN)
        .setMetrics(Map.of("rmse", 1.2))
        .setEnvironments(
            List.of(
                new EnvironmentReport(
                    "SPRING", 10L, 1.5, 2.0, Map.of("rmse", 1.2), List.of(), List.of())))
        .setPublishedVersion(window)
        .setDecision("learned")
        .setTreesAppended(10)
        .setTreesTotal(10)
        .setTrainingMillis(5)
        .setAt(Instant.EPOCH)
        .setExpected(DashboardStory.expected(1.25, 40, "Hardly any."))
        .build();
  }

  private static void assertProblem(HttpResponse<String> response, int status, String detail)
      throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    JsonNode problem = json(response);
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("detail").asText()).contains(detail).isNotBlank();
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new ObjectMapper().readTree(response.body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(server.getURI().resolve(path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(server.getURI().resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
