package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.Latencies;
import io.holdfast.bench.report.Runs;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench latency}: from a record's due time to its readable score. */
@Command(
    name = "latency",
    description =
        "End-to-end latency at an even rate, of the scoring topology and of the identity, in turn"
            + " on one broker.")
public final class LatencyCommand extends BenchCommand {
  private static final int RATE = 2_000; // records a second

  @Option(names = "--trees", split = ",", defaultValue = "100,500")
  int[] trees;

  @Option(names = "--runs", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs = 5;

  @Option(
      names = "--seconds",
      description = "Length of a run, of which the first 2 s do not count (${DEFAULT-VALUE}).")
  int seconds = 12;

  @Option(
      names = "--warm-up",
      description = "Seconds before the first run of each (${DEFAULT-VALUE}).")
  int warmUp = 30;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    try (var bench = new Workbench()) {
      bench.createTopics(Workbench.DEAD_LETTERS);
      List<Workbench.Node> nodes = bench.startNodes(trees);
      out.println("mode application p50_ms ratio p99_ms ratio");
      for (String guarantee : List.of("at_least_once", "exactly_once_v2")) {
        for (int commitMillis : new int[] {20, 100}) {
          compare(bench, nodes, guarantee + "/" + commitMillis, out);
        }
      }
      bench.requireNoDeadLetters();
    }
  }

  private void compare(Workbench bench, List<Workbench.Node> nodes, String mode, PrintWriter out)
      throws IOException, ExecutionException, InterruptedException {
    String[] parts = mode.split("/", -1);
    List<String> settings =
        List.of("processing.guarantee=" + parts[0], "commit.interval.ms=" + parts[1]);
    List<SteadyLoad> loads = new ArrayList<>();
    double[][] medians = new double[nodes.size()][runs];
    double[][] tails = new double[nodes.size()][runs];
    try {
      for (Workbench.Node node : nodes) {
        String name = node.name() + "-" + mode.replace('/', '-');
        bench.createTopics("records-" + name, "scores-" + name);
        var job = new StreamsNode.Job(name, "records-" + name, "scores-" + name, 0, settings);
        node.jvm().ask(job.line("start"));
        loads.add(new SteadyLoad(bench, "records-" + name, "scores-" + name));
      }
      for (SteadyLoad load : loads) {
        load.run(RATE, Duration.ofSeconds(warmUp), Duration.ZERO);
      }
      for (int run = 0; run < runs; run++) {
        for (int node = 0; node < nodes.size(); node++) {
          Latencies latencies =
              loads.get(node).run(RATE, Duration.ofSeconds(seconds), Duration.ofSeconds(2));
          medians[node][run] = latencies.quantileMillis(0.5);
          tails[node][run] = latencies.quantileMillis(0.99);
        }
      }
    } finally {
      loads.forEach(SteadyLoad::close);
    }
    for (int node = 0; node < nodes.size(); node++) {
      nodes.get(node).jvm().ask("stop");
      out.printf(
          Locale.ROOT,
          "%s %s %.1f %.2f %.1f %.2f%n",
          mode,
          nodes.get(node).name(),
          Runs.median(medians[node]),
          Runs.ratio(medians[node], medians[0]),
          Runs.median(tails[node]),
          Runs.ratio(tails[node], tails[0]));
    }
    out.flush();
  }
}
