package io.holdfast.schemas.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.schemas.registry.FakeRegistry;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.wire.Framing.Frame;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicFramingTest {
  private static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "x", "type": "double"},
            {"name": "station", "type": ["null", "string"], "default": null}]}
          """);
  private static final UUID GUID = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");

  private final SingleObjectFraming single =
      new SingleObjectFraming(SchemaSource.of(List.of(RIDE)));
  private FakeRegistry server;
  private SchemaRegistry registry;
  private MemoryStore store;
  private TopicFraming framing;

  /** A store without a topic. */
  private static final class MemoryStore implements SchemaStore {
    private final Map<SchemaId, Schema> kept = new ConcurrentHashMap<>();
    private volatile @Nullable Schema refused;

    @Override
    public @Nullable Schema find(SchemaId id) {
      return kept.get(id);
    }

    @Override
    public @Nullable Registered known(Schema schema) {
      return null;
    }

    @Override
    public Schema keep(String topic, SchemaId id, Schema schema) throws MalformedRecordException {
      if (schema.equals(refused)) {
        throw new MalformedRecordException(Reason.INCOMPATIBLE_SCHEMA, "it differs");
      }
      kept.putIfAbsent(id, schema);
      return schema;
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = new FakeRegistry();
    String answer = "{\"schema\": \"" + RIDE.toString().replace("\"", "\\\"") + "\"}";
    server.on("/schemas/ids/300", FakeRegistry.json(200, answer));
    server.on("/schemas/guids/" + GUID, FakeRegistry.json(200, answer));
    registry = new SchemaRegistry(new Registry(List.of(server.url())), failure -> {});
    store = new MemoryStore();
    framing = framing(new WireFormat.Detected(RIDE));
  }

  @AfterEach
  void stop() {
    registry.close();
    server.close();
  }

  private TopicFraming framing(WireFormat format) {
    return new TopicFraming(format, single, new RegisteredSchemas("rides", registry, store));
  }

  private static byte[] body(double x) {
    GenericRecord ride = new GenericRecordBuilder(RIDE).set("x", x).build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      new GenericDatumWriter<GenericRecord>(RIDE).write(ride, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] numbered(int id, byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  private static Headers none() {
    return new RecordHeaders();
  }

  private static Headers named(byte... id) {
    return new RecordHeaders().add(TopicFraming.VALUE_HEADER, id);
  }

  private static byte[] guid() {
    return ByteBuffer.allocate(17)
        .put((byte) 1)
        .putLong(GUID.getMostSignificantBits())
        .putLong(GUID.getLeastSignificantBits())
        .array();
  }

  private static void assertOpens(RecordFraming framing, byte[] value, Headers headers)
      throws MalformedRecordException {
    Frame frame = framing.open(value, headers);
    byte[] bytes = frame.bytes(value);
    assertThat(frame.schema()).isEqualTo(RIDE);
    assertThat(Arrays.copyOfRange(bytes, frame.bodyOffset(), bytes.length)).isEqualTo(body(2.5));
    assertThat(framing.single(frame, value)).isEqualTo(framing.single(RIDE, body(2.5)));
  }

  @Test
  void eachFraming_isTold_byWhatItLooksLike() throws Exception {
    assertOpens(framing, single.frame(RIDE, body(2.5)), none());
    assertOpens(framing, numbered(300, body(2.5)), none());
    assertOpens(framing, body(2.5), named(guid()));
    assertOpens(framing, body(2.5), named((byte) 0, (byte) 0, (byte) 0, (byte) 1, (byte) 44));
    assertOpens(framing, " \r\n\t{\"x\": 2.5}".getBytes(UTF_8), none());
  }

  @Test
  void header_goesBeforeWhatTheValueLooksLike() throws Exception {
    // A body may begin with any byte.
    Schema schema =
        SchemaFile.parse(
            "{\"type\": \"record\", \"name\": \"N\", \"fields\": [{\"name\": \"n\", \"type\":"
                + " \"int\"}]}");
    store.keep("rides", new SchemaId.Guid(GUID), schema);

    Frame frame = framing.open(new byte[] {0}, named(guid()));

    assertThat(frame.schema()).isSameAs(schema);
    assertThat(frame.bodyOffset()).isZero();
  }

  @Test
  void eachFraming_thatIsSet_takesNoOther() throws Exception {
    assertOpens(framing(new WireFormat.Plain(RIDE)), body(2.5), none());
    assertOpens(framing(new WireFormat.Json(RIDE)), "{\"x\": 2.5}".getBytes(UTF_8), none());
    assertOpens(framing(new WireFormat.Confluent()), numbered(300, body(2.5)), named(guid()));
    assertOpens(framing(new WireFormat.ConfluentHeader()), body(2.5), named(guid()));
    assertOpens(framing(new WireFormat.SingleObject()), single.frame(RIDE, body(2.5)), none());

    byte[] other = single.frame(RIDE, body(2.5));
    for (WireFormat format :
        List.of(
            new WireFormat.Json(RIDE),
            new WireFormat.Confluent(),
            new WireFormat.ConfluentHeader())) {
      assertThat(refusal(framing(format), other, none())).isEqualTo(Reason.UNKNOWN_FRAMING);
    }
    assertThat(refusal(framing(new WireFormat.SingleObject()), numbered(300, body(1)), none()))
        .isEqualTo(Reason.UNKNOWN_FRAMING);
  }

  private static Reason refusal(RecordFraming framing, byte @Nullable [] value, Headers headers) {
    return catchThrowableOfType(MalformedRecordException.class, () -> framing.open(value, headers))
        .reason();
  }

  @Test
  void truncatedFrames_areRefused() {
    assertThat(refusal(framing, new byte[0], none())).isEqualTo(Reason.UNKNOWN_FRAMING);
    assertThat(refusal(framing, new byte[] {0, 0, 1}, none())).isEqualTo(Reason.UNKNOWN_FRAMING);
    assertThat(refusal(framing, body(1), named())).isEqualTo(Reason.UNKNOWN_FRAMING);
    assertThat(refusal(framing, body(1), named((byte) 2))).isEqualTo(Reason.UNKNOWN_FRAMING);
    assertThat(refusal(framing, body(1), named(Arrays.copyOf(guid(), 16))))
        .isEqualTo(Reason.UNKNOWN_FRAMING);
    assertThat(refusal(framing, null, none())).isEqualTo(Reason.NO_VALUE);
    assertThat(refusal(framing(new WireFormat.Plain(RIDE)), null, none()))
        .isEqualTo(Reason.NO_VALUE);
  }

  @Test
  void idThatDoesNotExist_isUnknown_inASentence() {
    MalformedRecordException refusal =
        catchThrowableOfType(
            MalformedRecordException.class, () -> framing.open(numbered(9, body(1)), none()));

    assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA);
    assertThat(refusal).hasMessageContaining("has no schema 9");
  }

  @Test
  void withoutARegistry_theSentenceNamesTheKey() {
    var alone = new TopicFraming(new WireFormat.Detected(null), single, null);

    MalformedRecordException refusal =
        catchThrowableOfType(
            MalformedRecordException.class, () -> alone.open(numbered(9, body(1)), none()));

    assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_FRAMING);
    assertThat(refusal).hasMessageContaining("set holdfast.registry.urls");
    assertThat(alone.waits()).isFalse();
    assertThat(alone.ready(numbered(9, body(1)), none())).isTrue();
  }

  @Test
  void ready_neverWaits_andOpenFindsWhatItAskedFor() throws Exception {
    byte[] value = numbered(300, body(2.5));

    assertThat(framing.ready(value, none())).isFalse();
    assertOpens(framing, value, none());
    assertThat(framing.ready(value, none())).isTrue();
    assertThat(framing.ready(single.frame(RIDE, body(1)), none())).isTrue();
  }

  @Test
  void registryThatIsDown_refusesNothing_andStopsNobodyWhoseSchemaIsKept() throws Exception {
    server.otherwise(FakeRegistry.json(503, ""));
    store.keep("rides", new SchemaId.Numbered(5), RIDE);

    assertOpens(framing, numbered(5, body(2.5)), none());
    byte[] other = numbered(6, body(1));
    assertThat(
            catchThrowableOfType(
                SchemaUnavailableException.class, () -> framing.open(other, none())))
        .hasMessageContaining("schema 6 of topic rides is not known")
        .hasMessageContaining("HTTP 503");
    assertThat(framing.ready(other, none())).isFalse();
    assertThat(framing.awaited(other, none())).contains("HTTP 503");
  }

  @Test
  void registryThatHasNotAnsweredYet_isSaidToBe() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicLong nanos = new AtomicLong();
    server.on("/schemas/ids/6", exchange -> awaited(end));
    var waiting =
        new RegisteredSchemas(
            "rides", registry, store, () -> nanos.addAndGet(Duration.ofSeconds(1).toNanos()));
    try {
      assertThat(
              catchThrowableOfType(
                  SchemaUnavailableException.class, () -> waiting.schema(new SchemaId.Numbered(6))))
          .hasMessage(
              "schema 6 of topic rides is not known within 5 s: the registry has not answered yet");
    } finally {
      end.countDown();
    }
  }

  private static void awaited(CountDownLatch end) throws IOException {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void schemaThatCannotBeKept_isRefused_andHoldsUpNothing() {
    store.refused = RIDE;

    MalformedRecordException refusal =
        catchThrowableOfType(
            MalformedRecordException.class, () -> framing.open(numbered(300, body(1)), none()));

    assertThat(refusal.reason()).isEqualTo(Reason.INCOMPATIBLE_SCHEMA);
    assertThat(refusal).hasMessageContaining("differs");
    assertThat(framing.ready(numbered(300, body(1)), none())).isTrue();
  }

  @Test
  void sameSchema_isTheSameInstance_andTheSameFrame() throws Exception {
    Frame first = framing.open(numbered(300, body(1)), none());
    assertThat(framing.open(numbered(300, body(2)), none())).isSameAs(first);
    Frame headed = framing.open(body(1), named(guid()));
    assertThat(framing.open(body(2), named(guid()))).isSameAs(headed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"x\": \"2.5\"}",
        "{\"x\": null}",
        "{}",
        "{\"x\": 1e999}",
        "{\"x\": 1, \"station\": 3}",
        "{\"x\": 1, \"x\": 2}",
        "{\"x\": 1} {\"x\": 2}",
        "[{\"x\": 1}]",
        "{\"x\": 1"
      })
  void jsonThatDoesNotFit_isRefused(String json) {
    MalformedRecordException refusal =
        catchThrowableOfType(
            MalformedRecordException.class,
            () -> framing(new WireFormat.Json(RIDE)).open(json.getBytes(UTF_8), none()));

    assertThat(refusal.reason()).isIn(Reason.INVALID_VALUE, Reason.UNKNOWN_FRAMING);
    assertThat(refusal.getMessage()).doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'\"float\", \"double\"', 0.1, double",
    "'\"float\", \"double\"', 0.5, float",
    "'\"float\", \"long\"', 16777217, long",
    "'\"float\", \"string\"', 0.1, float",
    "'\"double\", \"float\"', 0.5, double"
  })
  void jsonNumber_isNoFloatThatRounds_ifItMayBeAnother(String union, String number, String type)
      throws Exception {
    Schema schema =
        SchemaFile.parse(
            "{\"type\": \"record\", \"name\": \"N\", \"fields\": [{\"name\": \"n\", \"type\": ["
                + union
                + "]}]}");
    byte[] json = ("{\"n\": " + number + "}").getBytes(UTF_8);

    byte[] written = framing(new WireFormat.Json(schema)).open(json, none()).bytes(json);

    int branch = DecoderFactory.get().binaryDecoder(written, null).readIndex();
    assertThat(schema.getField("n").schema().getTypes().get(branch).getName()).isEqualTo(type);
  }

  @Test
  void jsonNames_thatTheSchemaHasNot_arePassedOver() throws Exception {
    assertOpens(
        framing(new WireFormat.Json(RIDE)),
        "{\"more\": {\"a\": [1]}, \"x\": 2.5, \"station\": null}".getBytes(UTF_8),
        none());
  }
}
