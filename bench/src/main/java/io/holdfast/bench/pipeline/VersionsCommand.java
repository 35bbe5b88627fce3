package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.cli.stream.ReportTail;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench versions}: what labels that come fast make of the model topic. */
@Command(
    name = "versions",
    description = {
      "Sends labelled records at an even rate through broker, service and trainer in one process:",
      "versions a second, how far the trainer is behind, and how the topics grow."
    })
public final class VersionsCommand extends BenchCommand {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int FEATURES = 10;
  private static final Schema SCHEMA =
      WideRecords.doubles(SchemaBuilder.record("Row").namespace("bench").fields(), FEATURES)
          .requiredDouble("y")
          .endRecord();

  @Option(names = "--rate", description = "Labels/s (${DEFAULT-VALUE}).")
  int rate = 5_000;

  @Option(names = "--seconds", description = "Of load (${DEFAULT-VALUE}).")
  int seconds = 60;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    Path folder = Files.createTempDirectory("holdfast-versions");
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      Settings settings = settings(folder, broker.bootstrapServers());
      TopicCheck.create(settings, 1);
      SchemaTopic.register(settings.kafka(), settings.topics().schemas(), "m.records", SCHEMA);
      try (Service service = Service.start(settings);
          Trainer trainer = Trainer.start(settings);
          ReportTail tail = new ReportTail(settings.kafka(), settings.topics().reports(), "m")) {
        while (!service.ready() || !trainer.ready()) {
          LockSupport.parkNanos(POLL.toNanos());
        }
        load(settings, tail, out);
      }
      out.println("bytes a topic: " + bytes(admin));
    }
  }

  private static Settings settings(Path folder, String brokers) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: "%s" }
                holdfast:
                  service: { port: 0, stateDirectory: "%s" }
                  trainer: { port: 0 }
                  models:
                    m: { objective: squared, label: y, update: { policy: auto } }
                """,
                brokers, folder.resolve("state")));
    return Settings.read(file, Map.of());
  }

  private void load(Settings settings, ReportTail tail, PrintWriter out)
      throws InterruptedException {
    int count = rate * seconds;
    long start = System.nanoTime();
    Thread sender = Thread.ofPlatform().name("load").start(() -> send(settings, count, start));
    long behind = 0;
    double training = 0;
    List<WindowReport> windows = new ArrayList<>();
    while (tail.concluded() < count) {
      for (WindowReport report : tail.poll(POLL)) {
        windows.add(report);
        training += report.getTrainingMillis() / 1e3;
      }
      long due = Math.min(count, (System.nanoTime() - start) * rate / 1_000_000_000L);
      behind = Math.max(behind, due - tail.concluded());
    }
    double taken = (System.nanoTime() - start) / 1e9;
    sender.join();
    out.printf(
        Locale.ROOT,
        "%d labels/s for %d s: %d versions, %.2f a second; at most %d rows (%.1f s) behind, all"
            + " learned %.1f s after the last; training %.0f%% of the time%n",
        rate,
        seconds,
        windows.size(),
        windows.size() / taken,
        behind,
        (double) behind / rate,
        taken - seconds,
        100 * training / taken);
  }

  private void send(Settings settings, int count, long start) {
    SplittableRandom random = new SplittableRandom(3);
    RecordEncoder encoder = new RecordEncoder(SCHEMA);
    try (RecordSender sender = new RecordSender(settings.kafka())) {
      for (int row = 0; row < count; row++) {
        SteadyLoad.awaitDue(start, row, rate);
        sender.send("m.records", "k" + row, encoder.encode(record(random)), null);
      }
      sender.flush();
    }
  }

  private static GenericData.Record record(SplittableRandom random) {
    GenericData.Record record = new GenericData.Record(SCHEMA);
    double label = random.nextGaussian();
    for (int k = 0; k < FEATURES; k++) {
      double x = random.nextDouble(-1, 1);
      record.put(k, x);
      label += k * x * x;
    }
    record.put(FEATURES, label);
    return record;
  }

  /** What lies on the broker's disk. */
  private static Map<String, Long> bytes(Admin admin)
      throws ExecutionException, InterruptedException {
    List<Integer> brokers = admin.describeCluster().nodes().get().stream().map(Node::id).toList();
    Map<String, Long> bytes = new TreeMap<>();
    admin.describeLogDirs(brokers).allDescriptions().get().values().stream()
        .flatMap(folders -> folders.values().stream())
        .flatMap(folder -> folder.replicaInfos().entrySet().stream())
        .forEach(one -> bytes.merge(one.getKey().topic(), one.getValue().size(), Long::sum));
    bytes.keySet().removeIf(topic -> topic.startsWith("__"));
    return bytes;
  }
}
