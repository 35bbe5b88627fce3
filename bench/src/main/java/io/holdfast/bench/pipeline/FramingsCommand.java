package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench framings}: throughput of scoring by how records are framed. */
@Command(
    name = "framings",
    description =
        "Records a second and CPU a record of the scoring topology, for the same records framed in"
            + " each way, in turn on one broker; ratios are to single objects.")
public final class FramingsCommand extends BenchCommand {
  @Option(names = "--trees", description = "Of the model (${DEFAULT-VALUE}).")
  int trees = 100;

  @Option(names = "--records", description = "Records of a run (${DEFAULT-VALUE}).")
  int records = 400_000;

  @Option(names = "--runs", description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs = 7;

  @Option(names = "--warm-up", description = "Runs of each not counted (${DEFAULT-VALUE}).")
  int warmUp = 3;

  @Option(
      names = "--bare",
      description =
          "Nothing is scored: Kafka's own part, and of JSON the parsing of numbers, which no reader"
              + " can do without.")
  boolean bare;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    try (var bench = new Workbench()) {
      bench.createTopics(Workbench.DEAD_LETTERS);
      List<String> sources = new ArrayList<>();
      try (var producer = bench.producer(Map.of("linger.ms", 20, "batch.size", 1 << 18))) {
        var all = new WideRecords();
        for (Framed framed : Framed.values()) {
          String source = "records-" + framed.label();
          bench.createTopics(source);
          all.produce(producer, source, records, framed);
          sources.add(source);
        }
      }
      List<Workbench.Node> nodes =
          bench.startNodes(bare ? StreamsNode.BARE : trees, Framed.values());
      out.println("guarantee framing" + Throughput.COLUMNS);
      double[] ratios =
          new Throughput(records, warmUp, runs)
              .compare(bench, nodes, sources, "exactly_once_v2", out);
      for (int node = 0; node < ratios.length; node++) {
        note(nodes.get(node).name(), ratios[node]);
      }
      bench.requireNoDeadLetters();
    }
  }
}
