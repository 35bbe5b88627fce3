package io.holdfast.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.request.JsonScorer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of problem that docs/problems.md promises is answered when it should be. */
final class ProblemKindsTest {
  private static final String VIEWER = "the-token-of-vic-who-looks";
  private static final String OPERATOR = "the-token-of-ana-who-acts";
  private static final Security TOKENS =
      new Security(
          List.of(
              new Security.Token("vic", Role.VIEWER, Security.hash(VIEWER)),
              new Security.Token("ana", Role.OPERATOR, Security.hash(OPERATOR))),
          null,
          null,
          false,
          null);
  private static final String MODEL = "/api/v1/models/bikes";
  private static final String WHY = "{\"version\": 0, \"why\": \"a test\"}";

  private HttpWorld world =
      new HttpWorld(
          Bikes.settings(),
          Bikes.RIDE,
          Map.of("holdfast.http.request-timeout-millis", 500),
          TOKENS);

  @AfterEach
  void close() {
    world.close();
  }

  @ParameterizedTest
  @EnumSource
  void kind_isAnsweredWhenItShouldBe(ProblemKind kind) throws Exception {
    LedgerVersion first = world.ledger.publish(0, null, -1, 2);
    world.actions.answer = world.ledger.head(first, HeadReason.INITIAL);

    String answer = provoke(kind, first);

    assertThat(answer)
        .startsWith("HTTP/1.1 " + kind.status().getCode())
        .containsIgnoringCase("content-type: application/problem+json")
        .contains("\"type\":\"" + kind.type() + "\"", "\"title\":\"" + kind.title() + "\"")
        .doesNotContain("secret");
  }

  @Test
  void inference_isRefusedAsItsProtocolSays() throws Exception {
    assertThat(ask("GET /v2/models/bikes", null, ""))
        .startsWith("HTTP/1.1 401")
        .contains("{\"error\":\"this needs a token with the role viewer");
    assertThat(ask("GET /v2/health/live", null, "")).startsWith("HTTP/1.1 200");
  }

  /** No default: a new kind must be provoked here. */
  private String provoke(ProblemKind kind, LedgerVersion first) throws Exception {
    return switch (kind) {
      case BAD_REQUEST -> get(MODEL + "/heads?limit=0");
      case MALFORMED_BODY -> post(MODEL + "/score", "{");
      case BAD_RECORD -> post(MODEL + "/score", "{\"none\": 1}");
      case UNAUTHENTICATED -> ask("GET " + MODEL, null, "");
      case FORBIDDEN -> ask("POST " + MODEL + "/rollback", VIEWER, WHY);
      case ACTIONS_OFF -> elsewhere("/rollback", WHY);
      case FROM_A_PAGE ->
          ask("POST " + MODEL + "/rollback", OPERATOR, WHY, "Origin: http://elsewhere.example");
      case NO_SUCH_PATH -> get("/api/v1/nothing");
      case NO_SUCH_MODEL -> get("/api/v1/models/boats");
      case NO_SUCH_VERSION -> post(MODEL + "/score?version=7", "{}");
      case METHOD_NOT_ALLOWED -> get(MODEL + "/score");
      case NOT_ACCEPTABLE -> ask("GET " + MODEL, OPERATOR, "", "Accept: image/png");
      case REQUEST_TIMEOUT ->
          raw(
              "POST "
                  + MODEL
                  + "/score HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nAuthorization: Bearer "
                  + OPERATOR
                  + "\r\nContent-Type: application/json\r\n\r\n{");
      case HEAD_REFUSED -> {
        world.actions.refusal =
            new LedgerException(LedgerException.Reason.REFUSED, "it serves already");
        yield post(MODEL + "/rollback", WHY);
      }
      case VERSION_UNUSABLE -> {
        world.ledger.encode(1, first, 3, 4).records().stream()
            .filter(record -> record.key() instanceof LedgerKey.VersionKey)
            .forEach(record -> world.ledger.apply(record, 1));
        yield post(MODEL + "/score?version=1", "{}");
      }
      case NOT_EXPLAINABLE -> {
        world.ledger.publish(LedgerCodec.encode(world.ledger.draft(1, first, bare())));
        yield post(MODEL + "/explain?version=1", "{}");
      }
      case BODY_TOO_LARGE -> post(MODEL + "/score", " ".repeat(2_100_000));
      case TOO_MANY_RECORDS -> post(MODEL + "/score", "[{}" + ",{}".repeat(1_000) + "]");
      case URI_TOO_LONG -> get("/api/v1/models/" + "a".repeat(5_000));
      case UNSUPPORTED_MEDIA_TYPE ->
          ask("POST " + MODEL + "/score", OPERATOR, "{}", "Content-Type: text/plain");
      case TOO_MANY_REQUESTS -> attempts();
      case HEADERS_TOO_LARGE -> ask("GET " + MODEL, OPERATOR, "", "X: " + "a".repeat(9_000));
      case INTERNAL -> {
        world.actions.failure = new IllegalStateException("secret");
        yield post(MODEL + "/rollback", WHY);
      }
      case NOT_READY -> elsewhere("/score", "{}");
      case KAFKA_UNAVAILABLE -> {
        world.actions.failure = new TopicException("no broker answers");
        yield post(MODEL + "/rollback", WHY);
      }
      case TOO_SLOW -> late();
    };
  }

