package io.holdfast.faults.poison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.faults.Answers;
import io.holdfast.faults.Deployment;
import io.holdfast.faults.Deployment.Shape;
import io.holdfast.faults.Node;
import io.holdfast.faults.Scale;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bad versions on the model topic at a scorer that runs: it scores on by the version that it had,
 * says why by metric, log and health, and takes the next good one.
 */
class BadVersionsIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 7);
  private static final String REJECTS = "holdfast_model_rejects_total{model=\"m0\",reason=\"";

  /** What only the model topic can break. */
  private static final Set<String> OF_VERSIONS =
      Set.of("UNREADABLE", "HASH", "GAP", "PARENT", "REWRITTEN", "WINDOW", "TREES", "HEAD");

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final Answers answers = new Answers();

  @SuppressWarnings("NullAway.Init")
  private Deployment at;

  @SuppressWarnings("NullAway.Init")
  private KafkaProducer<String, byte[]> producer;

  @BeforeEach
  void start() {
    at = new Deployment(folder, new Shape(1, 1, 1, 1, SEED));
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", at.brokers().directServers()),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close();
    at.close();
  }

  @Test
  void badVersions_areRefusedByReason_andTheNextGoodOneServes() throws Exception {
    at.awaitVersions(4); // one has splits
    at.trainers().end(0, Node::stop);
    BadVersions versions = versions();
    double serving = versions.serving().number();
    for (BadVersions.Kind kind : BadVersions.Kind.values()) {
      String metric = REJECTS + kind.reason() + "\"}";
      double before = metric(metric);
      send(versions.of(kind));
      await(kind + " is counted").atMost(PATIENCE).until(() -> metric(metric) > before);
      assertThat(at.scorers().node(0).log()).as(kind.name()).contains("(" + kind.reason() + ")");
      assertThat(serves()).as(kind.name()).isEqualTo(serving);
    }
    flipBits(versions, serving);
    send(versions.of(BadVersions.Kind.CYCLE));
    sayWhy(versions);
    at.awaitSent(100);
    at.awaitOutcomes();

    at.scorers().end(0, Node::stop);
    at.scorers().begin(0);
    at.scorers().node(0).awaitText(" listens on ");
    await("a scorer that starts").atMost(Deployment.PATIENCE).until(() -> serves() == serving);
    sayWhy(versions);

    List<LedgerRecord> good = versions.good();
    send(List.of(good.getFirst(), good.getFirst())); // a chunk twice does no harm
    send(good);
    await("the good one").atMost(Deployment.PATIENCE).until(() -> serves() == serving + 1);
    await("no trouble").atMost(Deployment.PATIENCE).until(() -> !readiness().contains("cannot"));
    at.trainers().begin(0);
    at.awaitNextVersions();
    audited();
  }

  /** Of versions that never came whole. */
  private void flipBits(BadVersions versions, double serving) throws Exception {
    int step = Scale.large() ? 1 : 97;
    BadVersions flipped = versions;
    for (int place = 0; place < 2; place++) {
      flipped = flipped.another();
      for (List<LedgerRecord> one : flipped.flipped(place, (int) (SEED % step), step)) {
        send(one);
        assertThat(serves()).isEqualTo(serving);
      }
    }
  }

  /** In words, while what served before serves on. */
  private void sayWhy(BadVersions versions) {
    await("it is said")
        .atMost(Deployment.PATIENCE)
        .until(() -> readiness().contains("cannot serve, and version"));
    assertThat(readiness())
        .contains("DEGRADED")
        .contains("version " + versions.number() + " cannot serve")
        .contains("version " + versions.serving().number() + " serves on");
    Node scorer = at.scorers().node(0);
    assertThat(answers.get(scorer, "/health/rest").up()).isTrue();
    await("scoring")
        .atMost(Duration.ofMinutes(1))
        .until(() -> answers.get(scorer, "/health/scoring").up());
    assertThat(answers.get(scorer, "/health/liveness").up()).isTrue();
  }

  private String readiness() {
    return answers.get(at.scorers().node(0), "/health/readiness").body();
  }

  private double metric(String name) {
    return answers.metric(at.scorers().node(0), name);
  }

  private double serves() {
    return metric("holdfast_model_version{model=\"m0\"}");
  }

  private void send(List<LedgerRecord> records) throws Exception {
    for (LedgerRecord record : records) {
      producer
          .send(new ProducerRecord<>("holdfast.models", 0, record.key().toString(), record.value()))
          .get();
    }
  }

  /** Bad ones that would follow what serves. */
  private BadVersions versions() throws MalformedRecordException {
    Settings settings = Settings.read(at.config(), Map.of());
    Ledger ledger = new Ledger();
    Map<Digest, byte[]> segments = new HashMap<>();
    LedgerReader.read(
        settings.kafka(),
        settings.topics().models(),
        Duration.ofMinutes(1),
        record -> {
          ledger.apply(record.key(), record.value());
          if (LedgerKey.parse(record.key()) instanceof LedgerKey.SegmentKey key) {
            segments.put(key.digest(), record.value());
          }
        });
    LedgerVersion serving = ledger.serving("m0").orElseThrow();
    for (byte[] value : segments.values()) {
      TreeSegment segment = Contracts.SEGMENT.decode(value);
      for (TreeNodes tree : segment.getTrees()) {
        if (!tree.getLeft().isEmpty()) {
          return new BadVersions(serving, segment, ledger.head("m0").orElseThrow()).another();
        }
      }
    }
    throw new AssertionError("no tree has a split: " + serving.manifest());
  }

  /** All but the model topic is as promised, and that the auditor names. */
  private void audited() throws JsonProcessingException {
    at.pauseUntilDrained();
    CliRun run = CliRun.of("audit", "--config=" + at.config(), "--json");
    JsonNode verdict = new ObjectMapper().readTree(run.out()).at("/models/0");
    Set<String> broken = new TreeSet<>();
    verdict.path("broken").fieldNames().forEachRemaining(broken::add);
    assertThat(broken).as(run.out()).isSubsetOf(OF_VERSIONS).contains("HASH", "REWRITTEN");
    assertThat(verdict.path("counts").path("records").asLong()).isEqualTo(at.feed().acknowledged());
  }
}
