package io.holdfast.cli.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.boosting.data.Feature;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.page.Chromium;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Service;
import io.holdfast.service.model.ScoreWatch;
import io.holdfast.trainer.runtime.Trainer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Each trouble is provoked, and is seen within a minute by name: status, metric, log, and, where a
 * browser is installed, dashboard.
 */
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

  /** Of records whose category no training has seen. */
  private static final Schema KIND =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Kind", "fields": [
            {"name": "kind", "type": "string"},
            {"name": "count", "type": ["null", "double"], "default": null}]}
          """);

  /** Of records with a number that is rounded. */
  private static final Schema LONG =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Long", "fields": [
            {"name": "temperature", "type": "long"},
            {"name": "count", "type": ["null", "double"], "default": null}]}
          """);

  /** Of records with a field that cannot be a feature. */
  private static final Schema TAGGED =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Tagged", "fields": [
            {"name": "temperature", "type": "double"},
            {"name": "tags", "type": {"type": "array", "items": "string"}},
            {"name": "count", "type": ["null", "double"], "default": null}]}
          """);

  @TempDir Path folder;
  private @Nullable Chromium browser;
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
  void eachTrouble_isSeenByNameInStatusMetricLogAndDashboard() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        ServedTopics at =
            new ServedTopics(
                folder,
                broker.bootstrapServers(),
                "troubles",
                ", maxLag: 2s }\n  registry: { urls: ['http://127.0.0.1:1'], timeout: 1s",
                """
                awaited: { objective: squared, label: count }
                strange: { objective: squared, label: count }
                gone: { objective: squared, label: count }
                blocked: { objective: squared, label: count, labels: { in: topic } }
                refused: { objective: squared, label: count }
                lacking: { objective: squared, label: count }
                strangers: { objective: squared, label: count }
                differs: { objective: absolute, label: count }
                ahead: { objective: squared, label: count, labels: { in: topic } }
                held: { objective: squared, label: count, labels: { in: topic } }
                garbage: { objective: squared, label: count, labels: { in: topic } }
                twice: { objective: squared, label: count }
                beyond: { objective: squared, label: count }
                rounded: { objective: squared, label: count }
                tagged: { objective: squared, label: count }
                seconds: { objective: squared, label: count }
                unnamed: { objective: squared, label: count }
                """)) {
      prepare(at);
      try (Service service = Service.start(at.settings());
          KafkaProducer<String, byte[]> other = otherScorer(at);
          Chromium page = page()) {
        browser = page;
        sees(service, "awaited", TroubleKind.VERSION, "its trainer publishes the first");
        sees(service, "awaited", TroubleKind.LAGGING, "20 records of awaited.records wait to be");
        sees(service, "strange", TroubleKind.SCHEMA, "no schema is known of the records of topic");
        sees(service, "gone", TroubleKind.TOPIC, "lacks the topic gone.scores");
        sees(service, "blocked", TroubleKind.STOPPED, "stopped and is tried again: its state");

        sees(service, "refused", TroubleKind.REFUSED_REPEATEDLY, "the newest 6 windows came to no");
        sees(
            service, "refused", TroubleKind.WORSE_THAN_CONSTANT, "serves loses 2.000 a row, where");

        seesOddValues(service);
        sees(service, "differs", TroubleKind.SETTINGS_DIFFER, "differs.objective is absolute");
        sees(service, "ahead", TroubleKind.CLOCK_AHEAD, "ahead");
        sees(service, "garbage", TroubleKind.LABELS_UNUSABLE, "none of the newest");
        scoresToo(other);
        sees(service, "twice", TroubleKind.SCORED_TWICE, "with the application id other scores");
        sees(service, "held", TroubleKind.LABELS_HELD_BACK, "1 labels are held back, the oldest");

        sees(service, "unnamed", TroubleKind.REGISTRY, "1 partitions wait, unnamed.records-0 at");

        mends(service, at);

        broker.close();
        sees(service, "awaited", TroubleKind.KAFKA, "no Kafka broker answers at");
      }
    }
    assertThat(seen).as("all that there are").isEqualTo(EnumSet.allOf(TroubleKind.class));
  }

  private void seesOddValues(Service service) throws Exception {
    sees(service, "lacking", TroubleKind.FEATURE_ABSENT, "temperature (20 records)");
    sees(service, "strangers", TroubleKind.UNSEEN_CATEGORIES, "most values of kind (20 of the");
    sees(service, "rounded", TroubleKind.NUMBERS_ROUNDED, "2^53 in temperature (20 of the");
    sees(service, "tagged", TroubleKind.FIELDS_LEFT_OUT, ": tags (array); name them in");
    sees(service, "seconds", TroubleKind.TIME_UNIT, "seconds.records has 1 messages whose");
    sees(service, "beyond", TroubleKind.SCORES_FAR_BEYOND_LABELS, "scores, such as 5.000, are");
  }

  private @Nullable Chromium page() throws Exception {
    Optional<Path> program = Chromium.installed();
    return program.isEmpty() ? null : new Chromium(program.get(), folder.resolve("profile"));
  }

  /** Scores for a service of another application id. */
  private static KafkaProducer<String, byte[]> otherScorer(ServedTopics at) {
    KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                at.bootstrapServers(),
                "transactional.id",
                "other-twice-score-00000000-0000-0000-0000-000000000000-1"),
            new StringSerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static void scoresToo(KafkaProducer<String, byte[]> other) {
    other.beginTransaction();
    var _ = other.send(new ProducerRecord<>("twice.scores", "k", new byte[1]));
    other.commitTransaction();
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
                              "beyond scores-far-beyond-labels",
                              "beyond worse-than-constant",
                              "blocked stopped",
                              "differs settings-differ",
                              "garbage labels-unusable",
                              "lacking feature-absent",
                              "refused refused-repeatedly",
                              "refused worse-than-constant",
                              "rounded numbers-rounded",
                              "seconds time-unit",
                              "strangers unseen-categories",
                              "tagged fields-left-out",
                              "twice scored-twice",
                              "unnamed lagging",
                              "unnamed registry")));
    }
  }

  private void prepare(ServedTopics at) throws Exception {
    TopicCheck.create(at.settings(), 1);
    for (String model :
        List.of(
            "awaited", "gone", "blocked", "refused", "differs", "ahead", "held", "twice", "beyond",
            "garbage", "unnamed")) {
      at.register(model + ".records", ServedTopics.RIDE);
    }
    at.send("unnamed.records", "k", new byte[] {0, 0, 0, 0, 1, 2}); // of a registry's schema 1
    for (String model : List.of("differs", "ahead", "garbage", "twice", "unnamed")) {
      at.trained(model);
    }
    at.rides("awaited", 20);
    at.register("lacking.records", WIND);
    at.trained("lacking");
    byte[] record =
        new RecordEncoder(WIND).encode(new GenericRecordBuilder(WIND).set("wind", 1.0).build());
    for (int row = 0; row < 20; row++) {
      at.sendNow("lacking.records", "k", record);
    }
    prepareOddValues(at);
    at.trained("beyond", 6);
    RecordEncoder rides = new RecordEncoder(ServedTopics.RIDE);
    for (int row = 0; row < ScoreWatch.FEWEST_LABELS + 10; row++) {
      double label = row % 2;
      at.send(
          "beyond.records",
          "k",
          rides.encode(
              new GenericRecordBuilder(ServedTopics.RIDE)
                  .set("temperature", 1.0)
                  .set("count", label)
                  .build()));
    }
    at.register("strangers.records", KIND);
    at.learnedFrom(new Feature.Categorical("kind", List.of("a", "b")));
    at.trained("strangers");
    byte[] strange =
        new RecordEncoder(KIND).encode(new GenericRecordBuilder(KIND).set("kind", "z").build());
    Instant now = Clock.systemUTC().instant();
    at.sendAt(now.plus(Duration.ofMinutes(50)), "ahead.records", "k", ServedTopics.ride(1));
    at.rides("held", 20); // no version scores them
    at.sendAt(now, "held.labels", "k1", Contracts.LABEL.encode(new Label(1.0, null, null)));
    for (int row = 0; row < 20; row++) {
      at.send("strangers.records", "k", strange);
      at.send("garbage.labels", "k" + row, new byte[] {1, 2, 3});
    }
    at.flush();
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

  private static void prepareOddValues(ServedTopics at) {
    at.register("rounded.records", LONG);
    at.trained("rounded");
    byte[] number =
        new RecordEncoder(LONG)
            .encode(new GenericRecordBuilder(LONG).set("temperature", (1L << 53) + 1).build());
    at.register("tagged.records", TAGGED);
    at.trained("tagged");
    at.register("seconds.records", ServedTopics.RIDE);
    at.trained("seconds");
    for (int row = 0; row < 20; row++) {
      at.send("rounded.records", "k", number);
    }
    Instant inSeconds = Instant.ofEpochMilli(Clock.systemUTC().instant().getEpochSecond());
    at.sendAt(inSeconds, "seconds.records", "k", ServedTopics.ride(1));
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

  private void sees(Service service, String model, TroubleKind kind, String words)
      throws Exception {
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
    if (browser != null) {
      browser.open(service.url().resolve("/#/" + model));
      await("dashboard of " + model)
          .atMost(LIMIT)
          .until(() -> shown("page"), text -> text.contains(words));
    }
    seen.add(kind);
  }

  private String shown(String id) throws Exception {
    return requireNonNull(browser)
        .evaluate("document.getElementById('" + id + "')?.textContent ?? ''")
        .asText();
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
    return new ObjectMapper().readTree(text(service, "/api/v1/status")).get("troubles");
  }

  private static String text(Service service, String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(service.url().resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
