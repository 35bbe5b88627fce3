package io.holdfast.schemas.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.registry.FakeRegistry;
import io.holdfast.schemas.registry.RegistryException;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Registry.Credentials;
import io.holdfast.schemas.settings.Registry.Subjects;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContractFramingsTest {
  private static final String GUID = "0b8a3c1e-77f0-4a6e-9d0c-5c1f2e3d4a5b";
  private static final Schema SCORE = Contracts.SCORE.schema();

  private FakeRegistry server;
  private final MemoryStore store = new MemoryStore();

  /** A store without a topic. */
  private static final class MemoryStore implements SchemaStore {
    private final Map<SchemaId, Schema> kept = new HashMap<>();

    @Override
    public @Nullable Schema find(SchemaId id) {
      return kept.get(id);
    }

    @Override
    public Schema keep(String topic, SchemaId id, Schema schema) {
      kept.put(id, schema);
      return schema;
    }

    @Override
    public @Nullable Registered known(Schema schema) {
      return kept.containsValue(schema) ? new Registered(7, null) : null;
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = new FakeRegistry();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ContractFraming framing(Subjects subjects, Format format) throws RegistryException {
    var settings =
        new Registry(
            List.of(server.url()),
            new Credentials.None(),
            null,
            Registry.TIMEOUT,
            subjects,
            Format.SINGLE_OBJECT);
    try (SchemaRegistry registry = new SchemaRegistry(settings, failure -> {})) {
      return new ContractFramings(registry, store).of("m.scores", format, SCORE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TOPIC, m.scores-value",
    "RECORD, io.holdfast.schemas.avro.Score",
    "TOPIC_RECORD, m.scores-io.holdfast.schemas.avro.Score"
  })
  void schema_isRegisteredUnderTheStrategysSubject(Subjects subjects, String subject)
      throws RegistryException {
    String path = "/subjects/" + subject + "/versions";
    server.on(path, FakeRegistry.json(200, "{\"id\": 7, \"guid\": \"" + GUID + "\"}"));

    assertThat(framing(subjects, Format.CONFLUENT).prefix()).containsExactly(0, 0, 0, 0, 7);
    assertThat(server.asked()).containsExactly(path);
    assertThat(store.kept).hasSize(2).containsKey(new SchemaId.Numbered(7));
  }

  @Test
  void headers_nameTheValuesOwnSchema_andAreElseTheRecords() throws RegistryException {
    String path = "/subjects/m.scores-value/versions";
    server.on(path, FakeRegistry.json(200, "{\"id\": 7, \"guid\": \"" + GUID + "\"}"));
    Headers plain = new RecordHeaders().add("a", new byte[] {1});
    Headers named = new RecordHeaders(plain).add(TopicFraming.VALUE_HEADER, new byte[] {2});

    ContractFraming headed = framing(Subjects.TOPIC, Format.CONFLUENT_HEADER);
    assertThat(headed.prefix()).isEmpty();
    String guid = "01" + GUID.replace("-", "");
    assertThat(id(headed.headers(plain))).isEqualTo(guid);
    assertThat(id(headed.headers(named))).isEqualTo(guid);
    assertThat(headed.headers(named).lastHeader("a").value()).containsExactly(1);
    assertThat(named.lastHeader(TopicFraming.VALUE_HEADER).value()).containsExactly(2);

    ContractFraming single = framing(Subjects.TOPIC, Format.SINGLE_OBJECT);
    assertThat(single.headers(plain)).isSameAs(plain);
    assertThat(single.headers(named).lastHeader(TopicFraming.VALUE_HEADER)).isNull();

    server.on(path, FakeRegistry.json(200, "{\"id\": 7}"));
    assertThat(id(framing(Subjects.TOPIC, Format.CONFLUENT_HEADER).headers(plain)))
        .as("of a registry without GUIDs")
        .isEqualTo("0000000007");
  }

  @ParameterizedTest
  @CsvSource({"'', false", "'uncertainty: { coverage: 0.9 }', true"})
  void olderProgramsReadWhatOnlyThePresentSchemasCannotSay(
      String setting, boolean present, @TempDir Path folder) throws IOException, RegistryException {
    String model = "holdfast: { models: { m: { objective: squared, label: y, %s } } }";
    Path file =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            "kafka: { bootstrap.servers: here }\n" + model.replace("%s", setting));
    ModelSettings settings = Settings.read(file, Map.of()).model("m");

    WrittenFramings written = new ContractFramings().of(settings);

    for (ContractFraming scores : List.of(written.scores(), written.shadowScores())) {
      assertThat(scores.prefix()).isEqualTo(prefix(Contracts.SCORE, present));
      assertThat(scores.has("uncertainty")).isEqualTo(present);
    }
    assertThat(written.examples().prefix()).isEqualTo(prefix(Contracts.EXAMPLE, present));
    assertThat(written.examples().has("uncertainty")).isEqualTo(present);
  }

  private static byte[] prefix(ContractCodec<?> contract, boolean present) {
    return ContractFraming.single(present ? contract.schema() : contract.before()).prefix();
  }

  private static String id(Headers headers) {
    return HexFormat.of().formatHex(headers.lastHeader(TopicFraming.VALUE_HEADER).value());
  }

  @Test
  void refusal_isASentenceThatNamesSchemaAndSubject() {
    server.otherwise(
        FakeRegistry.json(409, "{\"error_code\": 409, \"message\": \"incompatible\"}"));
    assertThatThrownBy(() -> framing(Subjects.TOPIC, Format.CONFLUENT))
        .isInstanceOf(RegistryException.class)
        .hasMessage(
            "schema io.holdfast.schemas.avro.Score cannot be registered as subject m.scores-value:"
                + " the schema registry does not take it: HTTP 409, incompatible");

    server.otherwise(FakeRegistry.json(403, "{}"));
    assertThatThrownBy(() -> framing(Subjects.TOPIC, Format.CONFLUENT))
        .hasMessageStartingWith("schema io.holdfast.schemas.avro.Score cannot be registered as")
        .hasMessageContaining("m.scores-value")
        .hasMessageContaining("it refuses us (HTTP 403)");
  }

  @Test
  void registryThatIsDown_stopsNobody_whoseSchemaItOnceTook() throws RegistryException {
    server.otherwise(FakeRegistry.json(503, "{}"));
    assertThatThrownBy(() -> framing(Subjects.TOPIC, Format.CONFLUENT))
        .isInstanceOf(RegistryException.class);

    store.kept.put(new SchemaId.Numbered(7), SCORE);
    assertThat(framing(Subjects.TOPIC, Format.CONFLUENT).prefix()).containsExactly(0, 0, 0, 0, 7);
  }
}
