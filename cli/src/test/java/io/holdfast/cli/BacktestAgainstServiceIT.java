package io.holdfast.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Projection;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.Service;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same rows in the same order, through service and trainer and through a backtest: the versions
 * are the same, hash for hash. Each window's rows are sent once the version before serves, so that
 * each row is scored by the same version, too.
 */
class BacktestAgainstServiceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int WINDOW = 150;
  private static final int WINDOWS = 5;

  @TempDir Path folder;

  @Test
  void labelsInTheRecords_giveTheSameVersions() throws Exception {
    check("{ in: record }", 0, "append");
  }

  @Test
  void labelsInATopic_aWindowLate_giveTheSameVersions() throws Exception {
    check("{ in: topic }", WINDOW, "append");
  }

  @Test
  void auto_withLabelsAWindowLate_givesTheSameVersions() throws Exception {
    check("{ in: topic }", WINDOW, "auto");
  }

  private void check(String labels, int delay, String policy) throws Exception {
    Path data = TestFiles.write(folder.resolve("stream.csv"), WINDOW * WINDOWS + delay, 4);
    DataFile file = DataFile.open(data, Set.of("env"));
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      Path config = config(broker, labels, policy);
      Settings settings = Settings.read(config, Map.of());
      TopicCheck.create(settings, 1);
      Projection apart = delay == 0 ? null : Projection.without(file.schema(), "y");
      Schema schema = apart == null ? file.schema() : apart.schema();
      SchemaTopic.register(settings.kafka(), settings.topics().schemas(), "m.records", schema);
      try (Service service = Service.start(settings);
          Trainer trainer = Trainer.start(settings)) {
        await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
        send(settings, service, file, apart, delay);
      }
      JsonNode backtest =
          CliRun.of(
                  "backtest",
                  "--data=" + data,
                  "--config=" + config,
                  "--delay=" + delay,
                  "--offsets-of-log",
                  "--json")
              .json();
      List<JsonNode> hashes = backtest.get("hashes").valueStream().toList();
      assertThat(hashes).hasSize(WINDOWS + 1 + (delay > 0 ? 1 : 0));
      for (int version = 0; version <= WINDOWS; version++) {
        JsonNode shown =
            CliRun.of("models", "show", "m@" + version, "--config=" + config, "--json").json();
        assertThat(hashes.get(version)).as("version " + version).isEqualTo(shown.get("hash"));
      }
    }
  }

  private Path config(EmbeddedBroker broker, String labels, String policy) throws Exception {
    return Files.writeString(
        folder.resolve("holdfast.yml"),
        Sentence.of(
            """
            kafka: { bootstrap.servers: "%s" }
            holdfast:
              service: { port: 0, stateDirectory: "%s" }
              trainer: { port: 0 }
              models:
                m:
                  objective: squared
                  label: y
                  labels: %s
                  environment: env
                  gamma: 3
                  features: { exclude: [id, yb] }
                  trees: { rounds: 4, minRows: 5, maxLeaves: 8 }
                  window: { rows: %d, memoryRows: 200 }
                  update: { policy: %s }
            """,
            broker.bootstrapServers(), folder.resolve("state"), labels, WINDOW, policy));
  }

  private static void send(
      Settings settings, Service service, DataFile file, @Nullable Projection apart, int delay)
      throws Exception {
    FieldDecoder label = FieldDecoder.compile(file.schema(), List.of("y"));
    var framing = new SingleObjectFraming(fingerprint -> null);
    Schema schema = apart == null ? file.schema() : apart.schema();
    try (RecordSender sender = new RecordSender(settings.kafka());
        RowCursor cursor = file.open()) {
      ArrayDeque<Double> waiting = new ArrayDeque<>();
      int row = 0;
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        byte[] record = apart == null ? body : apart.apply(body);
        sender.send("m.records", "k" + row, framing.frame(schema, record), null);
        if (apart != null) {
          waiting.add((Double) requireNonNull(label.decode(body, 0)[0]));
          if (waiting.size() > delay) {
            label(sender, "k" + (row - delay), waiting.removeFirst());
          }
        }
        row++;
        int labelled = row - delay;
        if (labelled > 0 && labelled % WINDOW == 0) {
          sender.flush();
          long version = labelled / WINDOW;
          await("version " + version).atMost(PATIENCE).until(() -> serves(service, version));
        }
      }
    }
  }

  private static boolean serves(Service service, long version) {
    ActiveModel active = service.models().active("m");
    return active != null && active.number() == version;
  }

  private static void label(RecordSender sender, String key, double value) {
    Label label = Label.newBuilder().setLabel(value).setEnvironment(null).setWeight(null).build();
    sender.send("m.labels", key, Contracts.LABEL.encode(label), null);
  }
}
