package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench pipeline}: throughput of the scoring topology against the identity. */
@Command(
    name = "pipeline",
    description =
        "Records a second and CPU a record of the scoring topology, and of an identity topology"
            + " with the same decoding and encoding, in turn on one broker.")
public final class PipelineCommand extends BenchCommand {
  private static final int RECORDS = 400_000; // of a run
  private static final String SOURCE = "records";

  @Option(names = "--trees", split = ",", defaultValue = "100,500")
  int[] trees;

  @Option(
      names = "--coverage",
      description =
          "Beside the first number of trees, not the identity, the same with bounds that promise"
              + " this.")
  @Nullable Double coverage;

  @Option(names = "--runs", description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs = 7;

  @Option(names = "--warm-up", description = "Runs of each not counted (${DEFAULT-VALUE}).")
  int warmUp = 3;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    try (var bench = new Workbench()) {
      bench.createTopics(SOURCE, Workbench.DEAD_LETTERS);
      try (var producer = bench.producer(Map.of("linger.ms", 20, "batch.size", 1 << 18))) {
        new WideRecords().produce(producer, SOURCE, RECORDS, Framed.SINGLE_OBJECT);
      }
      List<Workbench.Node> nodes =
          coverage == null ? bench.startNodes(trees) : bench.startNodes(trees[0], coverage);
      out.println("guarantee application" + Throughput.COLUMNS);
      for (String guarantee : List.of("exactly_once_v2", "at_least_once")) {
        double[] ratios =
            new Throughput(RECORDS, warmUp, runs)
                .compare(bench, nodes, Collections.nCopies(nodes.size(), SOURCE), guarantee, out);
        for (int node = 0; node < ratios.length; node++) {
          note(guarantee + ", " + nodes.get(node).name(), ratios[node]);
        }
      }
      bench.requireNoDeadLetters();
    }
  }
}
