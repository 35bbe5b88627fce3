package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How often intervals and sets hold the label, and how wide they are, beside peer methods. */
@Command(
    name = "coverage",
    description = {
      "Serves streams, and promises with each score where the label will be: by Holdfast's",
      "thresholds, split conformal prediction, conformalised quantile regression (numbers) and",
      "adaptive conformal inference, all on the same scores."
    })
public final class CoverageCommand extends BenchCommand {
  @Mixin DataOptions data;

  @Option(names = "--streams", split = ",", description = "The streams; all by default.")
  List<String> streams = StreamSource.all().stream().map(StreamSource::name).toList();

  @Option(
      names = "--delays",
      split = ",",
      defaultValue = "0,1000",
      description = "How many rows labels are late (${DEFAULT-VALUE}).")
  List<Integer> delays;

  @Option(
      names = "--levels",
      split = ",",
      defaultValue = "0.5,0.8,0.9,0.95",
      description = "The promises, ascending (${DEFAULT-VALUE}).")
  List<Double> levels;

  @Option(
      names = "--rows",
      description = "Rows of each stream; 0, the default, is all of a file and 100,000 drawn ones.")
  int rows;

  @Option(names = "--scores", description = "A folder that keeps served scores for a next run.")
  @Nullable Path folder;

  @Option(names = "--only", split = ",", description = "Methods; all by default.")
  List<String> only = List.of();

  @Override
  protected void run(PrintWriter out) throws IOException {
    out.print(
        MarkdownTable.headed(
            "stream | delay | level | method | coverage | furthest environment | 1,000 rows after"
                + " a drift | 2,000 to 4,000 after | width"));
    for (String name : streams) {
      LabelledStream stream = StreamSource.named(name).reader().read(data.folder(), rows);
      for (int delay : delays) {
        measure(ServedScores.of(stream, delay, folder), out);
        out.flush();
      }
    }
  }

  private void measure(ServedScores scores, PrintWriter out) {
    Map<String, CoverageMethod> methods = new LinkedHashMap<>();
    methods.put("Holdfast", new CoverageMethod.Holdfast(scores, levels));
    methods.put("split", new CoverageMethod.Split(scores, levels));
    methods.put("ACI", new CoverageMethod.Adaptive(scores, levels));
    if (!scores.stream().classifies()) {
      methods.put("CQR", new CoverageMethod.QuantileRegression(scores, levels));
    }
    if (!only.isEmpty()) {
      methods.keySet().retainAll(only);
    }
    Map<String, List<CoverageFigures>> figures = new LinkedHashMap<>();
    methods.forEach((name, method) -> figures.put(name, run(scores, method)));
    for (int level = 0; level < levels.size(); level++) {
      for (String name : figures.keySet()) {
        CoverageFigures of = figures.get(name).get(level);
        out.println(
            MarkdownTable.line(
                scores.stream().name(),
                Integer.toString(scores.delay()),
                levels.get(level).toString(),
                name,
                share(of.coverage()),
                share(of.furthest(levels.get(level))),
                share(of.afterDrift()),
                share(of.later()),
                MarkdownTable.figure(of.width())));
      }
    }
  }

  private static String share(double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.3f", share);
  }

  private List<CoverageFigures> run(ServedScores scores, CoverageMethod method) {
    int size = scores.raw().length;
    int[] drifts =
        scores.stream().name().matches(".*-a|agr-r")
            ? new int[] {size / 4, size / 2, size * 3 / 4}
            : new int[0];
    List<CoverageFigures> figures = new ArrayList<>();
    levels.forEach(level -> figures.add(new CoverageFigures(scores, drifts)));
    for (int row = 0; row < size; row++) {
      Range[] promises = method.promise(row);
      for (int level = 0; level < promises.length; level++) {
        figures.get(level).add(row, promises[level]);
      }
      if (row >= scores.delay()) {
        method.learn(row - scores.delay());
      }
    }
    return figures;
  }
}
