package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.LineChart;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.learn.ShiftCurve;
import io.holdfast.schemas.settings.ModelSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The pictures of {@code docs/learning-under-shift.md}. */
@Command(
    name = "pictures",
    description = {
      "Measures the curves of docs/learning-under-shift.md into a file and draws them as SVG;"
          + " lines",
      "that stand in the file are not measured again."
    })
public final class PicturesCommand extends BenchCommand {
  /** What a row weighs when the next one comes: as in a backtest. */
  private static final double FADING = 0.999;

  private static final int POINTS = 200;
  private static final List<Double> STRENGTHS = List.of(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0);

  @Mixin DataOptions data;

  @Option(names = "--curves", description = "The file of curves (${DEFAULT-VALUE}).")
  Path curves = Path.of("pictures.csv");

  @Option(names = "--out", description = "The folder of the pictures (${DEFAULT-VALUE}).")
  Path folder = Path.of("docs/pictures");

  @Option(
      names = "--rows",
      description = "Rows of each stream, and learned from under a shift (${DEFAULT-VALUE}).")
  int rows = 20_000;

  @Override
  protected void run(PrintWriter out) throws IOException {
    Files.createDirectories(folder);
    String abrupt = "agrawal-abrupt";
    for (String policy : List.of("auto", "replace", "append")) {
      String learner = "Holdfast[update.policy=" + policy + ";window.rows=200]";
      measure(abrupt, policy, name -> fading(name, "agr-a", learner, 0), out);
    }
    String accuracy = "accuracy, fading by " + FADING;
    draw(abrupt, "AGRAWAL, abrupt drift, windows of 200 rows", "row", accuracy, false);
    String late = "electricity-late";
    for (int delay : List.of(0, 1_000)) {
      String when = delay == 0 ? "labels at once" : "labels 1000 rows late";
      String auto = "Holdfast[update.policy=auto;window.rows=5]";
      measure(late, "auto; " + when, name -> fading(name, "electricity", auto, delay), out);
      measure(
          late, "no change; " + when, name -> fading(name, "electricity", "NoChange", delay), out);
    }
    draw(late, "electricity, windows of 5 rows", "row", accuracy, false);
    String shift = "shift-by-gamma";
    for (String gamma : List.of("1", "2", "4", "8", "16")) {
      measure(shift, "gamma " + gamma, name -> byStrength(name, gamma), out);
    }
    String title = "Loss of the worst environment, learned at strength 1";
    draw(shift, title, "strength of the shift", "squared loss", true);
  }

  private void measure(
      String picture, String name, Function<String, LineChart.Line> line, PrintWriter out) {
    var file = new CurvesFile(curves);
    if (file.line(picture, name).isEmpty()) {
      file.add(picture, line.apply(name));
      out.println(picture + ": " + name);
      out.flush();
    }
  }

  private void draw(String picture, String title, String x, String y, boolean markers) {
    new LineChart(title, x, y, markers, new CurvesFile(curves).lines(picture))
        .save(folder.resolve(picture + ".svg"));
  }

  /** The accuracy along a stream. */
  private LineChart.Line fading(String name, String stream, String learner, int delay) {
    LabelledStream read = StreamSource.named(stream).reader().read(data.folder(), rows);
    Rows all = read.rows();
    int every = Math.max(1, all.size() / POINTS);
    double[] x = new double[all.size() / every];
    double[] y = new double[x.length];
    double right = 0;
    double weight = 0;
    try (StreamLearner taught = Contestant.named(learner).maker().of(read, delay)) {
      for (int row = 0; row < all.size(); row++) {
        right = FADING * right + (taught.predict(row) == all.label(row) ? 1 : 0);
        weight = FADING * weight + 1;
        if (row >= delay) {
          taught.learn(row - delay);
        }
        if ((row + 1) % every == 0) {
          x[row / every] = row + 1;
          y[row / every] = rounded(right / weight);
        }
      }
    }
    return new LineChart.Line(name, x, y);
  }

  /** What the environment that loses most loses. */
  private LineChart.Line byStrength(String name, String gamma) {
    Map<String, String> keys =
        Map.of(
            "objective", "squared", "label", "label", "environment", "environment", "gamma", gamma);
    ModelSettings settings =
        ModelSettings.of("shift", keys, key -> key).withLabelsInTopic(Duration.ofHours(1));
    double[] worst =
        new ShiftCurve(rows, 5, 1, STRENGTHS, settings.booster().seed())
            .of(settings, () -> {}).worst().stream()
                .mapToDouble(PicturesCommand::rounded)
                .toArray();
    double[] strengths = STRENGTHS.stream().mapToDouble(Double::doubleValue).toArray();
    return new LineChart.Line(name, strengths, worst);
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
