package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** How far service and trainer are behind, as both show it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LagIT {
  private static final Map<String, String> PAGES = new TreeMap<>(); // of metrics, by program
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TRAINER_LAG =
      "holdfast_trainer_lag_rows{model=\"bikes\",stage=\"train\"}";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  @Order(1)
  void trainerThatIsAway_isSeenByTheService_andItsLagIsGoneOnceItHasCaughtUp() throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder)) {
      Settings settings = impatient(at);
      try (Service service = Service.start(settings)) {
        try (Trainer trainer = Trainer.start(settings)) {
          await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
          at.ride(0, 230); // 21 of them have no label: one window of 200, and 9 rows that wait
          await("no lag")
              .atMost(PATIENCE)
              .until(() -> rows(service, "score") == 0 && rows(service, "train") == 9);
          assertThat(lagging(service)).isEmpty();
          await("the trainer's own look")
              .atMost(PATIENCE)
              .until(() -> text(trainer.url(), "/prometheus").contains(TRAINER_LAG + " 9.0"));
          requireAllMetrics(text(service.url(), "/prometheus"), text(trainer.url(), "/prometheus"));
          assertThat(text(trainer.url(), "/prometheus"))
              .containsPattern("kafka_producer_record_send_total.*model=\"bikes\"");
          assertThat(text(trainer.url(), "/prometheus?kafka=all"))
              .containsPattern("kafka_consumer_fetch_manager_records_lag.*model=\"bikes\"")
              .containsPattern("kafka_consumer_coordinator_heartbeat_total");
        }

        at.ride(230, 1_100);
        String sentence =
            "1009 examples of bikes.examples wait to be learned from, the oldest for \\d+ s: no"
                + " trainer is in the group holdfast-trainers, so start one, or see what else is"
                + " said of this model";
        await("lagging")
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(lagging(service)).matches(sentence));
        assertThat(rows(service, "train")).isEqualTo(1_009);
        assertThat(rows(service, "score")).isZero();
        assertThat(text(service.url(), "/prometheus"))
            .containsPattern(line("holdfast_lag_rows", "train", "1009"))
            .containsPattern(line("holdfast_lag_rows", "score", "0"))
            .containsPattern("holdfast_version_first_score_seconds_count\\{.*} [1-9]")
            .containsPattern("holdfast_trouble\\{kind=\"lagging\",model=\"bikes\"\\} 1");
        assertThat(text(service.url(), "/health/readiness")).contains("1009 examples");

        top(service);

        try (Trainer trainer = Trainer.start(settings)) {
          await("caught up")
              .atMost(PATIENCE)
              .until(
                  () ->
                      trainer.ready()
                          && rows(service, "train") < 200
                          && lagging(service).isEmpty());
        }
      }
    }
  }

  /** What is seen at a glance is what the service says. */
  private static void top(Service service) throws Exception {
    String url = "--url=" + service.url();
    JsonNode row = CliRun.of("top", url, "--once", "--json").json().at("/models/0");
    assertThat(row.get("model").asText()).isEqualTo("bikes");
    assertThat(row.get("state").asText()).isEqualTo("behind");
    assertThat(row.get("version"))
        .isEqualTo(get(service.url(), "/api/v1/models/bikes").at("/serving/version"));
    assertThat(row.get("scoreLag").asLong()).isZero();
    assertThat(row.get("trainLag").asLong()).isEqualTo(1_009);
    assertThat(row.get("recordsPerSecond").asDouble()).isZero();
    CliRun table = CliRun.of("top", url, "--once");
    assertThat(table.out().lines().toList().get(1))
        .matches("bikes +[0-9]+ +0[.]0 +0 .* 1009 .*behind");
    assertThat(table.out()).contains("bikes: 1009 examples of bikes.examples wait");
  }

  private void requireAllMetrics(String servicePage, String trainerPage) throws Exception {
    PAGES.put("service", servicePage);
    PAGES.put("trainer", trainerPage);
    PAGES.forEach(
        (program, page) ->
            assertThat(page).contains("holdfast_build_info{", "program=\"" + program + "\""));
    new ListedMetrics().require(List.of(servicePage, trainerPage));
    assertThat(servicePage)
        .contains("holdfast_feature_missing_total{feature=\"x\",model=\"bikes\"} ");
    assertThat(trainerPage)
        .containsPattern("holdfast_trainer_label_to_version_seconds_count\\{.*} [1-9]");
  }

  /** Prometheus' own tool has nothing to say of our names on the pages of the test before. */
  @Test
  @Order(2)
  void metrics_areNamedAsPrometheusWantsThem() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(at -> Files.isExecutable(Path.of(at, "promtool"))),
        "promtool is not installed: it comes with Prometheus");
    assertThat(PAGES).containsOnlyKeys("service", "trainer");
    for (String program : PAGES.keySet()) {
      Path metrics = Files.writeString(folder.resolve(program + ".txt"), PAGES.get(program));
      Process tool =
          new ProcessBuilder("promtool", "check", "metrics")
              .redirectInput(metrics.toFile())
              .redirectErrorStream(true)
              .start();
      assertThat(tool.inputReader().lines().filter(line -> line.contains("holdfast_"))).isEmpty();
    }
  }

  /** The settings of the topics, by which nothing may wait for long. */
  private Settings impatient(ModelsOnTopic at) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("impatient.yml"),
            Files.readString(at.config())
                .replace("service: { ", "service: { maxLag: 3s, ")
                .replace("trainer: { port: 0 }", "trainer: { port: 0, maxLag: 3s }"));
    return Settings.read(file, Map.of());
  }

  private static String line(String metric, String stage, String value) {
    return Pattern.quote(metric + "{model=\"bikes\",stage=\"" + stage + "\"} " + value + ".0");
  }

  /** What is said of it; empty if nothing is. */
  private static String lagging(Service service) throws Exception {
    for (JsonNode trouble : get(service.url(), "/api/v1/status").get("troubles")) {
      if (trouble.get("kind").asText().equals("lagging")) {
        return trouble.get("sentence").asText();
      }
    }
    return "";
  }

  /** -1 if it is not known yet. */
  private static long rows(Service service, String stage) throws Exception {
    for (JsonNode lag : get(service.url(), "/api/v1/status").get("lags")) {
      if (lag.get("stage").asText().equals(stage)) {
        return lag.get("rows").asLong();
      }
    }
    return -1;
  }

  private static JsonNode get(URI url, String path) throws Exception {
    return new ObjectMapper().readTree(text(url, path));
  }

  private static String text(URI url, String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(url.resolve(path)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
