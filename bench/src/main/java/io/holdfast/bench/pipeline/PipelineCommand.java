package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.Runs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench pipeline}: throughput of the scoring topology against the identity. */
@Command(
    name = "pipeline",
    description =
        "Records a second and CPU a record of the scoring topology, and of an identity topology"
            + " with the same decoding and encoding, in turn on one broker.")
public final class PipelineCommand extends BenchCommand {
  private static final int FIGURES = 4;
  private static final int RECORDS = 400_000; // of a run
  private static final String SOURCE = "records";

  @Option(names = "--trees", split = ",", defaultValue = "100,500")
  int[] trees;

  @Option(names = "--runs", description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs = 7;

  @Option(names = "--warm-up", description = "Runs of each not counted (${DEFAULT-VALUE}).")
  int warmUp = 3;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    try (var bench = new Workbench()) {
      bench.createTopics(SOURCE, Workbench.DEAD_LETTERS);
      try (var producer = bench.producer(Map.of("linger.ms", 20, "batch.size", 1 << 18))) {
        new WideRecords().produce(producer, SOURCE, RECORDS);
      }
      List<Workbench.Node> nodes = bench.startNodes(trees);
      out.println(
          "guarantee application records_s ratio thread_us ratio process_us ratio bytes_record");
      compare(bench, nodes, "exactly_once_v2", out);
      compare(bench, nodes, "at_least_once", out);
      bench.requireNoDeadLetters();
    }
  }

  private void compare(
      Workbench bench, List<Workbench.Node> nodes, String guarantee, PrintWriter out)
      throws IOException, ExecutionException, InterruptedException {
    double[][][] figures = new double[nodes.size()][FIGURES][runs];
    int sink = 0;
    for (int run = -warmUp; run < runs; run++) {
      for (int node = 0; node < nodes.size(); node++) {
        String name = "scores-" + guarantee + "-" + sink++;
        bench.createTopics(name);
        var job =
            new StreamsNode.Job(
                "app-" + name, SOURCE, name, RECORDS, List.of("processing.guarantee=" + guarantee));
        String[] answer = nodes.get(node).jvm().ask(job.line("through")).split(" ", -1);
        bench.deleteRecords(name);
        for (int k = 0; run >= 0 && k < FIGURES; k++) {
          figures[node][k][run] = Double.parseDouble(answer[k]);
        }
      }
    }
    for (int node = 0; node < nodes.size(); node++) {
      double[][] all = figures[node];
      note(guarantee + ", " + nodes.get(node).name(), Runs.ratio(all[0], figures[0][0]));
      out.printf(
          Locale.ROOT,
          "%s %s %.0f %.3f %.2f %.3f %.2f %.3f %.0f%n",
          guarantee,
          nodes.get(node).name(),
          Runs.median(all[0]),
          Runs.ratio(all[0], figures[0][0]),
          Runs.median(all[1]),
          Runs.ratio(all[1], figures[0][1]),
          Runs.median(all[2]),
          Runs.ratio(all[2], figures[0][2]),
          Runs.median(all[3]));
    }
    out.flush();
  }
}
