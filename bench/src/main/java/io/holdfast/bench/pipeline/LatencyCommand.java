package io.holdfast.bench.pipeline;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast-bench latency}: from a record's due time to its readable score. */
@Command(
    name = "latency",
    description =
        "End-to-end latency at an even rate, of the scoring topology and of the identity, in turn"
            + " on one broker.",
    mixinStandardHelpOptions = true)
public final class LatencyCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--trees", split = ",", defaultValue = "100,500")
  int[] trees;

  @Option(names = "--rate", defaultValue = "2000", description = "Records/s (${DEFAULT-VALUE}).")
  int rate;

  @Option(names = "--partitions", defaultValue = "1")
  int partitions;

  @Option(names = "--runs", defaultValue = "5", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--seconds",
      defaultValue = "12",
      description = "Length of a run, of which the first 2 s do not count (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "30",
      description = "Seconds before the first run of each (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--modes",
      split = ",",
      defaultValue = "at_least_once/20,at_least_once/100,exactly_once_v2/20,exactly_once_v2/100",
      description = "Processing guarantee / commit interval in ms (${DEFAULT-VALUE}).")
  List<String> modes;

  @Option(
      names = "--set",
      description = "A setting of Kafka Streams in place of the product's own, key=value.")
  List<String> settings = List.of();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Workbench bench = Workbench.open(null)) {
      bench.createTopic(Workbench.DEAD_LETTERS, 1);
      bench.startNodes(trees);
      out.println("mode application p50_ms ratio p99_ms ratio");
      for (String mode : modes) {
        compare(bench, mode, out);
      }
      bench.requireNoDeadLetters();
    }
    return 0;
  }

  private void compare(Workbench bench, String mode, PrintWriter out)
      throws IOException, ExecutionException, InterruptedException {
    List<Workbench.Node> nodes = bench.nodes();
    List<SteadyLoad> loads = new ArrayList<>();
    double[][] medians = new double[nodes.size()][runs];
    double[][] tails = new double[nodes.size()][runs];
    try {
      for (Workbench.Node node : nodes) {
        String name = node.name() + "-" + mode.replace('/', '-');
        bench.createTopic("records-" + name, partitions);
        bench.createTopic("scores-" + name, partitions);
        var job = new StreamsNode.Job(name, "records-" + name, "scores-" + name, 0, settings(mode));
        node.jvm().ask("start " + job.line());
        loads.add(new SteadyLoad(bench, "records-" + name, "scores-" + name, partitions));
      }
      for (SteadyLoad load : loads) {
        load.run(rate, Duration.ofSeconds(warmUp), Duration.ZERO);
      }
      for (int run = 0; run < runs; run++) {
        for (int node = 0; node < nodes.size(); node++) {
          Latencies latencies =
              loads.get(node).run(rate, Duration.ofSeconds(seconds), Duration.ofSeconds(2));
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
          PipelineCommand.median(medians[node]),
          PipelineCommand.ratio(medians[node], medians[0]),
          PipelineCommand.median(tails[node]),
          PipelineCommand.ratio(tails[node], tails[0]));
    }
    out.flush();
  }

  private List<String> settings(String mode) {
    String[] parts = mode.split("/", -1);
    List<String> all = new ArrayList<>();
    all.add("processing.guarantee=" + parts[0]);
    all.add("commit.interval.ms=" + parts[1]);
    all.addAll(settings);
    return all;
  }
}
