package io.holdfast.bench.pipeline;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast-bench swap}: from a version's commit to the first score with it. */
@Command(
    name = "swap",
    description =
        "From the commit of a version to the first score with it, against a bare round trip through"
            + " the broker and a global table of Kafka Streams; and latency while versions come.",
    mixinStandardHelpOptions = true)
public final class SwapCommand implements Callable<Integer> {
  private static final String RECORDS = "records";
  private static final String SCORES = "scores";

  @Spec CommandSpec spec;

  @Option(names = "--trees", defaultValue = "1000")
  int trees;

  @Option(names = "--appended", defaultValue = "10", description = "Trees of each version's own.")
  int appended;

  @Option(names = "--runs", defaultValue = "200", description = "Of each (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--skip",
      defaultValue = "30",
      description = "Runs before those that count (${DEFAULT-VALUE}).")
  int skip;

  @Option(
      names = "--records",
      defaultValue = "500",
      description = "Records/s that are there to be scored meanwhile (${DEFAULT-VALUE}).")
  int records;

  @Option(names = "--commit-interval", defaultValue = "100", description = "In ms.")
  int commitInterval;

  @Option(
      names = "--latency-seconds",
      defaultValue = "12",
      description = "Of each of the runs under load, without and with swaps; 0 for none.")
  int latencySeconds;

  @Option(names = "--latency-runs", defaultValue = "5", description = "Runs under load of each.")
  int latencyRuns;

