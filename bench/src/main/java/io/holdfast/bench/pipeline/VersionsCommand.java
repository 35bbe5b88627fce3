package io.holdfast.bench.pipeline;

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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast-bench versions}: what labels that come fast make of the model topic. */
@Command(
    name = "versions",
    description = {
      "Sends labelled records at an even rate through broker, service and trainer in one process:",
      "versions a second, how far the trainer is behind, and how the topics grow."
    },
    mixinStandardHelpOptions = true)
public final class VersionsCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int FEATURES = 10;
  private static final Schema SCHEMA = schema();

  @Spec CommandSpec spec;

  @Option(names = "--rate", defaultValue = "5000", description = "Labels/s (${DEFAULT-VALUE}).")
  int rate;

  @Option(names = "--seconds", defaultValue = "60", description = "Of load (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--window",
      defaultValue = "",
      description = "Settings of the window, as in 'minInterval: 0s'; default ones otherwise.")
  String window;

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
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
        run(settings, tail, out);
      }
      out.println("bytes a topic: " + bytes(admin));
      out.flush();
    }
    return 0;
  }

  private Settings settings(Path folder, String brokers) throws IOException {
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
                    m: { objective: squared, label: y, update: { policy: auto }, window: { %s } }
                """,
                brokers, folder.resolve("state"), window));
    return Settings.read(file, Map.of());
  }

  private void run(Settings settings, ReportTail tail, PrintWriter out)
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
        long due = start + row * 1_000_000_000L / rate;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
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

  private static Schema schema() {
    SchemaBuilder.FieldAssembler<Schema> fields =
        SchemaBuilder.record("Row").namespace("bench").fields();
    for (int k = 0; k < FEATURES; k++) {
      fields = fields.requiredDouble("x" + k);
    }
    return fields.requiredDouble("y").endRecord();
  }

  /** What lies on the broker's disk. */
  private static Map<String, Long> bytes(Admin admin)
      throws ExecutionException, InterruptedException {
    List<Integer> brokers = admin.describeCluster().nodes().get().stream().map(Node::id).toList();
    Map<String, Long> bytes = new TreeMap<>();
    admin
        .describeLogDirs(brokers)
        .allDescriptions()
        .get()
        .values()
        .forEach(
            folders ->
                folders
                    .values()
                    .forEach(
                        one ->
                            one.replicaInfos()
                                .forEach(
                                    (partition, replica) ->
                                        bytes.merge(
                                            partition.topic(), replica.size(), Long::sum))));
    bytes.keySet().removeIf(topic -> topic.startsWith("__"));
    return bytes;
  }
}
