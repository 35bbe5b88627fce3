package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Each trouble is provoked, and is seen within a minute by name: status, metric and log. */
class TroublesIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Of records that lack the feature of the version that serves. */
  private static final Schema WIND =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Wind", "fields": [
            {"name": "wind", "type": "double"},
            {"name": "count", "type": ["null", "double"], "default": null}]}
          """);

  @TempDir Path folder;
  private final Set<TroubleKind> seen = EnumSet.noneOf(TroubleKind.class);
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(Troubles.class);
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          logged.add(event.getFormattedMessage());
        }
      };

  @BeforeEach
  void listen() {
    appender.start();
    log.addAppender(appender);
  }

  @AfterEach
  void listenNoMore() {
    log.detachAppender(appender);
  }

  @Test
  @SuppressWarnings("try") // the broker is closed while the service runs
  void eachTrouble_isSeenByNameInStatusMetricAndLog() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        ServedTopics at =
            new ServedTopics(
                folder,
                broker.bootstrapServers(),
                "troubles",
                ", maxLag: 2s",
                """
                awaited: { objective: squared, label: count }
                strange: { objective: squared, label: count }
                gone: { objective: squared, label: count }
                blocked: { objective: squared, label: count, labels: { in: topic } }
                refused: { objective: squared, label: count }
                lacking: { objective: squared, label: count }
                """)) {
      prepare(at);
      try (Service service = Service.start(at.settings())) {
        sees(service, "awaited", TroubleKind.VERSION, "its trainer publishes the first");
        sees(service, "awaited", TroubleKind.LAGGING, "20 records of awaited.records wait to be");
        sees(service, "strange", TroubleKind.SCHEMA, "no schema is known of the records of topic");
        sees(service, "gone", TroubleKind.TOPIC, "lacks the topic gone.scores");
        sees(service, "blocked", TroubleKind.STOPPED, "joining labels stopped and is tried again");

        sees(service, "lacking", TroubleKind.FEATURE_ABSENT, "temperature (20 records)");
        sees(service, "refused", TroubleKind.REFUSED_REPEATEDLY, "the newest 6 windows came to no");
        sees(
            service, "refused", TroubleKind.WORSE_THAN_CONSTANT, "serves loses 2.000 a row, where");

        mends(service, at);

        broker.close();
        sees(service, "awaited", TroubleKind.KAFKA, "no Kafka broker answers at");
      }
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(
            TroubleKind.REFUSED_REPEATEDLY,
            TroubleKind.WORSE_THAN_CONSTANT,
            TroubleKind.FEATURE_ABSENT,
            TroubleKind.LAGGING,
            TroubleKind.SCHEMA,
            TroubleKind.TOPIC,
            TroubleKind.STOPPED,
            TroubleKind.VERSION,
            TroubleKind.KAFKA);
  }

  /** All but what stays as it is. */
  private static void mends(Service service, ServedTopics at) throws Exception {
    at.register("strange.records", ServedTopics.RIDE);
    TopicCheck.create(at.settings(), 1);
    try (Trainer trainer = Trainer.start(at.settings())) {
      await().atMost(LIMIT).until(() -> trainer.ready() && service.ready());
      await("what is mended is over")
          .atMost(LIMIT)
          .until(
              () ->
                  active(service)
                      .equals(
                          Set.of(
                              "blocked stopped",
                              "lacking feature-absent",
                              "refused refused-repeatedly",
                              "refused worse-than-constant")));
    }
  }

  private void prepare(ServedTopics at) throws Exception {
    TopicCheck.create(at.settings(), 1);
    for (String model : List.of("awaited", "gone", "blocked", "refused")) {
      at.register(model + ".records", ServedTopics.RIDE);
    }
    at.rides("awaited", 20);
    at.register("lacking.records", WIND);
    at.trained("lacking");
    byte[] record =
        new RecordEncoder(WIND).encode(new GenericRecordBuilder(WIND).set("wind", 1.0).build());
    for (int row = 0; row < 20; row++) {
      at.sendNow("lacking.records", "k", record);
    }
    for (int window = 1; window <= 6; window++) {
      at.sendNow(at.settings().topics().reports(), "refused", refusal(window));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", at.bootstrapServers()))) {
      admin.deleteTopics(List.of("gone.scores")).all().get();
    }
    // A file where the join wants to have its folder.
    Path state = at.settings().service().stateDirectory();
    Files.createDirectories(state);
    Files.createFile(
        state.resolve(StreamsNames.join(at.settings(), at.settings().model("blocked"))));
  }

  /** A window of a model that serves worse than the constant, and of which no version came. */
  private static byte[] refusal(long window) {
    return Contracts.REPORT.encode(
        WindowReport.newBuilder()
            .setFormat(4)
            .setModel("refused")
            .setWindow(window)
            .setRanges(List.of())
            .setRows(100)
            .setUnusable(Map.of())
            .setServedVersions(List.of(3L))
            .setLoss(2)
            .setConstantLoss(1)
            .setMetrics(Map.of())
            .setEnvironments(List.of())
            .setPublishedVersion(null)
            .setDecision("It is worse.")
            .setTreesAppended(0)
            .setTreesTotal(0)
            .setTrainingMillis(0)
            .setAt(Instant.EPOCH)
            .setTipVersion(7L)
            .build());
  }

  private void sees(Service service, String model, TroubleKind kind, String words) {
    await(model + " " + kind.label())
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(sentence(service, model, kind)).contains(words).doesNotContain("\n");
              assertThat(text(service, "/prometheus"))
                  .contains(
                      "holdfast_trouble{kind=\""
                          + kind.label()
                          + "\",model=\""
                          + model
                          + "\"} 1.0");
              assertThat(logged)
                  .anyMatch(line -> line.startsWith("model " + model + ": " + kind.label() + ": "));
            });
    seen.add(kind);
  }

  /** Empty if it is not in that trouble. */
  private static String sentence(Service service, String model, TroubleKind kind) throws Exception {
    for (JsonNode trouble : troubles(service)) {
      if (trouble.get("model").asText().equals(model)
          && trouble.get("kind").asText().equals(kind.label())) {
        return trouble.get("sentence").asText();
      }
    }
    return "";
  }

  private static Set<String> active(Service service) throws Exception {
    Set<String> active = new TreeSet<>();
    troubles(service)
        .forEach(
            trouble ->
                active.add(trouble.get("model").asText() + " " + trouble.get("kind").asText()));
    return active;
  }

  private static JsonNode troubles(Service service) throws Exception {
    return new ObjectMapper().readTree(text(service, "/api/status")).get("troubles");
  }

  private static String text(Service service, String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(service.url().resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
