package io.holdfast.bench.pipeline;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast-bench pipeline}: throughput of the scoring topology against the identity. */
@Command(
    name = "pipeline",
    description =
        "Records a second and CPU a record of the scoring topology, and of an identity topology"
            + " with the same decoding and encoding, in turn on one broker.",
    mixinStandardHelpOptions = true)
public final class PipelineCommand implements Callable<Integer> {
  private static final int FIGURES = 4;
  private static final String SOURCE = "records";

  @Spec CommandSpec spec;

  @Option(names = "--trees", split = ",", defaultValue = "100,500")
  int[] trees;

  @Option(
      names = "--records",
      defaultValue = "400000",
      description = "Records of a run (${DEFAULT-VALUE}).")
  int records;

  @Option(names = "--partitions", defaultValue = "1")
  int partitions;

  @Option(
      names = "--runs",
      defaultValue = "7",
      description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      description = "Runs of each not counted (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--guarantee",
      split = ",",
      defaultValue = "exactly_once_v2,at_least_once",
      description = "Processing guarantees to run with (${DEFAULT-VALUE}).")
  List<String> guarantees;

  @Option(
      names = "--set",
      description = "A setting of Kafka Streams in place of the product's own, key=value.")
  List<String> settings = List.of();

  @Option(
      names = "--profile",
      paramLabel = "FOLDER",
      description = "Writes a flight recording of each application there.")
  @Nullable Path profile;

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Workbench bench = Workbench.open(profile)) {
      bench.createTopic(SOURCE, partitions);
      bench.createTopic(Workbench.DEAD_LETTERS, 1);
      try (var producer = bench.producer(Map.of("linger.ms", 20, "batch.size", 1 << 18))) {
        new WideRecords().produce(producer, SOURCE, partitions, records);
      }
      bench.startNodes(trees);
      out.println(
          "guarantee application records_s ratio thread_us ratio process_us ratio bytes_record");
      for (String guarantee : guarantees) {
        compare(bench, guarantee, out);
      }
      bench.requireNoDeadLetters();
    }
    return 0;
  }

  private void compare(Workbench bench, String guarantee, PrintWriter out)
      throws IOException, ExecutionException, InterruptedException {
    List<Workbench.Node> nodes = bench.nodes();
    double[][][] figures = new double[nodes.size()][FIGURES][runs];
    int sink = 0;
    for (int run = -warmUp; run < runs; run++) {
      for (int node = 0; node < nodes.size(); node++) {
        String name = "scores-" + guarantee + "-" + sink++;
        bench.createTopic(name, partitions);
        var job = new StreamsNode.Job("app-" + name, SOURCE, name, records, with(guarantee));
        String[] answer = nodes.get(node).jvm().ask("through " + job.line()).split(" ", -1);
        bench.deleteRecords(name, partitions);
        for (int k = 0; run >= 0 && k < FIGURES; k++) {
          figures[node][k][run] = Double.parseDouble(answer[k]);
        }
      }
    }
    for (int node = 0; node < nodes.size(); node++) {
      double[][] all = figures[node];
      out.printf(
          Locale.ROOT,
          "%s %s %.0f %.3f %.2f %.3f %.2f %.3f %.0f%n",
          guarantee,
          nodes.get(node).name(),
          median(all[0]),
          ratio(all[0], figures[0][0]),
          median(all[1]),
          ratio(all[1], figures[0][1]),
          median(all[2]),
          ratio(all[2], figures[0][2]),
          median(all[3]));
    }
    out.flush();
  }

  private List<String> with(String guarantee) {
    return Stream.concat(Stream.of("processing.guarantee=" + guarantee), settings.stream())
        .toList();
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The median of the ratios run by run: neighbours in time see the same machine. */
  static double ratio(double[] values, double[] base) {
    double[] ratios = new double[values.length];
    for (int run = 0; run < ratios.length; run++) {
      ratios[run] = values[run] / base[run];
    }
    return median(ratios);
  }
}
