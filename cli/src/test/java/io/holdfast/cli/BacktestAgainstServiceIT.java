package io.holdfast.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Projection;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.Service;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
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
  private static final int FEW = 30; // rows of windows that close with their losses

  @TempDir Path folder;

  /** Whether rows have a date, whose hour the label depends on. */
  private boolean dated;

  /** Parts of dates are learned by all alike, and scored by REST by the same parts. */
  @Test
  void labelsInTheRecords_giveTheSameVersions_withPartsOfDates() throws Exception {
    dated = true;
    check("{ in: record }", 0, "append", WINDOW * WINDOWS);
  }

  @Test
  void labelsInATopic_aWindowLate_giveTheSameVersions() throws Exception {
    check("{ in: topic }", WINDOW, "append", WINDOW * WINDOWS + WINDOW);
  }

  @Test
  @Tag("long")
  void auto_withLabelsAWindowLate_givesTheSameVersions() throws Exception {
    check("{ in: topic }", WINDOW, "auto", WINDOW * WINDOWS + WINDOW);
  }

  /** The rows of several windows are compared with the reference together. */
  @Test
  @Tag("long")
  void smallWindows_giveTheSameVersions() throws Exception {
    check("{ in: record }", 0, "append", "rows: 20,", 800, rows -> (rows < 5 ? 0 : 1) + rows / 20);
  }

  /** Its windows close once their rows have lost enough by what was served for them. */
  @Test
  void auto_withWindowsOfItsOwn_givesTheSameVersions() throws Exception {
    Path config = config("localhost:9092", "{ in: record }", "", "auto");
    List<JsonNode> all = hashes(config, 0, FEW + 20); // every window of the first rows is closed
    int[] versions = new int[FEW + 1];
    for (int rows = 1; rows <= FEW; rows++) {
      List<JsonNode> some = hashes(config, 0, rows);
      int same = 0;
      while (same < Math.min(some.size(), all.size()) && some.get(same).equals(all.get(same))) {
        same++;
      }
      versions[rows] = same - 1;
    }
    assertThat(versions[FEW]).isBetween(FEW / 10, FEW - 5); // not a version a row
    check("{ in: record }", 0, "auto", "", FEW, labelled -> versions[labelled]);
  }

  private void check(String labels, int delay, String policy, int rows) throws Exception {
    // Constants of 5 and of 20 labels serve before the first window is full.
    IntUnaryOperator versions =
        labelled -> (labelled < 5 ? 0 : labelled < 20 ? 1 : 2) + labelled / WINDOW;
    check(labels, delay, policy, "rows: " + WINDOW + ",", rows, versions);
  }

  /**
   * @param window settings of the windows
   * @param versions of so many labelled rows
   */
  private void check(
      String labels, int delay, String policy, String window, int rows, IntUnaryOperator versions)
      throws Exception {
    Path data = rows(rows);
    DataFile file =
        DataFile.open(DataSource.of(data), new Reading(Set.of("env"), MissingWords.USUAL));
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      Path config = config(broker.bootstrapServers(), labels, window, policy);
      Settings settings = Settings.read(config, Map.of());
      TopicCheck.create(settings, 1);
      Projection apart = delay == 0 ? null : Projection.without(file.schema(), "y");
      Schema schema = apart == null ? file.schema() : apart.schema();
      SchemaTopic.register(settings.kafka(), settings.topics().schemas(), "m.records", schema);
      try (Service service = Service.start(settings);
          Trainer trainer = Trainer.start(settings)) {
        await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
        send(settings, service, file, apart, delay, versions);
        if (dated) {
          double morning = scoreOf(service, "2026-03-02T08:30:00Z");
          assertThat(scoreOf(service, "2043-03-02T08:00:00Z")).isEqualTo(morning); // a Monday, too
          assertThat(scoreOf(service, "2026-03-02T18:00:00Z")).isLessThan(morning - 1);
        }
      }
      List<JsonNode> hashes = hashes(config, delay, rows, "--offsets-of-log");
      int last = versions.applyAsInt(rows - delay);
      assertThat(hashes).hasSizeBetween(last + 1, last + 2); // rows that were left make one more
      for (int version = 0; version <= last; version++) {
        JsonNode shown =
            CliRun.of("models", "show", "m@" + version, "--config=" + config, "--json").json();
        assertThat(hashes.get(version)).as("version " + version).isEqualTo(shown.get("hash"));
      }
    }
  }

  private Path rows(int rows) throws IOException {
    Path file = TestFiles.write(folder.resolve("stream.csv"), rows, 4);
    if (!dated) {
      return file;
    }
    List<String> lines = Files.readAllLines(file);
    lines.set(0, lines.getFirst() + ",at");
    for (int row = 1; row < lines.size(); row++) {
      LocalDateTime time = LocalDateTime.of(2026, 1, 1, 0, 0).plusHours(7L * row);
      String[] cells = lines.get(row).split(",", -1);
      cells[5] = "" + (Double.parseDouble(cells[5]) + (time.getHour() < 12 ? 8 : 0)); // y
      lines.set(row, String.join(",", cells) + "," + time + "Z");
    }
    return Files.write(file, lines);
  }

  private static double scoreOf(Service service, String time) throws Exception {
    var request =
        HttpRequest.newBuilder(service.url().resolve("/api/v1/models/m/score"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"at\": \"" + time + "\", \"x\": 0}"))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      JsonNode prediction = new ObjectMapper().readTree(answer).at("/predictions/0/prediction");
      assertThat(prediction.isNumber()).as(answer).isTrue();
      return prediction.asDouble();
    }
  }

  /** Those of the versions that a backtest of so many rows makes. */
  private List<JsonNode> hashes(Path config, int delay, int rows, String... more) throws Exception {
    Path data = rows(rows);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "backtest", "--data=" + data, "--config=" + config, "--delay=" + delay, "--json"));
    arguments.addAll(List.of(more));
    JsonNode backtest = CliRun.of(arguments.toArray(String[]::new)).json();
    return backtest.get("hashes").valueStream().toList();
  }

  private Path config(String brokers, String labels, String window, String policy)
      throws Exception {
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
                  features: { exclude: [id, yb]%s }
                  trees: { rounds: 4, minRows: 5, maxLeaves: 8 }
                  window: { %s memoryRows: 200, minInterval: 0s }
                  update: { policy: %s }
                  drift: { action: report }
            """,
            brokers,
            folder.resolve("state"),
            labels,
            dated ? ", dates: [at]" : "",
            window,
            policy));
  }

  private static void send(
      Settings settings,
      Service service,
      DataFile file,
      @Nullable Projection apart,
      int delay,
      IntUnaryOperator versions)
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
        int labelled = Math.max(0, row - delay);
        int version = versions.applyAsInt(labelled);
        if (labelled > 0 && version > versions.applyAsInt(labelled - 1)) {
          sender.flush();
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