  private static Model bare() {
    Model known = Bikes.version(1, Bikes.settings(), 0, 1).model();
    Tree tree =
        new Tree(
            new int[] {0},
            new double[] {20},
            new boolean[] {true},
            new long[][] {{}},
            new int[] {-1},
            new int[] {-2},
            new double[] {0, 1});
    return new Model(known.objective(), known.features(), 0, List.of(new Segment(List.of(tree))));
  }

  /** Where nobody is known, and nothing serves. */
  private String elsewhere(String path, String body) throws IOException {
    world.close();
    world = new HttpWorld();
    return ask("POST " + MODEL + path, null, body);
  }

  /** Where there is no time for an answer. */
  private String late() throws IOException {
    world.close();
    world = new HttpWorld(Map.of(JsonScorer.TIME, -1));
    world.ledger.head(world.ledger.publish(0, null, 0, 1), HeadReason.INITIAL);
    return ask("POST " + MODEL + "/score", null, "{}");
  }

  /** Until they are too many. */
  private String attempts() throws IOException {
    String answer = ask("GET " + MODEL, "wrong", "");
    for (int i = 0; i < 1_000 && answer.startsWith("HTTP/1.1 401"); i++) {
      answer = ask("GET " + MODEL, "wrong", "");
    }
    return answer;
  }

  private String get(String path) throws IOException {
    return ask("GET " + path, OPERATOR, "");
  }

  private String post(String path, String body) throws IOException {
    return ask("POST " + path, OPERATOR, body);
  }

  /** The whole answer to a request, whose parts no client has made better. */
  private String ask(String asked, @Nullable String token, String body, String... headers)
      throws IOException {
    StringBuilder request = new StringBuilder(asked + " HTTP/1.1\r\nHost: a\r\n");
    request.append("Connection: close\r\nContent-Length: ").append(body.length()).append("\r\n");
    if (token != null) {
      request.append("Authorization: Bearer ").append(token).append("\r\n");
    }
    boolean typed = false;
    for (String header : headers) {
      request.append(header).append("\r\n");
      typed |= header.startsWith("Content-Type");
    }
    if (!body.isEmpty() && !typed) {
      request.append("Content-Type: application/json\r\n");
    }
    return raw(request + "\r\n" + body);
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.url("/").getPort())) {
      socket.setSoTimeout(20_000);
      try {
        socket.getOutputStream().write(request.getBytes(US_ASCII));
      } catch (IOException e) {
        // It was refused before it was read to its end.
      }
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }
}
