package io.holdfast.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.auditor.AuditPlan;
import io.holdfast.auditor.Auditor;
import io.holdfast.auditor.Finding;
import io.holdfast.auditor.Verdict;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.shape.CreatedTopics;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
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
import org.junit.jupiter.params.provider.EnumSource;
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
                  uncertainty: { coverage: [0.8, 0.95], calibration: beta }
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
    assertThat(Files.readString(page)).contains("m: as promised</h2>");
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

  @Test
  void resumed_readsWhatIsNewAlone_andFindsWhatIsWrongInIt() throws Exception {
    String copy = "again.m.scores";
    List<Message> scores = messages("m.scores");
    write(copy, scores);
    AuditPlan plan = withTopic(plan(), "m.scores", copy);
    Verdict first = Auditor.run(plan, read -> {});
    assertThat(first.broken()).isEmpty();
    assertThat(first.proven().before()).isBetween(ROWS / 2L, (long) ROWS);

    Verdict second = Auditor.run(plan.after(first.proven()), read -> {});
    assertThat(second.broken()).isEmpty();
    assertThat(second.counts().get("proven")).isEqualTo(first.proven().before());
    assertThat(second.counts().getOrDefault("records", 0L))
        .isEqualTo(ROWS - first.proven().before());

    add(copy, List.of(scores.getFirst()));
    Verdict third = Auditor.run(plan.after(second.proven()), read -> {});
    assertThat(third.broken()).containsOnlyKeys(Finding.Kind.RECORD_DOUBLED);
    assertThat(third.proven()).isEqualTo(second.proven());
  }

  @Test
  void resumeAndFollow_keepWhatIsProvenInAFile() throws IOException {
    Path file = folder.resolve("proven.json");
    CliRun first = CliRun.of("audit", "--config=" + config, "--resume=" + file, "--follow=1");
    assertThat(first.exitCode()).as(first.out() + first.err()).isZero();
    assertThat(first.err()).contains("m: as promised so far");
    assertThat(Files.readString(file)).contains("\"m.scores-0\"");
    CliRun second = CliRun.of("audit", "--config=" + config, "--resume=" + file, "--json");
    assertThat(second.json().at("/models/0/counts/proven").asLong()).isPositive();
    Files.writeString(file, "{");
    assertThat(CliRun.of("audit", "--config=" + config, "--resume=" + file).err())
        .contains("proven.json is not what an audit with --resume has written");
    CliRun both =
        CliRun.of("audit", "--config=" + config, "--follow=1", "--to=2026-01-01T00:00:00Z");
    assertThat(both.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"JSON", "PLAIN"})
  void recordsOfOneSchema_areRecomputed(AuditPlan.Form form) throws Exception {
    Message declared =
        messages("holdfast.schemas").stream()
            .filter(one -> one.key().startsWith("m.records/"))
            .findFirst()
            .orElseThrow();
    Schema schema = new Schema.Parser().parse(new String(declared.value(), UTF_8));
    String copy = form.name().toLowerCase(Locale.ROOT) + ".m.records";
    List<Message> records = new ArrayList<>();
    for (Message one : messages("m.records")) {
      byte[] body = Arrays.copyOfRange(one.value(), 10, one.value().length);
      records.add(one.with(form == AuditPlan.Form.PLAIN ? body : json(schema, body)));
    }
    write(copy, records);
    AuditPlan plan = withTopic(plan(), "m.records", copy);
    var as = new AuditPlan.Written(form, schema.toString());
    Verdict verdict = Auditor.run(as(plan, as), read -> {});
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.counts()).containsEntry("recomputed", (long) ROWS);
  }

  private static byte[] json(Schema schema, byte[] body) throws IOException {
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(schema)
            .read(null, DecoderFactory.get().binaryDecoder(body, null));
    return record.toString().getBytes(UTF_8);
  }

  private static AuditPlan withTopic(AuditPlan plan, String topic, String copy) {
    AuditPlan.Topics t = plan.topics();
    UnaryOperator<String> now = one -> one.equals(topic) ? copy : one;
    return with(
        plan,
        new AuditPlan.Topics(
            now.apply(t.records()),
            now.apply(t.scores()),
            now.apply(t.labels()),
            now.apply(t.examples()),
            now.apply(t.deadLetters()),
            now.apply(t.models()),
            now.apply(t.schemas()),
            t.asRecords(),
            t.asLabels()));
  }

  private static AuditPlan as(AuditPlan plan, AuditPlan.Written records) {
    AuditPlan.Topics t = plan.topics();
    return with(
        plan,
        new AuditPlan.Topics(
            t.records(),
            t.scores(),
            t.labels(),
            t.examples(),
            t.deadLetters(),
            t.models(),
            t.schemas(),
            records,
            t.asLabels()));
  }

  private static AuditPlan with(AuditPlan plan, AuditPlan.Topics topics) {
    return new AuditPlan(
        plan.kafka(),
        plan.model(),
        topics,
        plan.scorerGroup(),
        plan.retained(),
        plan.label(),
        plan.missing(),
        plan.schemas(),
        plan.span(),
        plan.proven());
  }

  private static void write(String topic, List<Message> messages) throws Exception {
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (Admin admin = Admin.create(kafka)) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
      CreatedTopics.awaitLeaders(admin, List.of(topic), PATIENCE);
    }
    add(topic, messages);
  }

  private static void add(String topic, List<Message> messages) throws Exception {
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(kafka, new StringSerializer(), new ByteArraySerializer())) {
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
