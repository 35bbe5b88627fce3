package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.Latencies;
import io.holdfast.bench.report.Runs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench swap}: from a version's commit to the first score with it. */
@Command(
    name = "swap",
    description =
        "From the commit of a version to the first score with it, against a bare round trip through"
            + " the broker and a global table of Kafka Streams; and latency while versions come.")
public final class SwapCommand extends BenchCommand {
  private static final String RECORDS = "records";
  private static final String SCORES = "scores";
  private static final int TREES = 1_000;
  private static final int APPENDED = 10;
  private static final int RATE = 2_000; // records a second: one is there as soon as a version is
  private static final int LOAD = 2_000; // records a second under load
  private static final int LOADS = 5; // runs under load, without and with swaps
  private static final Duration LOADED = Duration.ofSeconds(12);
  private static final double[] QUANTILES = {0.5, 0.99, 0.999};

  @Option(names = "--runs", description = "Of each (${DEFAULT-VALUE}).")
  int runs = 200;

  @Option(names = "--skip", description = "Runs before those that count (${DEFAULT-VALUE}).")
  int skip = 30;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    var versions = new SwapVersions(SwapNode.MODEL, TREES, APPENDED);
    try (var bench = new Workbench()) {
      bench.createTopics(
          RECORDS,
          SCORES,
          Workbench.DEAD_LETTERS,
          "bare",
          "transacted",
          "models-service",
          "models-table",
          "records-load",
          "load");
      try (var service = versions.new Chain(bench, "models-service");
          var table = versions.new Chain(bench, "models-table")) {
        out.printf(
            Locale.ROOT,
            "%d trees, %d appended: a version is %d bytes%n",
            TREES,
            APPENDED,
            service.bytes());
        swaps(bench, service, table, out);
        latency(bench, service, out);
      }
      bench.requireNoDeadLetters();
    }
  }

  private void swaps(
      Workbench bench, SwapVersions.Chain service, SwapVersions.Chain table, PrintWriter out)
      throws IOException, InterruptedException {
    Map<String, Latencies> taken = new LinkedHashMap<>();
    for (String path : new String[] {"bare", "transaction", "table", "ready", "holdfast"}) {
      taken.put(path, new Latencies());
    }
    var ticking = new AtomicBoolean(true);
    try (ChildJvm scorer = node(bench, "service", "models-service", RECORDS, SCORES);
        ChildJvm watcher = node(bench, "table", "models-table", RECORDS, SCORES);
        var bare = new RoundTrip(bench, "bare", service.bytes(), false);
        var transacted = new RoundTrip(bench, "transacted", service.bytes(), true)) {
      Thread ticks = Thread.ofPlatform().name("ticks").start(() -> tick(bench, ticking));
      try {
        await(scorer, service.newest());
        await(watcher, table.newest());
        for (int run = -skip; run < runs; run++) {
          Map<String, Latencies> counted = run >= 0 ? taken : Map.of();
          add(counted, "bare", bare.nanos());
          add(counted, "transaction", transacted.nanos());
          add(counted, "table", swap(watcher, table).scored());
          Swap swap = swap(scorer, service);
          add(counted, "ready", swap.ready());
          add(counted, "holdfast", swap.scored());
        }
      } finally {
        ticking.set(false);
        ticks.join();
      }
    }
    out.println("path median_ms p99_ms median/bare median/transaction median/table");
    taken.forEach(
        (path, latencies) -> {
          ToDoubleFunction<String> ratio =
              other ->
                  latencies.quantileMillis(0.5)
                      / taken.getOrDefault(other, latencies).quantileMillis(0.5);
          out.printf(
              Locale.ROOT,
              "%s %.2f %.2f %.2f %.2f %.2f%n",
              path,
              latencies.quantileMillis(0.5),
              latencies.quantileMillis(0.99),
              ratio.applyAsDouble("bare"),
              ratio.applyAsDouble("transaction"),
              ratio.applyAsDouble("table"));
        });
    out.flush();
  }

  private static void add(Map<String, Latencies> taken, String path, long nanos) {
    Latencies latencies = taken.get(path);
    if (latencies != null) {
      latencies.add(nanos);
    }
    LockSupport.parkNanos(5_000_000); // what the last one left to do is not the next one's
  }

  /** Nanoseconds from a commit until the version could score, and until it did. */
  private record Swap(long ready, long scored) {}

  private static Swap swap(ChildJvm node, SwapVersions.Chain chain) throws IOException {
    long start = chain.publish();
    String[] words = await(node, chain.newest());
    // One clock for all processes of a machine.
    return new Swap(Long.parseLong(words[2]) - start, Long.parseLong(words[1]) - start);
  }

  /** What the node says of the version. */
  private static String[] await(ChildJvm node, long version) throws IOException {
    while (true) {
      String[] words = node.answer().split(" ", -1);
      if (Long.parseLong(words[0]) == version) {
        return words;
      }
    }
  }

  private static ChildJvm node(
      Workbench bench, String kind, String models, String records, String scores)
      throws IOException {
    String folder =
        Files.createDirectory(bench.folder().resolve("node-" + kind + "-" + scores)).toString();
    ChildJvm node =
        ChildJvm.start(
            SwapNode.class, kind, bench.bootstrapServers(), models, records, scores, folder);
    node.answer();
    return node;
  }

  /** Records that come all the time, so that there is one to score when a version is there. */
  private static void tick(Workbench bench, AtomicBoolean ticking) {
    var wide = new WideRecords();
    try (var producer = bench.producer(Map.of("linger.ms", 0))) {
      long start = System.nanoTime();
      for (int i = 0; ticking.get(); i++) {
        SteadyLoad.awaitDue(start, i, RATE);
        var _ = producer.send(new ProducerRecord<>(RECORDS, 0, null, wide.value(i)));
      }
    }
  }

  private static void latency(Workbench bench, SwapVersions.Chain chain, PrintWriter out)
      throws IOException, InterruptedException {
    double[][][] taken = new double[2][QUANTILES.length][LOADS];
    try (ChildJvm _ = node(bench, "service", "models-service", "records-load", "load");
        var load = new SteadyLoad(bench, "records-load", "load")) {
      load.run(LOAD, LOADED, Duration.ZERO);
      for (int run = 0; run < LOADS; run++) {
        for (int swapping = 0; swapping < 2; swapping++) {
          Latencies latencies = underLoad(load, swapping == 1 ? chain : null);
          for (int k = 0; k < QUANTILES.length; k++) {
            taken[swapping][k][run] = latencies.quantileMillis(QUANTILES[k]);
          }
        }
      }
    }
    out.println("swaps p50_ms p99_ms p99.9_ms");
    for (int swapping = 0; swapping < 2; swapping++) {
      double[][] of = taken[swapping];
      out.printf(
          Locale.ROOT,
          "%s %.1f %.1f %.1f%n",
          swapping == 1 ? "every-second" : "none",
          Runs.median(of[0]),
          Runs.median(of[1]),
          Runs.median(of[2]));
    }
    out.printf(
        Locale.ROOT,
        "ratio %.2f %.2f %.2f%n",
        Runs.ratio(taken[1][0], taken[0][0]),
        Runs.ratio(taken[1][1], taken[0][1]),
        Runs.ratio(taken[1][2], taken[0][2]));
  }

  private static Latencies underLoad(SteadyLoad load, SwapVersions.@Nullable Chain chain)
      throws InterruptedException {
    var swapping = new AtomicBoolean(chain != null);
    Thread swaps =
        Thread.ofPlatform()
            .name("swaps")
            .start(
                () -> {
                  while (chain != null && swapping.get()) {
                    chain.publish();
                    LockSupport.parkNanos(1_000_000_000L);
                  }
                });
    try {
      return load.run(LOAD, LOADED, Duration.ofSeconds(2));
    } finally {
      swapping.set(false);
      LockSupport.unpark(swaps);
      swaps.join();
    }
  }

  /**
   * Bytes through a broker and back, with nothing else done: sent, or sent before and committed;
   * and waited for by a consumer that has nothing else to do. Owned by one thread.
   */
  private static final class RoundTrip implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(5);

    private final ProducerRecord<byte[], byte[]> record;
    private final boolean transacted;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;

    RoundTrip(Workbench bench, String topic, int bytes, boolean transacted) {
      record = new ProducerRecord<>(topic, 0, null, new byte[bytes]);
      this.transacted = transacted;
      producer =
          bench.producer(
              transacted
                  ? Map.of("transactional.id", "round-trip", "linger.ms", 0)
                  : Map.of("linger.ms", 0));
      if (transacted) {
        producer.initTransactions();
      }
      consumer = Workbench.consumer(bench.bootstrapServers(), topic);
    }

    /** From the call that sends, or commits, to the poll that brings the bytes. */
    long nanos() throws InterruptedException {
      if (!transacted) {
        long start = System.nanoTime();
        var _ = producer.send(record);
        return received(start);
      }
      producer.beginTransaction();
      var _ = producer.send(record);
      producer.flush();
      long start = System.nanoTime();
      // The commit is answered when its markers are written; to wait for that here would add it.
      Thread commit = Thread.ofVirtual().start(producer::commitTransaction);
      long nanos = received(start);
      commit.join();
      return nanos;
    }

    private long received(long start) {
      while (true) {
        if (!consumer.poll(POLL).isEmpty()) {
          return System.nanoTime() - start;
        }
      }
    }

    @Override
    public void close() {
      producer.close();
      consumer.close();
    }
  }
}
