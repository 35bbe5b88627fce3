package io.holdfast.cli.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.ledger.LedgerCodec;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Service;
import io.holdfast.service.ServiceStartException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The service alone, on a real broker, in the order that an installation lives through it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServiceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 3;
  private static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "temperature", "type": "double"},
            {"name": "count", "type": ["null", "double"]},
            {"name": "note", "type": ["null", "string"], "default": null}]}
          """);
  private static final RecordEncoder RIDES = new RecordEncoder(RIDE);
  private static final ContractCodec<Score> SCORES = new ContractCodec<>(Score.class);
  private static final ContractCodec<Example> EXAMPLES = new ContractCodec<>(Example.class);
  private static final ContractCodec<Label> LABELS = new ContractCodec<>(Label.class);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static Settings settings;
  private static Service service;
  private static KafkaProducer<String, byte[]> producer;
  private static final Map<String, LedgerVersion> VERSIONS = new HashMap<>();

  @BeforeAll
  static void startBroker() throws Exception {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    Path config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
            kafka:
              bootstrap.servers: %s
            holdfast:
              service: { port: 0, stateDirectory: %s }
              models:
                inside:
                  objective: squared
                  label: count
                apart:
                  objective: squared
                  label: count
                  labels: { in: topic, wait: 1h }
            """,
                broker.bootstrapServers(), folder.resolve("state")));
    settings = Settings.read(config, Map.of());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    if (producer != null) {
      producer.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  @Order(1)
  void start_topicsMissing_saysWhichAndHowToMakeThem() {
    assertThatThrownBy(() -> Service.start(settings))
        .isInstanceOf(ServiceStartException.class)
        .hasMessageContaining("inside.records")
        .hasMessageContaining("holdfast topics");
  }

  @Test
  @Order(2)
  void beforeAVersion_alive_notReadyAndSaysWhatIsAwaited() throws Exception {
    TopicCheck.create(settings, PARTITIONS);
    for (String model : List.of("inside", "apart")) {
      SchemaTopic.register(settings.kafka(), settings.topics().schemas(), model + ".records", RIDE);
    }
    service = Service.start(settings);

    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    HttpResponse<String> readiness = get("/health/readiness");
    assertThat(readiness.statusCode()).isEqualTo(503);
    assertThat(readiness.body()).contains("model apart has no verified version yet");
    assertThat(post("/api/models/inside/score", "{}").statusCode()).isEqualTo(503);
  }

  @Test
  @Order(3)
  void portTaken_saysSoInOneSentence() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("taken.yml"),
            Files.readString(folder.resolve("holdfast.yml"))
                .replace("port: 0", "port: " + service.url().getPort()));
    Settings taken = Settings.read(config, Map.of());

    assertThatThrownBy(() -> Service.start(taken))
        .isInstanceOf(ServiceStartException.class)
        .hasMessageContaining("port " + service.url().getPort())
        .hasMessageContaining("holdfast.service.port");
  }

  @Test
  @Order(4)
  void firstVersions_makeItReady() throws Exception {
    publish("inside", 0, 0);
    assertThat(service.ready()).isFalse();
    publish("apart", 0, 0);

    await().atMost(PATIENCE).until(service::ready);
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
  }

  @Test
  @Order(5)
  void records_haveOneOutcomeEachInTheirPartition() throws Exception {
    int rows = 2_000;
    for (int row = 0; row < rows; row++) {
      boolean bad = row % 100 == 7;
      byte[] value = bad ? "not avro".getBytes(UTF_8) : ride(row, (double) row);
      send("inside.records", "k" + row, value, row);
      if (row == rows / 2) {
        producer.flush();
        publish("inside", 1, 5);
      }
    }
    producer.flush();

    int bad = rows / 100;
    var scores = readAll("inside.scores", rows - bad);
    var letters = readAll("inside.dead-letters", bad);
    var examples = readAll("inside.examples", rows - bad);
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
      send("apart.records", "k" + row, ride(row, null), row);
    }
    for (int row = 0; row < rows; row++) {
      byte[] label = LABELS.encode(new Label((double) row, null, null));
      send("apart.labels", "k" + row, label, row);
      if (row % 50 == 0) {
        send("apart.labels", "k" + row, label, row + 1);
      }
    }
    producer.flush();

    var examples = readAll("apart.examples", rows);
    var letters = readAll("apart.dead-letters", rows / 50);
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
  void http_scoresAsTheStreamDoesAndShowsWhatServes() throws Exception {
    await().atMost(PATIENCE).until(() -> servedVersion("inside") == 1);

    HttpResponse<String> scored = post("/api/models/inside/score", "[{\"temperature\": 12}, {}]");
    assertThat(scored.statusCode()).isEqualTo(200);
    JsonNode answer = new ObjectMapper().readTree(scored.body());
    assertThat(answer.get("version").asLong()).isEqualTo(1);
    assertThat(answer.get("hash").asText()).isEqualTo(VERSIONS.get("inside").hash().hex());
    assertThat(answer.get("predictions").get(0).get("prediction").asDouble()).isEqualTo(5);

    assertThat(get("/api/models/inside").body()).contains("\"scored\":1980");
    assertThat(get("/api/models/inside/versions").body())
        .contains(VERSIONS.get("inside").hash().hex());
    assertThat(get("/prometheus").body())
        .contains("holdfast_records_scored_total{model=\"inside\"} 1980")
        .contains("kafka_stream");
  }

  @Test
  @Order(8)
  void largeRecords_areScoredJoinedOrRefusedAndTheStreamGoesOn() throws Exception {
    byte[] fits = ride(1, 1.0, "x".repeat(895_000));
    byte[] tooLarge = ride(1, 1.0, "x".repeat(950_000));
    send("inside.records", "k1", fits, 1);
    send("inside.records", "k2", tooLarge, 2);
    send("apart.records", "k900", fits, 900);
    send("apart.labels", "k900", LABELS.encode(new Label(900.0, null, null)), 900);
    producer.flush();

    assertThat(readAll("inside.examples", 1_981)).hasSize(1_981);
    assertThat(readAll("apart.examples", 501)).hasSize(501);
    var letters = readAll("inside.dead-letters", 21);
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
    send("inside.records", "after", ride(1, 1.0), 1_000);
    send("apart.records", "late", ride(1, null), 1_000);
    producer.flush();
    long start = System.nanoTime();
    service = Service.start(settings);
    await().atMost(PATIENCE).until(service::ready);
    send("apart.labels", "late", LABELS.encode(new Label(1.0, null, null)), 1_001);
    producer.flush();

    assertThat(readAll("inside.scores", 1_982)).hasSize(1_982);
    assertThat(readAll("apart.examples", 502)).hasSize(502);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
  }

  private static void publish(String model, long number, double value) throws Exception {
    List<Segment> segments =
        number == 0
            ? List.of()
            : List.of(
                new Segment(
                    List.of(
                        new Tree(
                            new int[0],
                            new double[0],
                            new boolean[0],
                            new long[0][],
                            new int[0],
                            new int[0],
                            new double[] {value}))));
    LedgerCodec.Encoded encoded =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                model,
                number,
                VERSIONS.get(model),
                new Model(new Squared(), List.of(new Feature.Numeric("temperature")), 0, segments),
                1,
                List.of(),
                List.of(),
                List.of(),
                1,
                "{}",
                Map.of(),
                "test"));
    VERSIONS.put(model, encoded.version());
    List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
    for (var record : encoded.records()) {
      records.add(
          new ProducerRecord<>(
              settings.topics().models(), record.key().toString(), record.value()));
    }
    var head =
        LedgerCodec.encode(
            LedgerCodec.head(
                encoded.version(), HeadReason.TRAINED, "test", "", Instant.ofEpochMilli(0)));
    records.add(
        new ProducerRecord<>(settings.topics().models(), head.key().toString(), head.value()));
    for (ProducerRecord<String, byte[]> record : records) {
      producer.send(record).get();
    }
  }

  private static byte[] ride(double temperature, Double count) {
    return ride(temperature, count, null);
  }

  private static byte[] ride(double temperature, Double count, String note) {
    return RIDES.encode(
        new GenericRecordBuilder(RIDE)
            .set("temperature", temperature)
            .set("count", count)
            .set("note", note)
            .build());
  }

  private static void send(String topic, String key, byte[] value, int row) {
    var _ = producer.send(new ProducerRecord<>(topic, null, timeOf("k" + row), key, value));
  }

  private static long timeOf(String key) {
    return 1_700_000_000_000L + Long.parseLong(key.substring(1));
  }

  /**
   * All committed records of a topic, once there are so many, and then what a moment more brings.
   */
  private static List<ConsumerRecord<String, byte[]>> readAll(String topic, int atLeast) {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        partitions.add(new TopicPartition(topic, partition));
      }
      consumer.assign(partitions);
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= atLeast;
              });
      consumer.poll(Duration.ofMillis(500)).forEach(records::add);
    }
    return records;
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
