package io.holdfast.cli.service;

import static io.holdfast.cli.service.Installation.PATIENCE;
import static io.holdfast.cli.service.Installation.ride;
import static io.holdfast.cli.service.Installation.timeOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service on a real broker, in the order that an installation lives through it: alone, and at
 * last with a trainer and models of several kinds.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServiceIT {
  /** Versions that serve until a window of 200 rows is full: of 5 labels, and of 20. */
  private static final int CONSTANTS = 2;

  private static final ContractCodec<Score> SCORES = Contracts.SCORE;
  private static final ContractCodec<Example> EXAMPLES = Contracts.EXAMPLE;
  private static final ContractCodec<Label> LABELS = new ContractCodec<>(Label.class);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static Installation at;
  private static Service service;

  @BeforeAll
  static void startBroker() throws Exception {
    at = new Installation(folder);
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    at.close();
  }

  @Test
  @Order(1)
  void start_topicsMissing_saysWhichAndHowToMakeThem() {
    assertThatThrownBy(() -> Service.start(at.settings()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("inside.records")
        .hasMessageContaining("holdfast topics");
  }

  @Test
  @Order(2)
  void beforeAVersion_alive_notReadyAndSaysWhatIsAwaited() throws Exception {
    at.createTopics();
    service = Service.start(at.settings());

    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    HttpResponse<String> readiness = get("/health/readiness");
    assertThat(readiness.statusCode()).isEqualTo(503);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                get("/health/readiness")
                    .body()
                    .contains("model apart: it has no verified version yet"));
    assertThat(post("/api/v1/models/inside/score", "{}").statusCode()).isEqualTo(503);
  }

  @Test
  @Order(3)
  void portTaken_saysSoInOneSentence() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("taken.yml"),
            Files.readString(at.config())
                .replace("port: 0", "port: " + service.url().getPort())
                .replace("stateDirectory: ", "stateDirectory: " + folder + "/other"));
    Settings taken = Settings.read(config, Map.of());

    assertThatThrownBy(() -> Service.start(taken))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("port " + service.url().getPort())
        .hasMessageContaining("holdfast.service.port");
  }

  @Test
  @Order(4)
  void firstVersions_makeItReady() throws Exception {
    at.publish("inside", 0, 0);
    await().atMost(PATIENCE).until(service::ready);
    assertThat(get("/health/readiness").body()).contains("DEGRADED").contains("model apart: ");
    at.publish("apart", 0, 0);

    await().atMost(PATIENCE).until(() -> service.status().degraded().isEmpty() && service.ready());
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
  }

  @Test
  @Order(5)
  void records_haveOneOutcomeEachInTheirPartition() throws Exception {
    int rows = 2_000;
    for (int row = 0; row < rows; row++) {
      boolean bad = row % 100 == 7;
      byte[] value = bad ? "not avro".getBytes(UTF_8) : ride(row, (double) row);
      at.send("inside.records", "k" + row, value, row);
      if (row == rows / 2) {
        at.flush();
        at.publish("inside", 1, 5);
      }
    }
    at.flush();

    int bad = rows / 100;
    var scores = at.readAll("inside.scores", rows - bad);
    var letters = at.readAll("inside.dead-letters", bad);
    var examples = at.readAll("inside.examples", rows - bad);
    assertThat(scores).hasSize(rows - bad);
    assertThat(letters).hasSize(bad);
    assertThat(examples).hasSize(rows - bad);
    Set<String> seen = new HashSet<>();
    for (var record : scores) {
      Score score = SCORES.decode(record.value());
      assertThat(record.partition()).isEqualTo(score.getSourcePartition());
      assertThat(seen.add(score.getSourcePartition() + "@" + score.getSourceOffset())).isTrue();
      double expected = score.getVersion() == 0 ? 0 : 5;
      assertThat(score.getPrediction()).isEqualTo(expected);
      assertThat(record.timestamp()).isEqualTo(timeOf(record.key()));
    }
    for (var record : examples) {
      Example example = EXAMPLES.decode(record.value());
      assertThat(record.partition()).isEqualTo(example.getSourcePartition());
      assertThat(record.key()).isEqualTo("k" + (long) example.getLabel());
    }
    for (var record : letters) {
      assertThat(record.value()).isEqualTo("not avro".getBytes(UTF_8));
      assertThat(record.headers().lastHeader("holdfast.reason").value())
          .isEqualTo("UNKNOWN_FRAMING".getBytes(UTF_8));
    }
  }

  @Test
  @Order(6)
  void labelsApart_joinTheirRecords() throws Exception {
    int rows = 500;
    for (int row = 0; row < rows; row++) {
      at.send("apart.records", "k" + row, ride(row, null), row);
    }
    for (int row = 0; row < rows; row++) {
      byte[] label = LABELS.encode(new Label((double) row, null, null));
      at.send("apart.labels", "k" + row, label, row);
      if (row % 50 == 0) {
        at.send("apart.labels", "k" + row, label, row + 1);
      }
    }
    at.flush();

    var examples = at.readAll("apart.examples", rows);
    var letters = at.readAll("apart.dead-letters", rows / 50);
    assertThat(examples).hasSize(rows);
    for (var record : examples) {
      Example example = EXAMPLES.decode(record.value());
      assertThat(record.partition()).isEqualTo(example.getSourcePartition());
      assertThat(record.key()).isEqualTo("k" + (long) example.getLabel());
    }
    assertThat(letters)
        .allSatisfy(
            letter ->
                assertThat(letter.headers().lastHeader("holdfast.reason").value())
                    .isEqualTo("DUPLICATE".getBytes(UTF_8)));
  }

  @Test
  @Order(7)
  void ourSchemas_areFoundByTheirFingerprintsWithoutARegistry() throws Exception {
    try (var schemas = new SchemaTopic(at.settings().kafka(), at.settings().topics().schemas())) {
      for (String topic : List.of("inside.scores", "inside.examples")) {
        ByteBuffer value = ByteBuffer.wrap(at.readAll(topic, 1).getFirst().value());
        long fingerprint = value.order(ByteOrder.LITTLE_ENDIAN).getLong(2); // behind C3 01
        await().atMost(PATIENCE).until(() -> schemas.find(fingerprint) != null);
      }
    }
  }

  @Test
  @Order(7)
  void http_scoresAsTheStreamDoesAndShowsWhatServes() throws Exception {
    await().atMost(PATIENCE).until(() -> servedVersion("inside") == 1);

    HttpResponse<String> scored =
        post("/api/v1/models/inside/score", "[{\"temperature\": 12}, {}]");
    assertThat(scored.statusCode()).isEqualTo(200);
    JsonNode answer = new ObjectMapper().readTree(scored.body());
    assertThat(answer.get("version").asLong()).isEqualTo(1);
    assertThat(answer.get("hash").asText()).isEqualTo(at.version("inside").hash().hex());
    assertThat(answer.get("predictions").get(0).get("prediction").asDouble()).isEqualTo(5);

    assertThat(get("/api/v1/models/inside").body()).contains("\"scored\":1980");
    assertThat(get("/api/v1/models/inside/versions").body())
        .contains(at.version("inside").hash().hex());
    assertThat(get("/prometheus").body())
        .contains("holdfast_records_scored_total{model=\"inside\"} 1980")
        .contains("kafka_stream");
  }

  @Test
  @Order(8)
  void largeRecords_areScoredJoinedOrRefusedAndTheStreamGoesOn() throws Exception {
    byte[] fits = ride(1, 1.0, "x".repeat(895_000));
    byte[] tooLarge = ride(1, 1.0, "x".repeat(950_000));
    at.send("inside.records", "k1", fits, 1);
    at.send("inside.records", "k2", tooLarge, 2);
    at.send("apart.records", "k900", fits, 900);
    at.send("apart.labels", "k900", LABELS.encode(new Label(900.0, null, null)), 900);
    at.flush();

    assertThat(at.readAll("inside.examples", 1_981)).hasSize(1_981);
    assertThat(at.readAll("apart.examples", 501)).hasSize(501);
    var letters = at.readAll("inside.dead-letters", 21);
    assertThat(letters)
        .filteredOn(
            letter ->
                new String(letter.headers().lastHeader("holdfast.reason").value(), UTF_8)
                    .equals("LIMIT_EXCEEDED"))
        .singleElement()
        .satisfies(letter -> assertThat(letter.value()).isNull());
  }

  @Test
  @Order(9)
  void restart_goesOnWhereItStood() throws Exception {
    service.close();
    at.send("inside.records", "after", ride(1, 1.0), 1_000);
    at.send("apart.records", "late", ride(1, null), 1_000);
    at.flush();
    long start = System.nanoTime();
    service = Service.start(at.settings());
    await().atMost(PATIENCE).until(service::ready);
    at.send("apart.labels", "late", LABELS.encode(new Label(1.0, null, null)), 1_001);
    at.flush();

    assertThat(at.readAll("inside.scores", 1_982)).hasSize(1_982);
    assertThat(at.readAll("apart.examples", 502)).hasSize(502);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
  }

  @Test
  @Order(10)
  void classesAndCounts_areLearnedAndServedBesideEachOther() throws Exception {
    service.close();
    Settings settings =
        at.second(
            folder,
            """
            classes:
              objective: softmax
              classes: [cold, mild, hot]
              label: count
              gamma: 2
              trees: { rounds: 5, minRows: 5, learningRate: 0.3 }
              update: { policy: append }
              window: { rows: 200 }
            grades:
              objective: ordinal
              classes: 3
              label: count
              trees: { rounds: 5, minRows: 5, learningRate: 0.3 }
              update: { policy: append }
              window: { rows: 200 }
            rides:
              objective: poisson
              label: count
              labels: { in: topic }
              trees: { rounds: 5, minRows: 5, learningRate: 0.3 }
              update: { policy: append }
              window: { rows: 200 }
            """);
    service = Service.start(settings);
    try (Trainer trainer = Trainer.start(settings)) {
      await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
      for (int window = 0; window < 3; window++) {
        for (int row = 200 * window; row < 200 * (window + 1); row++) {
          sendRide(row);
        }
        at.flush();
        for (String model : settings.models().keySet()) {
          long learned = CONSTANTS + window + 1L;
          await().atMost(PATIENCE).until(() -> servedVersion(model) == learned);
        }
      }
    }
    assertScores("classes", 3, 3);
    assertScores("grades", 3, 1);
    assertScores("rides", 0, 1);
    assertHttp("classes", "\"objectiveParameters\":{\"classes\":3.0}", "logLoss", "recall_hot");
    assertHttp("grades", "\"theta2\":", "logLoss", "mae");
    assertHttp("rides", "\"objectiveParameters\":{}", "deviance", "rmse");
  }

  @Test
  @Order(11)
  void requestThatNeverEnds_isHeldForRequestTimeout() throws Exception {
    URI url = service.url();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      String part =
          "POST /api/v1/models/classes/score HTTP/1.1\r\nContent-Type: application/json\r\n"
              + "Content-Length: 9\r\n\r\n{";
      socket.getOutputStream().write(part.getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 408");
    }
  }

  /** Three bands of temperature: the class is the band, the count nine times it. */
  private static void sendRide(int row) {
    double temperature = row % 30;
    int band = row % 30 / 10;
    at.send("classes.records", "k" + row, ride(temperature, (double) band), row);
    at.send("grades.records", "k" + row, ride(temperature, (double) band), row);
    at.send("rides.records", "k" + row, ride(temperature, null), row);
    at.send("rides.labels", "k" + row, LABELS.encode(new Label(9.0 * band, null, null)), row);
  }

  private static void assertScores(String model, int classes, int rawScores) throws Exception {
    int learned = 0;
    for (var record : at.readAll(model + ".scores", 600)) {
      Score score = SCORES.decode(record.value());
      assertThat(score.getRawScores()).hasSize(rawScores);
      assertThat(score.getProbabilities()).hasSize(classes);
      if (classes > 0) {
        assertThat(score.getProbabilities().stream().mapToDouble(p -> p).sum())
            .isCloseTo(1, within(1e-12));
      }
      if (score.getVersion() == CONSTANTS + 2) {
        int band = Integer.parseInt(record.key().substring(1)) % 30 / 10;
        assertThat(score.getLabel())
            .isEqualTo(rawScores == 3 ? List.of("cold", "mild", "hot").get(band) : null);
        double expected = classes > 0 ? band : 9.0 * band;
        assertThat(score.getPrediction()).isCloseTo(expected, within(classes > 0 ? 0 : 3.0));
        learned++;
      }
    }
    assertThat(learned).isEqualTo(200);
  }

  private static void assertHttp(String model, String parameters, String... metrics)
      throws Exception {
    String path = "/api/v1/models/" + model;
    HttpResponse<String> scored = post(path + "/score", "{\"temperature\": 25}");
    assertThat(scored.statusCode()).isEqualTo(200);
    JsonNode prediction = new ObjectMapper().readTree(scored.body()).at("/predictions/0");
    assertThat(prediction.get("prediction").asDouble()).isGreaterThan(1.9);
    assertThat(prediction.get("rawScores")).isNotEmpty();
    boolean named = model.equals("classes");
    assertThat(prediction.path("label").asText("")).isEqualTo(named ? "hot" : "");
    assertThat(get(path).body().contains("\"classes\":[\"cold\",\"mild\",\"hot\"]"))
        .isEqualTo(named);
    assertThat(get(path + "/versions").body()).contains(parameters);
    JsonNode report = new ObjectMapper().readTree(get(path + "/reports").body()).get(2);
    assertThat(report.get("loss").asDouble()).isLessThan(report.get("constantLoss").asDouble());
    for (String metric : metrics) {
      assertThat(report.at("/metrics/" + metric).isNumber()).as(metric).isTrue();
    }
  }

  private static long servedVersion(String model) {
    var serving = service.models().find(model).orElseThrow().serving();
    return serving == null ? -1 : serving.model().number();
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(url(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(url(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static URI url(String path) {
    return service.url().resolve(path);
  }
}
