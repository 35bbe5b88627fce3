package io.holdfast.bench.pipeline;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.holdfast.bench.data.SampleModels;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Vectors;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.hold.HeldPartitions;
import io.holdfast.service.hold.HoldingClients;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ModelSource;
import io.holdfast.service.runtime.StreamsSettings;
import io.holdfast.service.score.ScoreAhead;
import io.holdfast.service.score.ScoringTopology;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The program of a child JVM that is one stream application, with the product's own settings: the
 * scoring topology with so many trees, the identity, or what no reader can do without. Told line by
 * line:
 *
 * <pre>
 * through JOB -> records a second, CPU of the stream thread and of the process in microseconds a record,
 *                bytes that the stream thread allocates a record
 * start JOB   -> when it runs
 * stop        -> when it has stopped
 * </pre>
 */
final class StreamsNode {
  private static final String MODEL = "wide";
  static final int IDENTITY = -1; // in place of a number of trees
  static final int BARE = -2;
  private static final Pattern STREAM_THREAD = Pattern.compile(".*-StreamThread-\\d+");
  private static final double FROM = 0.2; // of the records, which the figures are from
  private static final double TO = 0.95;

  private final String bootstrapServers;
  private final int trees;
  private final Path folder;
  private final ActiveModel model;
  private final Framed framed;
  private final List<Double> levels; // of coverage
  private final Framing framing =
      new SingleObjectFraming(SchemaSource.of(List.of(WideRecords.schema())));
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private @Nullable KafkaStreams running;

  private StreamsNode(
      String bootstrapServers, int trees, Path folder, Framed framed, List<Double> levels) {
    this.framed = framed;
    this.bootstrapServers = bootstrapServers;
    this.trees = trees;
    this.folder = folder;
    this.levels = levels;
    Model trained = SampleModels.trained(Math.max(1, trees), 10_000, WideRecords.FEATURES);
    Uncertainty uncertainty =
        levels.isEmpty() ? null : SampleModels.uncertainty(trained, WideRecords.FEATURES, levels);
    model = new ActiveModel(SwapVersions.encode(MODEL, 0, null, trained, uncertainty).version());
  }

  /**
   * What to run.
   *
   * @param settings pairs {@code key=value} for Kafka Streams, in place of the product's own
   */
  record Job(String id, String source, String sink, int records, List<String> settings) {
    String line(String verb) {
      return String.join(" ", verb, id, source, sink, "" + records, String.join(" ", settings));
    }

    static Job parse(String[] words) {
      return new Job(
          words[1],
          words[2],
          words[3],
          Integer.parseInt(words[4]),
          List.of(words).subList(5, words.length));
    }
  }

