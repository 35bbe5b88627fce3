package io.holdfast.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.auditor.AuditPlan;
import io.holdfast.auditor.Auditor;
import io.holdfast.auditor.Verdict;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The auditor finds nothing on what service and trainer wrote, and each way of tampering with it.
 */
class AuditIT {
  private static final int ROWS = 1_500;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static EmbeddedBroker broker;

  @SuppressWarnings("NullAway.Init")
  private static Path config;

  @SuppressWarnings("NullAway.Init")
  private static Settings settings;

  private static int copies;

  @BeforeAll
  static void learnAndScore() throws IOException {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            """
            kafka: { bootstrap.servers: "%s" }
            holdfast:
              service: { port: 0, stateDirectory: "%s" }
              trainer: { port: 0 }
              models:
                m:
                  objective: softmax
                  classes: [small, middle, large]
                  label: size
                  environment: region
                  labels: { in: topic, wait: 1h }
                  trees: { rounds: 3, maxLeaves: 6, minRows: 10 }
                  update: { policy: append }
                  window: { rows: 300 }
            """
                .replaceFirst("%s", broker.bootstrapServers())
                .replaceFirst("%s", folder.resolve("state").toString()));
    Path rows = Files.writeString(folder.resolve("rows.csv"), rows());
    assertThat(CliRun.of("topics", "create", "--config=" + config, "--partitions=2").exitCode())
        .isZero();
    settings = Settings.read(config, Map.of());
    try (var service = Service.start(settings);
        var trainer = Trainer.start(settings)) {
      assertThat(service.url()).isNotEqualTo(trainer.url());
      CliRun replay =
          CliRun.of(
              "replay",
              rows + "",
              "--config=" + config,
              "--ahead=350",
              "--label-delay=5",
              "--key=row",
              "--json");
      assertThat(replay.exitCode()).as(replay.err()).isZero();
      await().atMost(PATIENCE).until(() -> messages("m.examples").size() >= ROWS - 5);
      await().atMost(PATIENCE).until(() -> versions() >= 4);
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static String rows() {
    var random = new SplittableRandom(3);
    StringBuilder rows = new StringBuilder("row,x,kind,region,size\n");
    for (int row = 0; row < ROWS; row++) {
      int x = random.nextInt(100);
      int kind = random.nextInt(4);
      String size = List.of("small", "middle", "large").get(Math.min(2, (x + 10 * kind) / 45));
      rows.append("r").append(row).append(',').append(row % 7 == 0 ? "" : x + ".5").append(",k");
      rows.append(kind)
          .append(',')
          .append(row % 2 == 0 ? "north" : "south")
          .append(',')
          .append(size)
          .append('\n');
    }
    return rows.toString();
  }

  private static long versions() {
    return messages("holdfast.models").stream()
        .filter(one -> one.key().startsWith("m/version/"))
        .count();
  }

  static List<Message> messages(String topic) {
    List<Message> messages = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> one :
        CommittedRecords.of(broker.bootstrapServers(), topic)) {
      messages.add(new Message(one.partition(), one.key(), one.value(), one.headers()));
    }
    messages.sort((a, b) -> Integer.compare(a.partition(), b.partition()));
    return messages;
  }

  private static AuditPlan plan() {
    return AuditCommand.plan(settings, settings.model("m"), new AuditPlan.Span(null, null));
  }

  @Test
  void whatServiceAndTrainerWrote_isAsPromised() throws IOException {
    Path page = folder.resolve("audit.html");
    CliRun run = CliRun.of("audit", "--config=" + config, "--html=" + page, "--json");
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    var verdict = run.json().get("models").get(0);
    assertThat(verdict.at("/counts/records").asInt()).isEqualTo(ROWS);
    assertThat(verdict.at("/counts/recomputed").asInt()).isEqualTo(ROWS);
    assertThat(verdict.at("/counts/examples").asInt()).isGreaterThanOrEqualTo(ROWS - 5);
    assertThat(verdict.at("/findings")).isEmpty();
    assertThat(Files.readString(page)).contains("m: <span class=good>as promised");
    assertThat(CliRun.of("audit", "--config=" + config).out()).contains("m: as promised");
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.audit.Tampering#all")
  void tampering_isFoundAndNamed(Tampering how) throws Exception {
    String topic = how.topic();
    String copy = "copy" + copies++ + "." + topic;
    write(copy, how.change().apply(messages(topic)));
    Verdict verdict = Auditor.run(withTopic(plan(), topic, copy), read -> {});
    assertThat(verdict.broken()).as(how + ": " + verdict.findings()).containsKey(how.kind());
    assertThat(verdict.findings()).anySatisfy(one -> assertThat(one.kind()).isEqualTo(how.kind()));
  }

  private static AuditPlan withTopic(AuditPlan plan, String topic, String copy) {
    AuditPlan.Topics t = plan.topics();
    UnaryOperator<String> now = one -> one.equals(topic) ? copy : one;
    return new AuditPlan(
        plan.kafka(),
        plan.model(),
        new AuditPlan.Topics(
            now.apply(t.records()),
            now.apply(t.scores()),
            now.apply(t.labels()),
            now.apply(t.examples()),
            now.apply(t.deadLetters()),
            now.apply(t.models()),
            now.apply(t.schemas())),
        plan.scorerGroup(),
        plan.retained(),
        plan.label(),
        plan.missing(),
        plan.schemas(),
        plan.span());
  }

  private static void write(String topic, List<Message> messages) throws Exception {
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (Admin admin = Admin.create(kafka);
        var producer =
            new KafkaProducer<>(kafka, new StringSerializer(), new ByteArraySerializer())) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
      // A producer that meets a partition before its leader does may wait for two minutes.
      await()
          .ignoreExceptions()
          .until(
              () ->
                  admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                      .flatMap(one -> one.partitions().stream())
                      .allMatch(one -> one.leader() != null));
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (Message one : messages) {
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    topic, one.partition(), one.key(), one.value(), one.headers())));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    }
  }
}
