package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.service.ServiceApplication;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench gaps}: how long no score comes when instances of the service end. */
@Command(
    name = "gaps",
    description =
        "The longest time without a committed score, by partition: after SIGKILL of the only"
            + " instance, which is started again at once; of one of three, which is not; and while"
            + " three are restarted one after the other.")
public final class GapsCommand extends BenchCommand {
  private static final int PARTITIONS = 6;
  private static final int RATE = 600; // records a second, over all partitions
  private static final Duration SETTLING = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Option(names = "--runs", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs = 3;

  @Option(names = "--logs", description = "Folder for the instances' logs (a temporary one).")
  @Nullable Path logs;

  @Option(names = "--three", description = "Only those with three instances.")
  boolean three;

  @Override
  protected void run(PrintWriter out) throws IOException, InterruptedException {
    out.println("what longest_s average_s of_those_silent_s by_partition");
    try (var bench = new Workbench()) {
      Settings settings = prepare(bench);
      var sending = new AtomicBoolean(true);
      Thread sender = Thread.ofPlatform().start(() -> send(bench, settings, sending));
      try {
        for (int run = 0; run < runs; run++) {
          if (!three) {
            onlyKilled(bench, settings, out);
          }
          ofThree(bench, settings, out);
        }
      } finally {
        sending.set(false);
        sender.join();
      }
    }
  }

  private void onlyKilled(Workbench bench, Settings settings, PrintWriter out)
      throws IOException, InterruptedException {
    try (var scores = new Scores(bench, settings);
        var one = new Instance(bench, "one", logs)) {
      one.start();
      scores.awaitAll();
      scores.reset();
      one.kill();
      one.start();
      scores.awaitAll();
      scores.print(out, "only-killed");
    }
  }

  private void ofThree(Workbench bench, Settings settings, PrintWriter out)
      throws IOException, InterruptedException {
    try (var scores = new Scores(bench, settings);
        var one = new Instance(bench, "one", logs);
        var two = new Instance(bench, "two", logs);
        var three = new Instance(bench, "three", logs)) {
      for (Instance instance : List.of(one, two, three)) {
        instance.start();
      }
      for (Instance instance : List.of(one, two, three)) {
        while (!instance.ready()) {
          scores.pass(Duration.ofMillis(100));
        }
      }
      scores.awaitAll();
      scores.pass(SETTLING);
      scores.reset();
      for (Instance instance : List.of(one, two, three)) {
        instance.end();
        instance.start();
        while (!instance.ready()) { // as Kubernetes waits
          scores.pass(Duration.ofMillis(100));
        }
      }
      scores.print(out, "rolling-restart");
      scores.reset();
      one.kill();
      scores.awaitAll();
      scores.print(out, "one-of-three");
    }
  }

  /** What the newest gap of each partition is. */
  private static final class Scores implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final long[] last = new long[PARTITIONS];
    private final double[] longest = new double[PARTITIONS];

    Scores(Workbench bench, Settings settings) {
      String topic = settings.model("wide").topics().scores();
      consumer = Workbench.consumer(bench.bootstrapServers());
      List<TopicPartition> all =
          IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)).toList();
      consumer.assign(all);
      consumer.seekToEnd(all);
      reset();
    }

    void reset() {
      pass(Duration.ofMillis(200));
      Arrays.fill(longest, 0);
    }

    void pass(Duration duration) {
      long end = System.nanoTime() + duration.toNanos();
      while (System.nanoTime() < end) {
        look();
      }
    }

    /** Until each partition has a score that came later than now, by some. */
    void awaitAll() {
      long start = System.nanoTime();
      long settled = start + SETTLING.toNanos();
      while (System.nanoTime() < settled || Arrays.stream(last).min().orElse(0) < start) {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IllegalStateException("no score came on some partitions");
        }
        look();
      }
      pass(SETTLING);
    }

    private void look() {
      var records = consumer.poll(Duration.ofMillis(20));
      long now = System.nanoTime();
      for (TopicPartition partition : records.partitions()) {
        int p = partition.partition();
        longest[p] = last[p] == 0 ? 0 : Math.max(longest[p], (now - last[p]) / 1e9);
        last[p] = now;
      }
    }

    void print(PrintWriter out, String what) {
      double[] silent = DoubleStream.of(longest).filter(gap -> gap > 1).toArray();
      out.printf(
          Locale.ROOT,
          "%s %.1f %.1f %.1f %s%n",
          what,
          DoubleStream.of(longest).max().orElse(0),
          DoubleStream.of(longest).average().orElse(0),
          DoubleStream.of(silent).average().orElse(0),
          DoubleStream.of(longest)
              .mapToObj(gap -> Sentence.of("%.1f", gap))
              .collect(Collectors.joining(" ")));
      out.flush();
    }

    @Override
    public void close() {
      consumer.close();
    }
  }

  /** A process of the service, as its image runs it. */
  private static final class Instance implements AutoCloseable {
    private final Path config;
    private final Path log;
    private final List<Process> started = new ArrayList<>();
    private int from; // of its log

    Instance(Workbench bench, String id, @Nullable Path logs) throws IOException {
      log = (logs == null ? bench.folder() : logs).resolve(id + ".log");
      config = bench.folder().resolve(id + ".yml");
      Files.writeString(
          config,
          Files.readString(bench.folder().resolve("trainer/wide.yml"))
              .replace(
                  "  models:",
                  Sentence.of(
                      "  service: { port: 0, instanceId: %s, stateDirectory: %s }\n  models:",
                      id, bench.folder().resolve("state-" + id))),
          UTF_8);
    }

    void start() throws IOException {
      from = Files.exists(log) ? Files.readString(log).length() : 0;
      started.add(
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "--enable-native-access=ALL-UNNAMED",
                      "-XX:+UseSerialGC",
                      "-Xmx256m",
                      "-cp",
                      System.getProperty("java.class.path"),
                      ServiceApplication.class.getName(),
                      "--config",
                      config.toString()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start());
    }

    /** Whether it has said so since it was started. */
    boolean ready() throws IOException {
      return Files.readString(log).indexOf("Runtime: ready: ", from) >= 0;
    }

    void kill() throws InterruptedException {
      started.getLast().destroyForcibly().waitFor();
    }

    void end() throws InterruptedException {
      started.getLast().destroy();
      started.getLast().waitFor();
    }

    @Override
    public void close() {
      started.forEach(Process::destroy);
      started.forEach(process -> process.onExit().join());
    }
  }

  private static Settings prepare(Workbench bench) throws IOException {
    Path folder = Files.createDirectory(bench.folder().resolve("trainer"));
    try (ChildJvm trainer =
        ChildJvm.start(TrainerNode.class, bench.bootstrapServers(), folder.toString())) {
      trainer.answer();
      trainer.ask("train wide 1000 0");
      Settings settings = Settings.read(folder.resolve("wide.yml"), Map.of());
      grow(bench, settings.model("wide"));
      try (var consumer =
          Workbench.consumer(bench.bootstrapServers(), settings.topics().models())) {
        while (consumer.poll(Duration.ofMillis(100)).isEmpty()) {
          LockSupport.parkNanos(1_000_000);
        }
      }
      trainer.ask("stop");
      return settings;
    }
  }

  private static void grow(Workbench bench, ModelSettings model) {
    Map<String, NewPartitions> wanted = new HashMap<>();
    TopicCheck.scoringTopics(model)
        .forEach(topic -> wanted.put(topic, NewPartitions.increaseTo(PARTITIONS)));
    TopicCheck.joinTopics(model)
        .forEach(topic -> wanted.put(topic, NewPartitions.increaseTo(PARTITIONS)));
    try (var admin = Admin.create(Map.of("bootstrap.servers", bench.bootstrapServers()))) {
      admin.createPartitions(wanted).all().toCompletionStage().toCompletableFuture().join();
    }
  }

  private static void send(Workbench bench, Settings settings, AtomicBoolean sending) {
    var wide = new WideRecords();
    String topic = settings.model("wide").topics().records();
    try (var producer = bench.producer(Map.of("linger.ms", 2))) {
      long start = System.nanoTime();
      for (int i = 0; sending.get(); i++) {
        SteadyLoad.awaitDue(start, i, RATE);
        var _ = producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, wide.value(i)));
      }
    }
  }
}
