package io.holdfast.cli.registry;

import static io.holdfast.cli.registry.RegistryWorld.PATIENCE;
import static io.holdfast.cli.registry.RideSchemas.CHANGES;
import static io.holdfast.cli.registry.RideSchemas.PLAIN;
import static io.holdfast.cli.registry.RideSchemas.RIDE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.CliRun;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.framing.TopicFraming;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that name their schema in each way, with a registry that is a real one. */
class RegistryIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<String> FRAMINGS =
      List.of("single-object", "confluent", "confluent-header", "json");

  private static final String MODELS =
      """
      rides:
        objective: squared
        label: count
        labels: { in: topic, wait: 1h }
        features: { include: [temperature] }
        trees: { rounds: 2, minRows: 5 }
        update: { policy: append }
        window: { rows: 50 }
        topics:
          framing:
            { recordSchema: ride.avsc, scores: confluent, examples: confluent-header }
      plain:
        objective: squared
        label: count
        topics:
          framing:
            records: plain
            recordSchema: plain.avsc
            scores: confluent-header
            examples: confluent
      """;

  @TempDir Path folder;
  private RegistryWorld world;
  private RegistryServer registry;
  private Settings settings;

  @BeforeEach
  void start() throws Exception {
    world = new RegistryWorld(folder, MODELS);
    registry = world.registry();
    settings = world.settings();
  }

  @AfterEach
  void stop() {
    world.close();
  }

  /** A record or label to send. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Message(byte[] key, RecordHeaders headers, byte[] value) {}

  private static byte[] body(Schema schema, float temperature) {
    var ride = new GenericRecordBuilder(schema);
    for (Schema.Field field : schema.getFields()) {
      ride.set(field, value(field, temperature));
    }
    return encode(schema, ride.build());
  }

  private static @Nullable Object value(Schema.Field field, float temperature) {
    return switch (field.name()) {
      case "station" -> "s";
      case "note" -> null;
      default -> {
        if (field.schema().toString().contains("double")) {
          yield (double) temperature;
        }
        yield temperature;
      }
    };
  }

  private static byte[] encode(Schema schema, GenericRecord record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
      encoder.flush();
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] numbered(int id, byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  private Message framed(String framing, byte[] key, Schema schema, int id, float temperature) {
    byte[] body = body(schema, temperature);
    var headers = new RecordHeaders();
    return switch (framing) {
      case "single-object" ->
          new Message(
              key, headers, new SingleObjectFraming(fingerprint -> null).frame(schema, body));
      case "confluent" -> new Message(key, headers, numbered(id, body));
      case "confluent-header" -> {
        headers.add(TopicFraming.VALUE_HEADER, numbered(id, new byte[0]));
        yield new Message(key, headers, body);
      }
      default ->
          new Message(
              key,
              headers,
              Sentence.of("{\"temperature\": %.1f, \"station\": \"s\"}", temperature)
                  .getBytes(UTF_8));
    };
  }

  /** Keys of each type, as its serializer writes them. */
  private static Map<String, byte[]> keys(int number) {
    Map<String, byte[]> keys = new LinkedHashMap<>();
    keys.put("string", Serdes.String().serializer().serialize("", "key" + number));
    keys.put("long", Serdes.Long().serializer().serialize("", (long) number));
    keys.put("int", Serdes.Integer().serializer().serialize("", number));
    keys.put("bytes", new byte[] {(byte) 0xC3, 1, (byte) number, (byte) 0xFF, 0});
    keys.put("uuid", Serdes.UUID().serializer().serialize("", new UUID(7, number)));
    keys.put("avro", numbered(99, new byte[] {(byte) number, (byte) (number >> 8)}));
    return keys;
  }

  private void send(String topic, @Nullable Integer partition, Message message) {
    world.send(topic, partition, message.key(), message.headers(), message.value());
  }

  private static String text(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  @Test
  void eachFraming_keyTypeAndSchemaChange_isScoredJoinedAndLearnedFrom() throws Exception {
    Map<String, Float> temperatures = new HashMap<>();
    List<Message> labels = new ArrayList<>();
    int number = 0;
    for (Map.Entry<String, Schema> change : CHANGES.entrySet()) {
      int id = registry.register("rides.records-value", change.getValue());
      SchemaTopic.register(
          settings.kafka(), settings.topics().schemas(), "others", change.getValue());
      for (String framing : FRAMINGS) {
        for (Map.Entry<String, byte[]> key : keys(number++).entrySet()) {
          float temperature = temperatures.size() / 2f;
          temperatures.put(text(key.getValue()), temperature);
          send(
              "rides.records",
              null,
              framed(framing, key.getValue(), change.getValue(), id, temperature));
          labels.add(
              new Message(
                  key.getValue(),
                  new RecordHeaders(),
                  Contracts.LABEL.encode(
                      Label.newBuilder().setLabel((double) temperature).build())));
        }
      }
    }
    for (int row = 0; row < 30; row++) {
      GenericRecord plain =
          new GenericRecordBuilder(PLAIN)
              .set("temperature", (double) row)
              .set("count", 1.0)
              .build();
      send(
          "plain.records",
          null,
          new Message(new byte[0], new RecordHeaders(), encode(PLAIN, plain)));
    }
    try (Service _ = Service.start(settings);
        Trainer _ = Trainer.start(settings)) {
      await().atMost(PATIENCE).until(() -> committed("rides.scores").size() >= temperatures.size());
      labels.forEach(label -> send("rides.labels", null, label));
      await()
          .atMost(PATIENCE)
          .until(() -> committed("rides.examples").size() >= temperatures.size());

      assertThat(committed("rides.scores").stream().map(score -> text(score.key())))
          .containsExactlyInAnyOrderElementsOf(temperatures.keySet());
      assertThat(committed("rides.dead-letters")).isEmpty();
      assertThat(learned()).isEqualTo(temperatures);
      await().atMost(PATIENCE).until(() -> committed("plain.examples").size() >= 30);
      assertThat(committed("plain.scores")).hasSize(30);
      assertThat(committed("plain.dead-letters")).isEmpty();
      await("two windows are learned from").atMost(PATIENCE).until(() -> windows("rides") >= 2);
      written();
    }
    asData(temperatures.size());
  }

  /** Records in every framing, and examples with the labels that came, are data of commands. */
  private void asData(int rows) {
    String config = "--config=" + folder.resolve("holdfast.yml");
    String model = folder.resolve("rides.hf").toString();
    CliRun fit =
        CliRun.of(
            "fit",
            "--data=topic://rides.examples",
            config,
            "--model=rides",
            "--out=" + model,
            "--json");
    assertThat(fit.json().get("rows").intValue()).as(fit.err()).isEqualTo(rows);
    CliRun score = CliRun.of("score", "topic://rides.records", config, "--model=" + model);
    assertThat(score.out().lines()).as(score.err()).hasSize(rows + 1);
    assertThat(score.err()).isEmpty();
  }

  /** What is framed for a registry reads the same by what the registry says, and by Holdfast. */
  private void written() throws Exception {
    Set<String> ids = new HashSet<>();
    try (SchemaRegistry client =
            new SchemaRegistry(requireNonNull(settings.registry()), failure -> {});
        SchemaTopic schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas())) {
      for (String topic : List.of("rides.scores", "plain.scores")) {
        for (ConsumerRecord<byte[], byte[]> record : committed(topic)) {
          Score score = Contracts.SCORE.decode(record.value());
          String named = score.toString().replace(", \"uncertainty\": null}", "}"); // not asked for
          assertThat(stranger(client, record)).hasToString(named);
          ids.add(score.getId());
        }
      }
      for (Schema written :
          List.of(
              Contracts.SCORE.before(), Contracts.EXAMPLE.before(), Contracts.REPORT.schema())) {
        assertThat(schemas.find(Fingerprint.of(written))).isEqualTo(written);
      }
    }
    assertThat(ids)
        .contains(
            "key3", "3", "c30103ff00", "00000000-0000-0007-0000-000000000003", "00000000630300");
    assertThat(registry.subjects())
        .contains(
            "rides.scores-io.holdfast.schemas.avro.Score",
            "rides.shadow-scores-io.holdfast.schemas.avro.Score",
            "rides.examples-io.holdfast.schemas.avro.Example",
            "holdfast.reports-io.holdfast.schemas.avro.WindowReport");
  }

  /** As a client of a registry reads it, who knows nothing of Holdfast. */
  private static GenericRecord stranger(
      SchemaRegistry client, ConsumerRecord<byte[], byte[]> record) throws Exception {
    Header header = record.headers().lastHeader(TopicFraming.VALUE_HEADER);
    ByteBuffer id = ByteBuffer.wrap(header == null ? record.value() : header.value());
    Schema schema =
        client.find(
            id.get() == 0
                ? new SchemaId.Numbered(id.getInt())
                : new SchemaId.Guid(new UUID(id.getLong(), id.getLong())));
    int from = header == null ? id.position() : 0;
    return new GenericDatumReader<GenericRecord>(schema)
        .read(
            null,
            DecoderFactory.get()
                .binaryDecoder(record.value(), from, record.value().length - from, null));
  }

  @Test
  void registryThatStopsAndStartsAgain_losesNothing_andStopsOnlyWhatItAloneKnows()
      throws Exception {
    int known = registry.register("rides.records-value", RIDE);
    int unknown = registry.register("rides.records-value", CHANGES.get("added"));
    int sent = 0;
    try (Service service = Service.start(settings);
        Trainer _ = Trainer.start(settings)) {
      sent += ride(0, "confluent", RIDE, known);
      sent += ride(1, "confluent", RIDE, known);
      scores(sent);

      registry.stop();
      // Partition 0 waits at a schema that was never asked for; what is behind it waits, too.
      int held = ride(0, "confluent", CHANGES.get("added"), unknown);
      held += ride(0, "confluent", RIDE, known);
      for (int i = 0; i < 50; i++) {
        sent += ride(1, i % 2 == 0 ? "confluent" : "json", RIDE, known);
      }
      scores(sent);
      await().atMost(PATIENCE).until(() -> health(service).contains("partitions wait"));
      assertThat(health(service)).contains("DEGRADED").contains("rides.records-0 at offset 1");
      assertThat(get(service, "/prometheus"))
          .contains("holdfast_schema_waiting{model=\"rides\"} 1.0")
          .contains("holdfast_trouble{kind=\"registry\",model=\"rides\"} 1.0");
      scores(sent);

      registry.start();
      sent += held;
      scores(sent);
      await().atMost(PATIENCE).until(() -> !health(service).contains("DEGRADED"));
    }

    // Another start, while it is down: what it said stands on the schema topic.
    registry.stop();
    try (Service _ = Service.start(settings);
        Trainer _ = Trainer.start(settings)) {
      sent += ride(0, "confluent", CHANGES.get("added"), unknown);
      sent += ride(1, "confluent-header", RIDE, known);
      scores(sent);
      registry.start();
      // An id that was never given out stops nobody, once the registry says so.
      ride(0, "confluent", RIDE, 4_000);
      sent += ride(0, "confluent", RIDE, known);
      scores(sent);
      assertThat(committed("rides.dead-letters"))
          .singleElement()
          .satisfies(
              letter ->
                  assertThat(
                          new String(
                              letter.headers().lastHeader("__streams.errors.message").value(),
                              UTF_8))
                      .contains("the schema registry says that it has no schema 4000"));
    }
  }

  private int rides;

  /** Sends a record into a partition; how many that were. */
  private int ride(int partition, String framing, Schema schema, int id) {
    byte[] key = ("ride" + rides++).getBytes(UTF_8);
    send("rides.records", partition, framed(framing, key, schema, id, rides));
    return 1;
  }

  /** Waits for so many scores, each of a record of its own. */
  private void scores(int count) {
    await().atMost(PATIENCE).until(() -> committed("rides.scores").size() >= count);
    assertThat(committed("rides.scores").stream().map(score -> text(score.key())))
        .doesNotHaveDuplicates()
        .hasSize(count);
  }

  private static String health(Service service) throws Exception {
    return get(service, "/health");
  }

  private static String get(Service service, String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(service.url().resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** How many windows came to a version. */
  private long windows(String model) throws Exception {
    long windows = 0;
    for (ConsumerRecord<byte[], byte[]> record : committed("holdfast.reports")) {
      WindowReport report = Contracts.REPORT.decode(record.value());
      boolean learned = report.getPublishedVersion() != null && report.getRows() > 0;
      windows += report.getModel().equals(model) && learned ? 1 : 0;
    }
    return windows;
  }

  /** The feature of each example, read as whoever knows the schema topic alone reads it. */
  private Map<String, Float> learned() throws Exception {
    try (SchemaTopic schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas())) {
      assertThat(schemas.awaitCaughtUp(PATIENCE)).isTrue();
      Framing framing = new SingleObjectFraming(schemas);
      Map<String, Float> learned = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record : committed("rides.examples")) {
        Example example = Contracts.EXAMPLE.decode(record.value());
        byte[] ride = example.getRecord().array();
        Framing.Frame frame = framing.open(ride);
        GenericRecord read =
            new GenericDatumReader<GenericRecord>(frame.schema())
                .read(
                    null,
                    DecoderFactory.get()
                        .binaryDecoder(
                            ride, frame.bodyOffset(), ride.length - frame.bodyOffset(), null));
        Object feature = read.hasField("celsius") ? read.get("celsius") : read.get("temperature");
        learned.put(text(record.key()), ((Number) feature).floatValue());
        assertThat(example.getLabel()).isEqualTo(((Number) feature).doubleValue());
      }
      return learned;
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    return world.committed(topic);
  }
}
