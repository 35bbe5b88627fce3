package io.holdfast.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused is refused while others ask all the time, and those are answered meanwhile. */
final class HostileClientsTest {
  private static final String VIEWER = "the-token-of-vic-who-looks";
  private static final String SCORE = "/api/v1/models/bikes/score";
  private static final String RIDE = "{\"temperature\": 25, \"season\": \"SUMMER\"}";
  private static final int ASKING = 4;

  private final HttpWorld world =
      new HttpWorld(
          Bikes.settings(),
          Bikes.RIDE,
          Map.of("holdfast.http.request-timeout-millis", 5_000),
          new Security(
              List.of(new Security.Token("vic", Role.VIEWER, Security.hash(VIEWER))),
              null,
              null,
              false,
              null));

  private final AtomicInteger answered = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> load = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();
  private volatile boolean ended;

  @BeforeEach
  void begin() {
    world.actions.answer =
        world.ledger.head(world.ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    for (int k = 0; k < ASKING; k++) {
      load.add(Thread.ofPlatform().start(this::askOn));
    }
  }

  @AfterEach
  void close() throws Exception {
    ended = true;
    for (Thread thread : load) {
      thread.join();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
    world.close();
    assertThat(failures).isEmpty();
  }

  @SuppressWarnings("IllegalCatch") // whatever goes wrong is what the test fails by
  private void askOn() {
    String many = "[" + RIDE + ("," + RIDE).repeat(99) + "]";
    while (!ended) {
      try {
        HttpResponse<String> answer = post(many.getBytes(UTF_8));
        if (answer.statusCode() != 200) {
          failures.add(answer.body());
          return;
        }
        answered.incrementAndGet();
      } catch (Exception e) {
        failures.add(e.toString());
        return;
      }
    }
  }

  private HttpResponse<String> post(byte[] body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(world.url(SCORE))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + VIEWER)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (int k = 0; k < headers.length; k += 2) {
      request.setHeader(headers[k], headers[k + 1]);
    }
    return world.send(request);
  }

  private void awaitAnswers() {
    int before = answered.get();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> answered.get() >= before + 2 * ASKING || !failures.isEmpty());
  }

  @Test
  void refusals_areTheSame() throws Exception {
    awaitAnswers();
    byte[] ride = RIDE.getBytes(UTF_8);
    for (int round = 0; round < 3; round++) {
      world.assertProblem(world.post(SCORE, RIDE), "unauthenticated", "token");
      world.assertProblem(
          world.send(
              HttpRequest.newBuilder(world.url("/api/v1/models/bikes/pin"))
                  .header("Content-Type", "application/json")
                  .header("Authorization", "Bearer " + VIEWER)
                  .POST(HttpRequest.BodyPublishers.ofString("{\"version\": 0, \"why\": \"w\"}"))),
          "forbidden",
          "operator");
      world.assertProblem(post(new byte[3_000_000]), "body-too-large", "2097152");
      String many = "[" + RIDE + ("," + RIDE).repeat(1_000) + "]";
      world.assertProblem(post(many.getBytes(UTF_8)), "too-many-records", "1001");
      world.assertProblem(
          post(ride, "Content-Type", "text/plain"), "unsupported-media-type", "text/plain");
      awaitAnswers();
    }
    assertThat(world.actions.asked).isEmpty();
  }

  @Test
  void bodyThatUnpacksToMore_isTooLarge() throws Exception {
    byte[] bomb = bomb(400);
    assertThat(bomb).hasSizeLessThan(1_000_000);
    for (String encoding : List.of("gzip", "x-gzip")) {
      world.assertProblem(post(bomb, "Content-Encoding", encoding), "body-too-large", "2097152");
    }
    awaitAnswers();
  }

  private static byte[] bomb(int megabytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    byte[] spaces = new byte[1 << 20];
    Arrays.fill(spaces, (byte) ' ');
    try (OutputStream out = new GZIPOutputStream(packed)) {
      for (int k = 0; k < megabytes; k++) {
        out.write(spaces);
      }
    }
    return packed.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "snappy", "zstd", "br", "gzip, gzip", "none"})
  void bodyThatIsNotPackedSo_isMalformed(String encoding) throws Exception {
    byte[] noise = {31, 42, 7, 99, 120, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    world.assertProblem(post(noise, "Content-Encoding", encoding), "malformed-body", "body");
    awaitAnswers();
  }

  @Test
  void clientsThatSendAByteNowAndThen_areLetGo_andHoldUpNobody() throws Exception {
    String head = "POST " + SCORE + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n";
    for (int k = 0; k < 200; k++) {
      connect().getOutputStream().write(head.substring(0, k % 70 + 1).getBytes(ISO_8859_1));
    }
    awaitAnswers();
    for (Socket socket : sockets) {
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 408 ");
    }
    awaitAnswers();
  }

  @Test
  void clientsThatNeverReadWhatTheyAskedFor_holdUpNobody() throws Exception {
    String asked = " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + VIEWER + "\r\n\r\n";
    for (int k = 0; k < 100; k++) {
      connect().getOutputStream().write(("GET /api/v1/events" + asked).getBytes(ISO_8859_1));
      OutputStream out = connect().getOutputStream();
      out.write(("GET /api/v1/openapi.yaml" + asked).repeat(20).getBytes(ISO_8859_1));
    }
    awaitAnswers();
    awaitAnswers();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.url("/").getPort());
    sockets.add(socket);
    socket.setSoTimeout(20_000);
    return socket;
  }
}