  /**
   * Arguments: broker, trees (or {@link #IDENTITY}, {@link #BARE}), a folder, how records are
   * framed, and levels of coverage, if any.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ChildJvm.endOnError();
    var node =
        new StreamsNode(
            arguments[0],
            Integer.parseInt(arguments[1]),
            Path.of(arguments[2]),
            Framed.of(arguments[3]),
            List.of(arguments).subList(4, arguments.length).stream().map(Double::valueOf).toList());
    Vectors.awaitWarmUp(2, TimeUnit.MINUTES); // what it does meanwhile is not what is measured
    ChildJvm.serve(
        "ready",
        words ->
            switch (words[0]) {
              case "through" -> node.through(Job.parse(words));
              case "start" -> "running: " + node.start(Job.parse(words)).state();
              default -> node.stop();
            });
    node.stop();
  }

  private KafkaStreams start(Job job) throws IOException {
    Settings settings = settings(job);
    Properties properties = StreamsSettings.of(settings, job.id());
    for (String setting : job.settings()) {
      String[] pair = setting.split("=", 2);
      properties.put(pair[0], pair[1]);
    }
    properties.putIfAbsent(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    Framed.Wire wire = Framed.wire(settings, framing);
    Topology topology =
        switch (trees) {
          case IDENTITY -> IdentityTopology.of(model, framing, job.source(), job.sink());
          case BARE -> IdentityTopology.bare(framed, job.source(), job.sink());
          default -> scoring(settings, name -> model, wire, properties);
        };
    var streams =
        wire.records().waits()
            ? new KafkaStreams(topology, properties, waiting(job.source(), wire.records()))
            : new KafkaStreams(topology, properties);
    running = streams;
    awaitRunning(streams);
    return streams;
  }

  /** The clients that the service has where a record may wait for its schema. */
  private static HoldingClients waiting(String topic, RecordFraming records) {
    var held =
        new HeldPartitions(
            MODEL,
            new Troubles(InstantSource.system()),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    return new HoldingClients(topic, records, held);
  }

  /** As the service runs it. */
  static Topology scoring(
      Settings settings, ModelSource active, Framed.Wire wire, Properties properties) {
    var models = settings.models().values();
    var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var ahead = new ScoreAhead(models, wire.records(), active, meters, null);
    ahead.addTo(properties);
    return ScoringTopology.of(
        models,
        wire.records(),
        wire.written(),
        active,
        meters,
        new Troubles(InstantSource.system()),
        ahead);
  }

  /** Starts streams and waits until they run. */
  static void awaitRunning(KafkaStreams streams) {
    streams.start();
    while (streams.state() != KafkaStreams.State.RUNNING) {
      pause();
    }
  }

  private String stop() {
    if (running != null) {
      running.close(
          CloseOptions.timeout(Duration.ofSeconds(30))
              .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
      running = null;
    }
    return "stopped";
  }

  private record Reading(
      long records, long nanos, long threadNanos, long processNanos, long bytes) {}

  private String through(Job job) throws IOException {
    KafkaStreams streams = start(job);
    long thread = streamThread();
    Metric processed =
        streams.metrics().entrySet().stream()
            .filter(
                metric ->
                    metric.getKey().name().equals("process-total")
                        && metric.getKey().group().equals("stream-thread-metrics"))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow();
    Reading from = await(processed, thread, (long) (FROM * job.records()));
    Reading to = await(processed, thread, (long) (TO * job.records()));
    await(processed, thread, job.records());
    stop();
    double records = to.records() - from.records();
    return String.format(
        Locale.ROOT,
        "%.0f %.3f %.3f %.0f",
        records / ((to.nanos() - from.nanos()) / 1e9),
        (to.threadNanos() - from.threadNanos()) / 1e3 / records,
        (to.processNanos() - from.processNanos()) / 1e3 / records,
        (to.bytes() - from.bytes()) / records);
  }

  private Reading await(Metric processed, long thread, long records) {
    while (true) {
      long now = (long) (double) (Double) processed.metricValue();
      if (now >= records) {
        return new Reading(
            now,
            System.nanoTime(),
            threads.getThreadCpuTime(thread),
            system.getProcessCpuTime(),
            threads.getThreadAllocatedBytes(thread));
      }
      pause();
    }
  }

  private static void pause() {
    LockSupport.parkNanos(2_000_000);
  }

  private static long streamThread() {
    List<Thread> found =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> STREAM_THREAD.matcher(thread.getName()).matches())
            .toList();
    if (found.size() != 1) {
      throw new IllegalStateException("one stream thread was expected: " + found);
    }
    return found.getFirst().threadId();
  }

  private Settings settings(Job job) throws IOException {
    Path file = folder.resolve(job.id() + ".yml");
    Path schema = Files.writeString(folder.resolve("wide.avsc"), WideRecords.schema().toString());
    Files.writeString(
        file,
        Sentence.of(
            """
            kafka:
              bootstrap.servers: %s
            holdfast:
              service: { instanceId: node, stateDirectory: %s }
              %s
              models:
                %s:
                  objective: squared
                  label: label
                  %s
                  labels: { in: topic, correlation: { record: header none } } # so none is joined
                  topics:
                    { records: %s, scores: %s, deadLetters: %s, join: %s, framing: %s }
            """,
            bootstrapServers,
            folder.resolve("state-" + job.id()),
            framed.registry(),
            MODEL,
            levels.isEmpty() ? "" : "uncertainty: { coverage: " + levels + " }",
            job.source(),
            job.sink(),
            Workbench.DEAD_LETTERS,
            job.sink() + ".join",
            framed.topics(schema)));
    return Settings.read(file, Map.of());
  }
}
