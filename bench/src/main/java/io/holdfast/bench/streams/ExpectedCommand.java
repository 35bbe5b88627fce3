package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.WindowReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How far what scores made one expect was from what came, beside "as in the last window". */
@Command(
    name = "expected",
    description = {
      "Serves streams whose features or labels change, and holds what reports expected of each",
      "window before its labels came against what came: accuracy of classes, rmse of numbers."
    })
public final class ExpectedCommand extends BenchCommand {
  @Mixin DataOptions data;

  @Option(names = "--streams", split = ",", description = "Streams of files or drawn, too.")
  List<String> streams = List.of("electricity", "electricity-blind", "covertype", "bikes", "air");

  @Option(
      names = "--delay",
      defaultValue = "1000",
      description = "How many rows labels are late (${DEFAULT-VALUE}).")
  int delay;

  @Option(
      names = "--window",
      defaultValue = "500",
      description = "Rows of a window (${DEFAULT-VALUE}).")
  int window;

  @Option(names = "--rows", defaultValue = "50000", description = "Rows of each stream.")
  int rows;

  @Override
  protected void run(PrintWriter out) throws IOException {
    out.print(
        MarkdownTable.headed(
            "stream | windows | off by | as in the last window | within the range | width of it |"
                + " in doubt"));
    for (PlantedShift shift : PlantedShift.values()) {
      measure(shift.stream(rows), out);
    }
    for (String name : streams) {
      measure(StreamSource.named(name).reader().read(data.folder(), rows), out);
    }
  }

  private void measure(LabelledStream stream, PrintWriter out) {
    List<WindowReport> reports = new ArrayList<>();
    Map<String, String> settings =
        Map.of("window.rows", Integer.toString(window), "window.environments", "1");
    try (var learner = new HoldfastLearner(stream, settings)) {
      for (int row = 0; row < stream.rows().size(); row++) {
        learner.predict(row);
        if (row >= delay) {
          learner.learn(row - delay);
        }
      }
      reports.addAll(learner.reports());
    }
    String metric = stream.classifies() ? "accuracy" : "rmse";
    double off = 0;
    double before = 0;
    double width = 0;
    int within = 0;
    int doubted = 0;
    int judged = 0;
    for (int at = 1; at < reports.size(); at++) {
      ExpectedReport expected = reports.get(at).getExpected();
      if (expected == null || !expected.getLow().containsKey(metric)) {
        continue;
      }
      double came = of(reports.get(at).getMetrics(), metric);
      double low = of(expected.getLow(), metric);
      double high = of(expected.getHigh(), metric);
      off += Math.abs(of(expected.getMetrics(), metric) - came);
      before += Math.abs(of(reports.get(at - 1).getMetrics(), metric) - came);
      width += high - low;
      within += low <= came && came <= high ? 1 : 0;
      doubted += expected.getDoubt() == null ? 0 : 1;
      judged++;
    }
    out.println(
        MarkdownTable.line(
            stream.name(),
            Integer.toString(judged),
            figure(off / judged),
            figure(before / judged),
            figure((double) within / judged),
            figure(width / judged),
            figure((double) doubted / judged)));
    out.flush();
  }

  private static double of(Map<String, Double> figures, String metric) {
    return figures.getOrDefault(metric, Double.NaN);
  }

  private static String figure(double figure) {
    return String.format(Locale.ROOT, "%.3f", figure);
  }
}
