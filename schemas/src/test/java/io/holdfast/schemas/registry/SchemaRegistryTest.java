package io.holdfast.schemas.registry;

import static io.holdfast.schemas.registry.FakeRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Registry.Credentials;
import io.holdfast.schemas.settings.Registry.Subjects;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaRegistryTest {
  private static final SchemaId SEVEN = new SchemaId.Numbered(7);
  private static final String RIDE =
      "{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"Ride\\\",\\\"fields\\\":["
          + "{\\\"name\\\":\\\"x\\\",\\\"type\\\":\\\"double\\\"}]}";
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private FakeRegistry server;
  private final AtomicLong nanos = new AtomicLong(1);
  private final List<String> outcomes = Collections.synchronizedList(new ArrayList<>());
  private final List<SchemaRegistry> opened = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = new FakeRegistry().on("/schemas/ids/7", json(200, "{\"schema\": \"" + RIDE + "\"}"));
  }

  @AfterEach
  void stop() {
    opened.forEach(SchemaRegistry::close);
    server.close();
  }

  private SchemaRegistry registry(Credentials credentials, Duration timeout, URI... urls) {
    var settings =
        new Registry(
            List.of(urls), credentials, null, timeout, Subjects.TOPIC, Format.SINGLE_OBJECT);
    SchemaRegistry registry = new SchemaRegistry(settings, this::asked, nanos::get);
    opened.add(registry);
    return registry;
  }

  private SchemaRegistry registry(URI... urls) {
    return registry(new Credentials.None(), LONG, urls);
  }

  private void asked(@Nullable Reason failure) {
    outcomes.add(String.valueOf(failure));
  }

  private static RegistryException failure(SchemaRegistry registry, SchemaId id) {
    return catchThrowableOfType(RegistryException.class, () -> registry.find(id));
  }

  @Test
  void schema_isAskedForOnce() throws Exception {
    SchemaRegistry registry = registry(server.url());

    assertThat(registry.find(SEVEN).getName()).isEqualTo("Ride");
    assertThat(registry.find(SEVEN)).isSameAs(registry.find(SEVEN));
    assertThat(server.asked()).containsExactly("/schemas/ids/7");
    assertThat(outcomes).containsExactly("null");
  }

  @Test
  void manyThatAskAtOnce_makeOneRequest() throws Exception {
    CountDownLatch all = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    server.on(
        "/schemas/ids/7",
        exchange -> {
          arrived.countDown();
          try {
            all.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          json(200, "{\"schema\": \"" + RIDE + "\"}").to(exchange);
        });
    SchemaRegistry registry =
        new SchemaRegistry(new Registry(List.of(server.url())), this::asked, nanos::get);
    opened.add(registry);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Schema>> answers = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        answers.add(
            threads.submit(
                () -> {
                  begun.countDown();
                  return registry.find(SEVEN);
                }));
      }
      begun.await();
      arrived.await();
      all.countDown();

      for (Future<Schema> answer : answers) {
        assertThat(answer.get().getName()).isEqualTo("Ride");
      }
    }
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void guid_isAskedForByItsName() throws Exception {
    UUID guid = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");
    server.on("/schemas/guids/" + guid, json(200, "{\"schema\": \"" + RIDE + "\"}"));

    assertThat(registry(server.url()).find(new SchemaId.Guid(guid)).getName()).isEqualTo("Ride");
  }

  @Test
  void references_areResolved_eachOnce() throws Exception {
    server.on(
        "/schemas/ids/8",
        json(
            200,
            "{\"schema\": \"{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"Trip\\\",\\\"fields\\\":["
                + "{\\\"name\\\":\\\"a\\\",\\\"type\\\":\\\"Ride\\\"},"
                + "{\\\"name\\\":\\\"b\\\",\\\"type\\\":\\\"Ride\\\"}]}\", \"references\": ["
                + reference("Ride", "rides value", 3)
                + ", "
                + reference("Ride", "rides value", 3)
                + "]}"));
    server.on("/subjects/rides value/versions/3", json(200, "{\"schema\": \"" + RIDE + "\"}"));

    Schema trip = registry(server.url()).find(new SchemaId.Numbered(8));

    assertThat(trip.getField("b").schema().getField("x")).isNotNull();
    assertThat(server.asked())
        .containsExactly("/schemas/ids/8", "/subjects/rides value/versions/3");
  }

  @Test
  void circleOfReferences_ends() {
    String circle = "{\"schema\": \"\\\"Nothing\\\"\", \"references\": [" + reference("A", "a", 1);
    server.on("/schemas/ids/9", json(200, circle + "]}"));
    server.on("/subjects/a/versions/1", json(200, circle + "]}"));

    RegistryException failure = failure(registry(server.url()), new SchemaId.Numbered(9));

    assertThat(failure.reason()).isEqualTo(Reason.UNUSABLE);
    assertThat(server.asked()).hasSize(2);
  }

  @Test
  void chainOfReferences_isBounded() {
    for (int i = 0; i < 50; i++) {
      server.on(
          "/subjects/a/versions/" + i,
          json(
              200,
              "{\"schema\": \"\\\"int\\\"\", \"references\": ["
                  + reference("A", "a", i + 1)
                  + "]}"));
    }
    server.on(
        "/schemas/ids/9",
        json(
            200,
            "{\"schema\": \"\\\"int\\\"\", \"references\": [" + reference("A", "a", 0) + "]}"));

    RegistryException failure = failure(registry(server.url()), new SchemaId.Numbered(9));

    assertThat(failure).hasMessageContaining("deeper than 16 references");
    assertThat(server.asked()).hasSizeLessThan(20);
  }

  private static String reference(String name, String subject, int version) {
    return "{\"name\": \""
        + name
        + "\", \"subject\": \""
        + subject
        + "\", \"version\": "
        + version
        + "}";
  }

  @Test
  void absentId_isSaid_andAskedForAgainAfterAWhile() throws Exception {
    SchemaRegistry registry = registry(server.url());
    SchemaId id = new SchemaId.Numbered(1);

    assertThat(failure(registry, id).reason()).isEqualTo(Reason.ABSENT);
    assertThat(failure(registry, id)).hasMessageContaining("has no schema 1: Schema not found");
    assertThat(server.asked()).hasSize(1);

    server.on("/schemas/ids/1", json(200, "{\"schema\": \"" + RIDE + "\"}"));
    nanos.addAndGet(SchemaRegistry.ABSENT_FOR.toNanos());

    assertThat(registry.find(id).getName()).isEqualTo("Ride");
  }

  @Test
  void idThatOneServerLacks_isAskedOfTheOthers() throws Exception {
    try (FakeRegistry behind = new FakeRegistry()) {
      assertThat(registry(behind.url(), server.url()).find(SEVEN).getName()).isEqualTo("Ride");
    }
  }

  @Test
  void idThatOneServerLacks_isNotAbsent_whileAnotherIsDown() throws Exception {
    URI nobody = nobody();
    try (FakeRegistry behind = new FakeRegistry()) {
      RegistryException failure = failure(registry(behind.url(), nobody), SEVEN);

      assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(failure)
          .hasMessageContaining(nobody + ": it cannot be connected to")
          .hasMessageContaining(behind.url() + ": it says Schema not found");
    }
  }

  @Test
  void absenceThatIsNotSure_holdsUpNoOtherId() throws Exception {
    server.on("/schemas/ids/8", json(503, ""));
    try (FakeRegistry behind = new FakeRegistry()) {
      SchemaRegistry registry = registry(server.url(), behind.url());

      failure(registry, new SchemaId.Numbered(8));

      assertThat(registry.find(SEVEN).getName()).isEqualTo("Ride");
    }
  }

  @Test
  void serverThatIsDown_isPassedOver_andNotAskedFirstAgain() throws Exception {
    server.on("/schemas/ids/8", json(200, "{\"schema\": \"" + RIDE + "\"}"));
    try (FakeRegistry broken = new FakeRegistry().otherwise(json(503, "no"))) {
      SchemaRegistry registry = registry(nobody(), broken.url(), server.url());

      registry.find(SEVEN);
      registry.find(new SchemaId.Numbered(8));

      assertThat(broken.asked()).hasSize(1);
    }
  }

  /** Answers from which nothing can be learned: to be asked for again. */
  static Stream<Arguments> nonsense() {
    FakeRegistry.Reply endless =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] spaces = new byte[1 << 16];
          Arrays.fill(spaces, (byte) ' ');
          for (int i = 0; i < 1_000; i++) {
            exchange.getResponseBody().write(spaces);
          }
        };
    FakeRegistry.Reply silent =
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000);
          exchange.getResponseBody().flush();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    FakeRegistry.Reply elsewhere =
        exchange -> {
          exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/schemas/ids/7");
          exchange.sendResponseHeaders(302, -1);
        };
    return Stream.of(
        Arguments.of(json(404, "<html>"), "HTTP 404 without an error_code"),
        Arguments.of(json(200, "<html>"), "no JSON object"),
        Arguments.of(json(200, "[" + "[".repeat(5_000)), "no JSON object"),
        Arguments.of(json(200, "7"), "no JSON object"),
        Arguments.of(json(200, "{}"), "no text named schema"),
        Arguments.of(json(200, "{\"schema\": 7}"), "no text named schema"),
        Arguments.of(json(500, "{\"error_code\": 50001}"), "HTTP 500"),
        Arguments.of(json(429, ""), "HTTP 429"),
        Arguments.of(json(401, ""), "refuses us"),
        Arguments.of(elsewhere, "HTTP 302"),
        Arguments.of(silent, "no answer within 1 s"),
        Arguments.of(endless, "larger than 1,048,576 bytes"));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsense_isUnavailable_andAskedForAgain(FakeRegistry.Reply reply, String said)
      throws Exception {
    server.on("/schemas/ids/7", reply);
    Duration timeout = said.startsWith("no answer") ? SHORT : LONG;
    SchemaRegistry registry = registry(new Credentials.None(), timeout, server.url());

    RegistryException failure = failure(registry, SEVEN);

    assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(failure.getMessage()).contains(said).doesNotContain("\n");
    server.on("/schemas/ids/7", json(200, "{\"schema\": \"" + RIDE + "\"}"));
    nanos.addAndGet(BackOff.LONGEST.toNanos());
    assertThat(registry.find(SEVEN).getName()).isEqualTo("Ride");
  }

  /** What a registry has and nobody can read records by: that stays so. */
  static Stream<Arguments> unusable() {
    return Stream.of(
        Arguments.of(
            "{\"schemaType\": \"PROTOBUF\", \"schema\": \"syntax\"}", "PROTOBUF, not AVRO"),
        Arguments.of("{\"schema\": \"\\\"int\\\"\"}", "is a int, not a record"),
        Arguments.of("{\"schema\": \"{\"}", "is no Avro schema"),
        Arguments.of("{\"schema\": \"" + "[".repeat(100_000) + "\"}", "is no Avro schema"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void schemaOfNoRecord_isUnusable(String answer, String said) {
    server.on("/schemas/ids/7", json(200, answer));

    RegistryException failure = failure(registry(server.url()), SEVEN);

    assertThat(failure.reason()).isEqualTo(Reason.UNUSABLE);
    assertThat(failure).hasMessageContaining(said);
  }

  @Test
  void registryThatIsDown_isLeftAlone_forLongerAndLonger() throws Exception {
    server.otherwise(json(503, "")).on("/schemas/ids/7", json(503, ""));
    SchemaRegistry registry = registry(server.url());
    for (int i = 0; i < 100; i++) {
      assertThat(failure(registry, new SchemaId.Numbered(i)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
    }
    assertThat(server.asked()).hasSize(1);

    nanos.addAndGet(BackOff.FIRST.toNanos());
    failure(registry, SEVEN);
    nanos.addAndGet(BackOff.FIRST.toNanos());
    failure(registry, SEVEN);
    assertThat(server.asked()).hasSize(2);
  }

  @Test
  void oneBadAnswer_holdsUpNoOtherId() throws Exception {
    server.on("/schemas/ids/8", json(200, "{}"));
    SchemaRegistry registry = registry(server.url());

    failure(registry, new SchemaId.Numbered(8));

    assertThat(registry.find(SEVEN).getName()).isEqualTo("Ride");
  }

  @Test
  void credentials_goWithEachRequest_andStandInNoText() throws Exception {
    registry(new Credentials.Basic("ann", "s3cret"), LONG, server.url()).find(SEVEN);
    registry(new Credentials.Bearer("t0ken"), LONG, server.url()).find(SEVEN);

    assertThat(server.authorizations()).containsExactly("Basic YW5uOnMzY3JldA==", "Bearer t0ken");
    assertThat(new Credentials.Basic("ann", "s3cret").toString()).doesNotContain("s3cret");
    assertThat(new Credentials.Bearer("t0ken").toString()).doesNotContain("t0ken");
  }

  @Test
  void register_givesIdAndGuid() throws Exception {
    server.on(
        "/subjects/scores-value/versions",
        json(200, "{\"id\": 12, \"guid\": \"89791762-2336-4186-9674-299b90a802e2\"}"));

    SchemaRegistry.Registered registered =
        registry(server.url())
            .register("scores-value", Schema.createRecord("A", "", "", false, List.of()));

    assertThat(registered.id()).isEqualTo(12);
    assertThat(registered.guid()).hasToString("89791762-2336-4186-9674-299b90a802e2");
  }

  @Test
  void register_incompatible_isRefusedInASentence() {
    server.on(
        "/subjects/scores-value/versions",
        json(409, "{\"error_code\": 409, \"message\": \"incompatible with version 1\"}"));
    Schema schema = Schema.createRecord("A", "", "", false, List.of());

    RegistryException failure =
        catchThrowableOfType(
            RegistryException.class, () -> registry(server.url()).register("scores-value", schema));

    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure).hasMessageContaining("HTTP 409, incompatible with version 1");
  }

  private static URI nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
  }
}
