package io.holdfast.bench.capacity;

import io.holdfast.bench.pipeline.UnitCosts;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.DoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench capacity}: how many instances and brokers a load needs. */
@Command(
    name = "capacity",
    description =
        "Measures what a record and a transaction cost here, lays a load out over instances by"
            + " these costs, and says which limit is met first. A simulation: networks, disks and"
            + " copies between brokers are not measured.")
public final class CapacityCommand extends BenchCommand {
  private static final double STEP = Math.pow(10, 0.05);

  @Option(names = "--records", description = "A second, of all models (${DEFAULT-VALUE}).")
  double records = 1e6;

  @Option(names = "--models", description = "How many (${DEFAULT-VALUE}).")
  int models = 10_000;

  @Option(names = "--partitions", description = "Of topics of records (${DEFAULT-VALUE}).")
  int partitions = 1_000;

  @Option(
      names = "--skew",
      description =
          "The k-th model has records as k to the power of minus this (${DEFAULT-VALUE}).")
  double skew = 1;

  @Option(names = "--labelled", description = "Share of records (${DEFAULT-VALUE}).")
  double labelled = 0.1;

  @Option(names = "--window-rows", description = "Rows of a window (${DEFAULT-VALUE}).")
  int windowRows = 1_000;

  @Option(names = "--trees", description = "Of a model (${DEFAULT-VALUE}).")
  int trees = 100;

  @Option(names = "--cores", description = "Of an instance and of a broker (${DEFAULT-VALUE}).")
  int cores = 8;

  @Option(names = "--heap", description = "Of an instance, in MiB (${DEFAULT-VALUE}).")
  double heapMib = 4_096;

  @Option(names = "--threads", description = "That an instance may have (${DEFAULT-VALUE}).")
  int threads = 4_000;

  @Option(names = "--start", description = "Seconds that it may take (${DEFAULT-VALUE}).")
  double startSeconds = 30;

  @Option(
      names = "--broker-mb",
      description = "Megabytes a second into a broker, copies included (${DEFAULT-VALUE}).")
  double brokerMegabytes = 200;

  @Option(
      names = "--broker-partitions",
      description = "Replicas that a broker may hold (${DEFAULT-VALUE}).")
  int brokerPartitions = 4_000;

  @Option(
      names = "--brokers",
      description =
          "Brokers, trainers and instances where the first limit is looked for"
              + " (${DEFAULT-VALUE}).")
  int brokers = 6;

  @Option(names = "--use", description = "The share that may be in use (${DEFAULT-VALUE}).")
  double use = 0.7;

  @Option(
      names = "--model-threads",
      description = "Of a model, by holdfast-bench models (${DEFAULT-VALUE}).")
  int modelThreads = 12;

  @Option(
      names = "--model-heap",
      description = "MiB of a model, by holdfast-bench models (${DEFAULT-VALUE}).")
  double modelHeapMib = 1.7;

  @Option(
      names = "--model-start",
      description =
          "Processor seconds of a model's start, by holdfast-bench models" + " (${DEFAULT-VALUE}).")
  double modelStartSeconds = 0.2;

  @Option(
      names = "--window-ms",
      description = "Of a window, by holdfast-bench training (${DEFAULT-VALUE}).")
  double windowMillis = 41;

  @Option(names = "--seed", description = "Of what chance does (${DEFAULT-VALUE}).")
  long seed = 1;

  @Override
  protected void run(PrintWriter out) throws IOException, ExecutionException, InterruptedException {
    UnitCosts unit = UnitCosts.measure(trees);
    out.print(costs(unit));
    var machine =
        new Machine(
            cores,
            heapMib,
            threads,
            startSeconds,
            cores,
            1e6 * brokerMegabytes,
            brokerPartitions,
            use);
    var model = new ModelCosts(modelThreads, modelHeapMib, modelStartSeconds, 2, 5, windowMillis);
    var given = new Layout.Given(unit, model, machine, seed);
    out.println();
    out.print(firstLimits(given));
    out.println();
    out.print(layouts(given));
  }

  private static MarkdownTable costs(UnitCosts unit) {
    return MarkdownTable.headed("of | costs")
        .add("a record, stream thread, µs", MarkdownTable.figure(unit.threadMicros()))
        .add("a record, service, µs", MarkdownTable.figure(unit.serviceMicros()))
        .add("a record, broker, µs", MarkdownTable.figure(unit.brokerMicros()))
        .add("a transaction, broker, µs", MarkdownTable.figure(unit.transactionMicros()))
        .add("a partition in one, broker, µs", MarkdownTable.figure(unit.partitionMicros()))
        .add("a record, bytes", MarkdownTable.count(unit.recordBytes()))
        .add("its score, bytes", MarkdownTable.count(unit.scoreBytes()))
        .add("its example, bytes", MarkdownTable.count(unit.exampleBytes()))
        .add(
            "a whole version of " + unit.trees() + " trees, bytes",
            MarkdownTable.count(unit.versionBytes()));
  }

  /** How far each way goes from one model of one partition: one configuration. */
  private MarkdownTable firstLimits(Layout.Given given) {
    MarkdownTable table =
        MarkdownTable.headed("more of, in one configuration | up to | first limit | what to do");
    add(table, "records/s, one partition", given, n -> demand(n, 1, 1));
    add(table, "records/s, " + partitions + " partitions", given, n -> demand(n, 1, partitions));
    add(table, "models of 10 records/s", given, n -> demand(10 * n, (int) n, (int) n));
    add(table, "partitions, one model", given, n -> demand(10 * n, 1, (int) n));
    return table;
  }

  private Demand demand(double ofRecords, int ofModels, int ofPartitions) {
    return new Demand(
        ofRecords, ofModels, ofPartitions, ofModels == models ? skew : 0, labelled, windowRows);
  }

  private void add(
      MarkdownTable table, String what, Layout.Given given, DoubleFunction<Demand> demand) {
    double last = 1;
    for (double n = 1; n < 1e9; n *= STEP) {
      var layout = new Layout(demand.apply(n), 1, brokers, given);
      if (!layout.holds()) {
        Limit limit = layout.first();
        table.add(what, MarkdownTable.count(Math.round(last)), limit.label, limit.remedy);
        return;
      }
      last = n;
    }
    table.add(what, "no limit", "-", "-");
  }

  private MarkdownTable layouts(Layout.Given given) {
    MarkdownTable table =
        MarkdownTable.headed(
            "load | configurations | instances | brokers | trainers | nearest limit | its use");
    for (Demand load :
        List.of(
            demand(records, 1, partitions),
            demand(10.0 * models, models, models),
            demand(records, models, partitions))) {
      int configurations = 1;
      var layout = new Layout(load, configurations, given);
      while (!layout.holds() && configurations < load.models()) {
        configurations = Math.min(load.models(), (int) Math.ceil(configurations * 1.1));
        layout = new Layout(load, configurations, given);
      }
      table.add(
          String.format(
              Locale.ROOT,
              "%,.0f records/s, %,d models, %,d partitions",
              load.records(),
              load.models(),
              load.partitions()),
          MarkdownTable.count(configurations),
          MarkdownTable.count(layout.instances()),
          MarkdownTable.count(layout.brokers()),
          MarkdownTable.count(layout.trainers()),
          layout.first().label,
          String.format(Locale.ROOT, "%.2f", layout.use(layout.first())));
    }
    return table;
  }
}
