package io.holdfast.service.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.HttpWorld;
import io.micronaut.http.sse.Event;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Events say how things are, to as many as ask, and a slow reader holds up nobody. */
final class EventsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpWorld world = new HttpWorld(Map.of(EventsController.PERIOD, 1));
  private final EventsController events = world.context.getBean(EventsController.class);
  private final LedgerVersion first = world.ledger.publish(0, null, -1, 2);

  /** A viewer that asks for one event, and for others when it is told to. */
  private static final class Viewer extends BaseSubscriber<Event<String>> {
    private final boolean slow;
    final List<String> seen = new CopyOnWriteArrayList<>();

    Viewer(boolean slow) {
      this.slow = slow;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(slow ? 1 : Long.MAX_VALUE);
    }

    @Override
    protected void hookOnNext(Event<String> event) {
      seen.add(event.getData());
    }
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void stream_beginsWithHowThingsAreAndSaysWhatChanges() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      var answer =
          http.send(
              HttpRequest.newBuilder(world.url("/api/v1/events")).build(),
              HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      try (var lines =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        assertThat(next(lines)).contains("\"name\":\"bikes\"", "\"version\":null");
        world.ledger.head(first, HeadReason.INITIAL);
        String line = next(lines);
        while (!line.contains("\"version\":0")) {
          line = next(lines);
        }
        assertThat(line).contains("\"head\":1", "\"scored\":0");
      }
    }
  }

  private static String next(BufferedReader lines) throws Exception {
    String line = lines.readLine();
    while (line != null && !line.startsWith("data: {")) {
      line = lines.readLine();
    }
    assertThat(line).as("the stream goes on").isNotNull();
    return line;
  }

  @Test
  void slowViewer_missesEventsAndHoldsUpNobody() {
    Viewer slow = new Viewer(true);
    Viewer quick = new Viewer(false);
    events.events().subscribe(slow);
    events.events().subscribe(quick);
    await().atMost(LIMIT).until(() -> slow.seen.size() == 1);

    world.ledger.head(first, HeadReason.INITIAL);
    await().atMost(LIMIT).until(() -> quick.seen.getLast().contains("\"version\":0"));
    LedgerVersion second = world.ledger.publish(1, first, -1, 3);
    world.ledger.head(second, HeadReason.TRAINED);
    await().atMost(LIMIT).until(() -> quick.seen.getLast().contains("\"version\":1"));

    assertThat(slow.seen).hasSize(1);
    slow.request(1);
    await().atMost(LIMIT).until(() -> slow.seen.size() == 2);
    assertThat(slow.seen.getLast()).as("the newest alone").contains("\"version\":1");
    slow.cancel();
    quick.cancel();
  }

  @Test
  void viewerThatLeaves_makesRoomForAnother() throws Exception {
    for (int i = 0; i < EventsController.MOST_VIEWERS + 50; i++) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), world.url("/").getPort())) {
        socket
            .getOutputStream()
            .write("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
        byte[] status = socket.getInputStream().readNBytes(12);
        assertThat(new String(status, US_ASCII)).as("viewer %s", i).isEqualTo("HTTP/1.1 200");
      }
    }
  }

  @Test
  void viewersBeyondTheirNumber_areRefusedUntilOneIsGone() throws Exception {
    List<Viewer> viewers = new ArrayList<>();
    for (int i = 0; i < EventsController.MOST_VIEWERS; i++) {
      Viewer viewer = new Viewer(true);
      events.events().subscribe(viewer);
      viewers.add(viewer);
    }
    world.assertProblem(world.get("/api/v1/events"), "too-many-requests", "256 viewers");
    viewers.forEach(Viewer::cancel);
    Viewer another = new Viewer(false);
    events.events().subscribe(another);
    await().atMost(LIMIT).until(() -> !another.seen.isEmpty());
    another.cancel();
  }
}
