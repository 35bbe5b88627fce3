package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.ProxiedBroker;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.service.Service;
import io.holdfast.service.model.ActiveModel;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No committed score carries a version older than the head when its record was produced: at each
 * step of a start, a rebalance and a reconnection. The model topic is read slowly here, so that
 * whoever does not wait for its end is seen.
 */
class CurrentHeadIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir static Path folder;
  private static ProxiedBroker broker;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new ProxiedBroker(folder.resolve("kafka"));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void start_longTopic_scoresByTheHeadAlone() throws Exception {
    String models =
        """
        grown: { objective: squared, label: count }
        rolled-back: { objective: squared, label: count }
        pinned: { objective: squared, label: count }
        shadowed: { objective: squared, label: count }
        """;
    try (ServedTopics at = topics("long", models)) {
      at.create(2).weighing(20_000);
      at.trained("grown", 140);
      at.trained("rolled-back", 51);
      at.change("rolled-back", new HeadChange.RolledBack(2)); // v3 to v50 are bad
      at.trained("pinned", 2);
      at.change("pinned", new HeadChange.Pinned(1));
      at.trained("pinned", 20);
      at.trained("shadowed", 6);
      at.change("shadowed", new HeadChange.Shadowed(3));
      at.trained("grown", 138);
      at.flush();
      for (String model : at.settings().models().keySet()) {
        at.rides(model, 2_000, "before");
      }
      at.throttle("one", 500_000);
      try (Service service = Service.start(settings(at, "one", at.bootstrapServers()))) {
        // While it reads: not ready, nothing serves, and another head comes.
        await()
            .atMost(LIMIT)
            .until(() -> get(service, "/health/readiness").contains("the model topic is being"));
        assertThat(service.models().active("grown")).isNull();
        at.trained("grown");
        at.flush();
        for (String model : at.settings().models().keySet()) {
          at.rides(model, 500, "during");
        }
        await().atMost(LIMIT).until(service::ready);
        assertThat(serving(service, "grown")).isEqualTo(278);
        assertThat(service.models().find("grown").orElseThrow().swaps())
            .as("old versions are not loaded on the way")
            .isLessThanOrEqualTo(2);
        at.rides("grown", 100, "after");

        assertThat(at.scoredByKey("grown.scores", 2_600))
            .containsEntry("during", Set.of(278L))
            .containsEntry("after", Set.of(278L))
            .satisfies(scored -> assertThat(scored.get("before")).isSubsetOf(277L, 278L));
        Map<String, Long> heads = Map.of("rolled-back", 2L, "pinned", 1L, "shadowed", 5L);
        for (Map.Entry<String, Long> head : heads.entrySet()) {
          assertThat(at.scoredByKey(head.getKey() + ".scores", 2_500))
              .as(head.getKey())
              .containsEntry("before", Set.of(head.getValue()))
              .containsEntry("during", Set.of(head.getValue()));
        }
        assertThat(at.scoredByKey("shadowed.shadow-scores", 2_500))
            .containsEntry("before", Set.of(3L))
            .containsEntry("during", Set.of(3L));
      }
    }
  }

  @Test
  void start_compactedTopicAndHeadThatCannotBeRead_scoresByWhatServedBefore() throws Exception {
    String models =
        """
        compacted: { objective: squared, label: count }
        damaged: { objective: squared, label: count }
        """;
    try (ServedTopics at = topics("compacted", models)) {
      at.create(1);
      at.compacted().trained("compacted", 51);
      at.change("compacted", new HeadChange.RolledBack(2));
      at.trained("damaged", 5);
      at.flush();
      at.compacted().trained("damaged");
      at.flushWithout("damaged/version/5");
      at.rides("compacted", 500);
      at.rides("damaged", 500);
      try (Service service = Service.start(settings(at, "one", at.bootstrapServers()))) {
        await().atMost(LIMIT).until(service::ready);

        assertThat(at.scoredByKey("compacted.scores", 500)).containsEntry("k", Set.of(2L));
        assertThat(at.scoredByKey("damaged.scores", 500)).containsEntry("k", Set.of(4L));
      }
    }
  }

  @Test
  void rebalance_partitionOfAnother_isScoredByTheHeadThatTheOtherHad() throws Exception {
    String models = "moved: { objective: squared, label: count }\n";
    try (ServedTopics at = topics("moved", models)) {
      at.create(2).trained("moved");
      at.flush();
      Service first = Service.start(settings(at, "one", at.bootstrapServers()));
      try (Service second = Service.start(settings(at, "two", at.bootstrapServers()))) {
        await().atMost(LIMIT).until(() -> first.ready() && second.ready());
        at.rides("moved", 200, "both");
        at.scoredByKey("moved.scores", 200);

        // The second lags behind: it has a partition, and reads slowly.
        at.throttle("two", 120_000);
        at.weighing(700_000).trained("moved", 3); // a quota is of the mean of 10 s
        at.flush();
        await().atMost(LIMIT).until(() -> serving(first, "moved") == 3);
        at.ridesInto(0, "moved", 10, "zero-");
        at.ridesInto(1, "moved", 10, "one-");
        Map<String, Set<Long>> scored = at.scoredByKey("moved.scores", 220);
        int ofFirst = scored.getOrDefault("zero-", Set.of()).contains(3L) ? 0 : 1;
        assertThat(serving(second, "moved")).as("it reads for seconds").isLessThan(3);
        first.close();
        at.ridesInto(ofFirst, "moved", 100, "moved-");

        assertThat(at.scoredByKey("moved.scores", 320)).containsEntry("moved-", Set.of(3L));
        await().atMost(LIMIT).until(second::ready);
      } finally {
        first.close();
      }
    }
  }

  @Test
  void reconnect_headSetWhileTheNetworkWasCut_scoresWhatCameSince() throws Exception {
    String models = "cut: { objective: squared, label: count }\n";
    try (ServedTopics at = topics("cut", models)) {
      at.create(1).trained("cut");
      at.flush();
      try (Service service = Service.start(settings(at, "one", broker.networkServers()))) {
        await().atMost(LIMIT).until(service::ready);
        at.rides("cut", 100, "before");
        assertThat(at.scoredByKey("cut.scores", 100)).containsEntry("before", Set.of(0L));

        broker.cut();
        at.throttle("one", 120_000);
        at.weighing(700_000).trained("cut", 3);
        at.flush();
        at.rides("cut", 100, "since");
        await().atMost(LIMIT).until(() -> !service.ready());
        assertThat(get(service, "/health/readiness")).contains("until the model topic is read");
        assertThat(get(service, "/health/liveness")).contains("\"UP\"");
        broker.mend();

        assertThat(at.scoredByKey("cut.scores", 200)).containsEntry("since", Set.of(3L));
        await().atMost(LIMIT).until(service::ready);
      }
    }
  }

  private static ServedTopics topics(String name, String models) throws Exception {
    return new ServedTopics(folder, broker.directServers(), name, "", models);
  }

  /** The same topics as another instance has them. */
  private static Settings settings(ServedTopics at, String instance, String servers)
      throws Exception {
    String config =
        Files.readString(at.config())
            .replace(at.bootstrapServers(), servers)
            .replace("-state'", "-state-" + instance + "', instanceId: " + instance);
    Path file = folder.resolve(at.name() + "-" + instance + ".yml");
    return Settings.read(Files.writeString(file, config), Map.of());
  }

  private static long serving(Service service, String model) {
    ActiveModel active = service.models().active(model);
    return active == null ? -1 : active.number();
  }

  private static String get(Service service, String path) throws Exception {
    URI url = service.url().resolve(path);
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
