package io.holdfast.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic as data gives what the same rows in a file give. */
class TopicDataIT {
  private static final int ROWS = 600;
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");
  private static final String[] MODEL = {
    "--label=count", "--objective=squared", "--environment=station", "--rounds=5"
  };

  /** Of the first half of the rows. */
  private static final Schema OLD =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "station", "type": "string"}, {"name": "celsius", "type": "float"},
            {"name": "count", "type": "int"}]}
          """);

  /** Of the others: a field renamed and promoted, one more, another order. */
  private static final Schema NEW =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "count", "type": "long"}, {"name": "station", "type": "string"},
            {"name": "temperature", "type": "double", "aliases": ["celsius"]},
            {"name": "wind", "type": "double"}]}
          """);

  /** What reads both. */
  private static final Schema BOTH =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "count", "type": "long"}, {"name": "station", "type": "string"},
            {"name": "temperature", "type": "double"},
            {"name": "wind", "type": ["null", "double"]}]}
          """);

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static EmbeddedBroker broker;

  @SuppressWarnings("NullAway.Init")
  private static String config;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    Path file =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: '%s' }
                holdfast:
                  models:
                    rides:
                      objective: squared
                      label: count
                      environment: station
                      window: { rows: 200 }
                    empty: { objective: squared, label: count }
                """,
                broker.bootstrapServers()));
    config = "--config=" + file;
    Settings settings = Settings.read(file, Map.of());
    TopicCheck.create(settings, 3);
    String schemas = settings.topics().schemas();
    SchemaTopic.register(settings.kafka(), schemas, "rides.records", OLD);
    SchemaTopic.register(settings.kafka(), schemas, "rides.records", NEW);
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int row = 0; row < ROWS; row++) {
        Schema schema = row < ROWS / 2 ? OLD : NEW;
        byte[] value = new SingleObjectFraming(id -> null).frame(schema, body(row, schema));
        send(producer, row, value);
        if (row == 100 || row == 400) {
          send(producer, row, null); // nothing is left of what had this key
        }
      }
      byte[] nothing = {(byte) 0xC3, 1, 2, 3};
      send(producer, 450, nothing);
      var _ = producer.send(new ProducerRecord<>("rides.dead-letters", nothing));
      producer.flush();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, int row, byte @Nullable [] value) {
    // Of three partitions, each has runs of rows, so that reading one after another is no order.
    var _ =
        producer.send(
            new ProducerRecord<>(
                "rides.records",
                row / 20 % 3,
                BEGIN.plusSeconds(row).toEpochMilli(),
                new byte[] {(byte) row},
                value));
  }

  private static GenericRecord row(int row, Schema schema) {
    var builder = new GenericRecordBuilder(schema);
    float temperature = row * 37 % 101;
    for (Schema.Field field : schema.getFields()) {
      boolean wide = field.schema().getType() != Schema.Type.FLOAT;
      Object value =
          switch (field.name()) {
            case "station" -> "s" + row % 2;
            case "count" -> (long) (3 * temperature) + row % 2 + row / 200;
            case "wind" -> row < ROWS / 2 ? null : (Object) (double) (row % 7);
            default -> wide ? (Object) (double) temperature : temperature;
          };
      builder.set(
          field,
          field.schema().getType() == Schema.Type.INT && value instanceof Long count
              ? (Object) count.intValue()
              : value);
    }
    return builder.build();
  }

  private static byte[] body(int row, Schema schema) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(schema).write(row(row, schema), encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static String file(int from, int to) throws IOException {
    Path path = folder.resolve("rows-" + from + "-" + to + ".avro");
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(BOTH))) {
      writer.create(BOTH, path.toFile());
      for (int row = from; row < to; row++) {
        writer.append(row(row, BOTH));
      }
    }
    return path.toString();
  }

  private static String[] fit(String data, String... more) {
    List<String> arguments = new ArrayList<>(List.of("fit", "--data", data, "--json"));
    arguments.addAll(List.of(MODEL));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private static JsonNode fitted(CliRun run) {
    return ((ObjectNode) run.json()).without(List.of("out", "notes"));
  }

  @Test
  void fitAndScore_ofTopic_areThoseOfItsRowsInAFile() throws IOException {
    String topic = "topic://rides.records";
    String rows = file(0, ROWS);
    String model = folder.resolve("topic.hf").toString();
    CliRun run = CliRun.of(fit(topic, config, "--out=" + model));
    assertThat(fitted(run)).isEqualTo(fitted(CliRun.of(fit(rows))));
    assertThat(run.err())
        .contains("1 records of rides.records are left out", "offset 200 of partition 1: ");

    String scores = CliRun.of("score", rows, "--model=" + model).out();
    assertThat(scores.lines()).hasSize(ROWS + 1);
    CliRun ofTopic = CliRun.of("score", topic, config, "--model=" + model, "--keep=count");
    assertThat(ofTopic.exitCode()).as(ofTopic.err()).isZero();
    assertThat(ofTopic.out())
        .isEqualTo(CliRun.of("score", rows, "--model=" + model, "--keep=count").out());
  }

  @Test
  void bounds_areTimesAndOffsets() throws IOException {
    String within =
        "topic://rides.records?from=2026-03-01T00:03:20Z&to=2026-03-01T01:08:20%2B01:00";
    assertThat(fitted(CliRun.of(fit(within, config))))
        .isEqualTo(fitted(CliRun.of(fit(file(200, 500)))));
    JsonNode first = fitted(CliRun.of(fit("topic://rides.records?to=offset:20", config)));
    assertThat(first.get("rows").intValue()).isEqualTo(60); // of each of three partitions 20
    assertThat(first.get("features").toString()).isEqualTo("[\"celsius\"]");
  }

  @Test
  void backtest_ofConfiguredModel_isThatOfItsRowsInAFile() throws IOException {
    String[] data = {"topic://rides.records?from=earliest&to=latest", file(0, ROWS)};
    List<JsonNode> results = new ArrayList<>();
    for (String one : data) {
      CliRun run = CliRun.of("backtest", "--data", one, config, "--model=rides", "--json");
      JsonNode result = run.json();
      for (String measured : List.of("cpuSeconds", "trainingMillis")) {
        result.findParents(measured).forEach(each -> ((ObjectNode) each).remove(measured));
      }
      results.add(((ObjectNode) result).without("file"));
    }
    assertThat(results.getFirst()).isEqualTo(results.getLast());
  }

  @Test
  void whatCannotBeRead_isSaidInOneSentence() {
    CliRun.of(fit("topic://ride.records", config))
        .saysOneSentence(1, "has no topic ride.records: name one that it has");
    CliRun.of(fit("topic://empty.records", config))
        .saysOneSentence(1, "topic empty.records has no records from earliest to latest");
    CliRun.of(fit("topic://rides.records?from=2027-01-01", config))
        .saysOneSentence(1, "has no records from 2027-01-01T00:00:00Z to latest");
    CliRun.of(fit("topic://rides.dead-letters", config))
        .saysOneSentence(1, "none of the 1 records of topic rides.dead-letters", "offset 0 of");
    CliRun.of(fit("topic://rides.records", config, "--model=rides"))
        .saysOneSentence(2, "a model is said by --config or by flags, not by both");
  }

  @Test
  void init_ofTopicSchemaOrFile_isAConfigurationThatTheDoctorFindsWell() throws IOException {
    String at = broker.bootstrapServers();
    Path schema = Files.writeString(folder.resolve("sail.avsc"), NEW.toString());
    List<List<String>> sources =
        List.of(
            List.of("--topic=rides.records", "--environment=station"),
            List.of("--schema=" + schema),
            List.of(file(0, ROWS), "--name=boats"));
    for (List<String> source : sources) {
      Path made = folder.resolve("made.yml");
      List<String> init = new ArrayList<>(List.of("init", "--label=count", "--bootstrap=" + at));
      init.addAll(source);
      init.add("--out=" + made);
      CliRun run = CliRun.of(init.toArray(String[]::new));
      assertThat(run.exitCode()).as(run.err()).isZero();
      CliRun create = CliRun.of("topics", "create", "--config=" + made);
      assertThat(create.exitCode()).as(create.err()).isZero();
      CliRun doctor = CliRun.of("doctor", "--config=" + made);
      assertThat(doctor.exitCode()).as(doctor.err() + Files.readString(made)).isZero();
    }
    CliRun.of("init", "--topic=rides.scores", "--label=count", "--bootstrap=" + at)
        .saysOneSentence(1, "topic rides.scores has no records");
    CliRun.of("init", "--topic=sails", "--label=count", "--bootstrap=" + at)
        .saysOneSentence(1, "has no topic sails: name one that it has, or begin with --schema");
  }

  @Test
  void replay_dryRun_sendsNothing() throws IOException {
    CliRun run = CliRun.of("replay", file(0, ROWS), config, "--model=empty", "--dry-run", "--json");
    assertThat(run.json().get("records").intValue()).isEqualTo(ROWS);
    assertThat(run.json().get("dryRun").booleanValue()).isTrue();
    CliRun.of(fit("topic://empty.records", config))
        .saysOneSentence(1, "topic empty.records has no records");
  }
}
