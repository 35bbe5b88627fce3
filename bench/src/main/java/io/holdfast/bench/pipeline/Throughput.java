package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.Runs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Applications that read a topic from its beginning to its end in turn, run by run.
 *
 * @param records of a topic
 * @param warmUp runs of each that are not counted
 * @param runs runs of each that are
 */
record Throughput(int records, int warmUp, int runs) {
  static final String COLUMNS = " records_s ratio thread_us ratio process_us ratio bytes_record";

  private static final int FIGURES = 4;

  /** Prints a line for each application; records a second of each over those of the first. */
  double[] compare(
      Workbench bench,
      List<Workbench.Node> nodes,
      List<String> sources,
      String guarantee,
      PrintWriter out)
      throws IOException, ExecutionException, InterruptedException {
    double[][][] figures = new double[nodes.size()][FIGURES][runs];
    int sink = 0;
    for (int run = -warmUp; run < runs; run++) {
      for (int node = 0; node < nodes.size(); node++) {
        String name = "scores-" + guarantee + "-" + sink++;
        bench.createTopics(name);
        var job =
            new StreamsNode.Job(
                "app-" + name,
                sources.get(node),
                name,
                records,
                List.of("processing.guarantee=" + guarantee));
        String[] answer = nodes.get(node).jvm().ask(job.line("through")).split(" ", -1);
        bench.deleteRecords(name);
        for (int k = 0; run >= 0 && k < FIGURES; k++) {
          figures[node][k][run] = Double.parseDouble(answer[k]);
        }
      }
    }
    double[] ratios = new double[nodes.size()];
    for (int node = 0; node < nodes.size(); node++) {
      double[][] all = figures[node];
      ratios[node] = Runs.ratio(all[0], figures[0][0]);
      out.printf(
          Locale.ROOT,
          "%s %s %.0f %.3f %.2f %.3f %.2f %.3f %.0f%n",
          guarantee,
          nodes.get(node).name(),
          Runs.median(all[0]),
          ratios[node],
          Runs.median(all[1]),
          Runs.ratio(all[1], figures[0][1]),
          Runs.median(all[2]),
          Runs.ratio(all[2], figures[0][2]),
          Runs.median(all[3]));
    }
    out.flush();
    return ratios;
  }
}