  @Option(names = "--rate", defaultValue = "2000", description = "Records/s of the load.")
  int rate;

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    var versions = new SwapVersions(SwapNode.MODEL, trees, appended);
    try (Workbench bench = Workbench.open(null)) {
      for (String topic : List.of(RECORDS, SCORES, Workbench.DEAD_LETTERS, "bare", "transacted")) {
        bench.createTopic(topic, 1);
      }
      bench.createTopic("models-service", 1);
      bench.createTopic("models-table", 1);
      try (var service = versions.chain(bench, "models-service");
          var table = versions.chain(bench, "models-table")) {
        out.printf(
            Locale.ROOT,
            "%d trees, %d appended: a version is %d bytes%n",
            trees,
            appended,
            service.bytes());
        swaps(bench, service, table, out);
        if (latencySeconds > 0) {
          latency(bench, service, out);
        }
      }
      bench.requireNoDeadLetters();
    }
    return 0;
  }

  private void swaps(
      Workbench bench, SwapVersions.Chain service, SwapVersions.Chain table, PrintWriter out)
      throws IOException, InterruptedException {
    int bytes = (int) service.bytes();
    Map<String, Latencies> taken = new LinkedHashMap<>();
    var ticking = new AtomicBoolean(true);
    try (ChildJvm scorer = node(bench, "service", "models-service", SCORES);
        ChildJvm watcher = node(bench, "table", "models-table", SCORES);
        var bare = new RoundTrip(bench, "bare", bytes, false);
        var transacted = new RoundTrip(bench, "transacted", bytes, true)) {
      Thread ticks = Thread.ofPlatform().name("ticks").start(() -> tick(bench, ticking));
      try {
        await(scorer, service.newest());
        await(watcher, table.newest());
        for (int run = -skip; run < runs; run++) {
          boolean counts = run >= 0;
          add(taken, "bare", counts, bare::nanos);
          add(taken, "transaction", counts, transacted::nanos);
          add(taken, "table", counts, () -> swap(watcher, table).scored());
          Swap swap = swap(scorer, service);
          add(taken, "ready", counts, swap::ready);
          add(taken, "holdfast", counts, swap::scored);
        }
      } finally {
        ticking.set(false);
        ticks.join();
      }
    }
    out.println("path median_ms p99_ms median/bare median/transaction median/table");
    taken.forEach(
        (path, latencies) ->
            out.printf(
                Locale.ROOT,
                "%s %.2f %.2f %.2f %.2f %.2f%n",
                path,
                latencies.quantileMillis(0.5),
                latencies.quantileMillis(0.99),
                ratio(latencies, taken.get("bare")),
                ratio(latencies, taken.get("transaction")),
                ratio(latencies, taken.get("table"))));
    out.flush();
  }

  private static double ratio(
      Latencies latencies, @org.jspecify.annotations.Nullable Latencies other) {
    return other == null ? Double.NaN : latencies.quantileMillis(0.5) / other.quantileMillis(0.5);
  }

  private static void add(
      Map<String, Latencies> taken, String path, boolean counts, LongSupplier nanos) {
    long measured = nanos.getAsLong();
    if (counts) {
      taken.computeIfAbsent(path, _ -> new Latencies()).add(measured);
    }
    LockSupport.parkNanos(5_000_000); // what the last one left to do is not the next one's
  }

  /** Nanoseconds from a commit until the version could score, and until it did. */
  private record Swap(long ready, long scored) {}

  private static Swap swap(ChildJvm node, SwapVersions.Chain chain) {
    long start = chain.publish();
    try {
      String[] words = await(node, chain.newest());
      // One clock for all processes of a machine.
      return new Swap(Long.parseLong(words[2]) - start, Long.parseLong(words[1]) - start);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  private ChildJvm node(Workbench bench, String kind, String models, String scores)
      throws IOException {
    Path folder = Files.createDirectory(bench.folder().resolve("node-" + kind + "-" + scores));
    ChildJvm node =
        ChildJvm.start(
            SwapNode.class,
            List.of(),
            kind,
            bench.bootstrapServers(),
            models,
            scores.equals(SCORES) ? RECORDS : "records-" + scores,
            scores,
            folder.toString(),
            Integer.toString(commitInterval));
    node.answer();
    return node;
  }

  /** Records that come all the time, so that there is one to score when a version is there. */
  private void tick(Workbench bench, AtomicBoolean ticking) {
    var wide = new WideRecords();
    try (var producer = bench.producer(Map.of("linger.ms", 0))) {
      long start = System.nanoTime();
      for (int i = 0; ticking.get(); i++) {
        long due = start + i * 1_000_000_000L / records;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        var _ = producer.send(new ProducerRecord<>(RECORDS, 0, null, wide.value(i)));
      }
    }
  }

  private void latency(Workbench bench, SwapVersions.Chain chain, PrintWriter out)
      throws IOException, ExecutionException, InterruptedException {
    bench.createTopic("records-load", 1);
    bench.createTopic("load", 1);
    double[][][] taken = new double[2][3][latencyRuns];
    try (ChildJvm _ = node(bench, "service", "models-service", "load");
        var load = new SteadyLoad(bench, "records-load", "load", 1)) {
      load.run(rate, Duration.ofSeconds(latencySeconds), Duration.ZERO);
      for (int run = 0; run < latencyRuns; run++) {
        for (int swapping = 0; swapping < 2; swapping++) {
          Latencies latencies = underLoad(load, swapping == 1 ? chain : null);
          taken[swapping][0][run] = latencies.quantileMillis(0.5);
          taken[swapping][1][run] = latencies.quantileMillis(0.99);
          taken[swapping][2][run] = latencies.quantileMillis(0.999);
        }
      }
    }
    out.println("swaps p50_ms p99_ms p99.9_ms");
    for (int swapping = 0; swapping < 2; swapping++) {
      out.printf(
          Locale.ROOT,
          "%s %.1f %.1f %.1f%n",
          swapping == 1 ? "every-second" : "none",
          PipelineCommand.median(taken[swapping][0]),
          PipelineCommand.median(taken[swapping][1]),
          PipelineCommand.median(taken[swapping][2]));
    }
    List<String> ratios = new ArrayList<>();
    for (int quantile = 0; quantile < 3; quantile++) {
      ratios.add(
          String.format(
              Locale.ROOT, "%.2f", PipelineCommand.ratio(taken[1][quantile], taken[0][quantile])));
    }
    out.println("ratio " + String.join(" ", ratios));
    out.flush();
  }

  private Latencies underLoad(
      SteadyLoad load, SwapVersions.@org.jspecify.annotations.Nullable Chain chain)
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
      return load.run(rate, Duration.ofSeconds(latencySeconds), Duration.ofSeconds(2));
    } finally {
      swapping.set(false);
      LockSupport.unpark(swaps);
      swaps.join();
    }
  }
}
