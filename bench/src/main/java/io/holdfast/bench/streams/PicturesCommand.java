package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataFolder;
import io.holdfast.bench.report.LineChart;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.learn.ShiftCurve;
import io.holdfast.schemas.settings.ModelSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The pictures of {@code docs/learning-under-shift.md}. */
@Command(
    name = "pictures",
    description = {
      "Measures the curves of docs/learning-under-shift.md into a file and draws them as SVG; lines",
      "that stand in the file are not measured again."
    },
    mixinStandardHelpOptions = true)
public final class PicturesCommand implements Callable<Integer> {
  /** What a row weighs when the next one comes: as in a backtest. */
  private static final double FADING = 0.999;

  private static final int POINTS = 200;
  private static final int LATE = 1_000;
  private static final List<Double> STRENGTHS = List.of(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0);
  private static final List<String> GAMMAS = List.of("1", "2", "4", "8", "16");

  @Spec CommandSpec spec;

  @Option(names = "--data", description = "The folder with the shared data sets.")
  @Nullable Path data;

  @Option(
      names = "--curves",
      defaultValue = "pictures.csv",
      description = "The file of curves (${DEFAULT-VALUE}).")
  Path curves;

  @Option(
      names = "--out",
      defaultValue = "docs/pictures",
      description = "The folder of the pictures (${DEFAULT-VALUE}).")
  Path out;

  @Option(
      names = "--rows",
      defaultValue = "20000",
      description = "Rows of each stream, and learned from under a shift (${DEFAULT-VALUE}).")
  int rows;

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(out);
    CurvesFile file = new CurvesFile(curves);
    String abrupt = "agrawal-abrupt";
    for (String policy : List.of("auto", "replace", "append")) {
      measure(
          file,
          abrupt,
          policy,
          () -> fading("agr-a", "Holdfast[update.policy=" + policy + ";window.rows=200]", 0));
    }
    draw(
        abrupt,
        new LineChart(
            "AGRAWAL, abrupt drift, windows of 200 rows",
            "row",
            "accuracy, fading by " + FADING,
            false,
            file.lines(abrupt)));
    String late = "electricity-late";
    for (int delay : List.of(0, LATE)) {
      String when = delay == 0 ? "labels at once" : "labels 1000 rows late";
      measure(
          file,
          late,
          "auto; " + when,
          () -> fading("electricity", "Holdfast[update.policy=auto;window.rows=5]", delay));
      measure(file, late, "no change; " + when, () -> fading("electricity", "NoChange", delay));
    }
    draw(
        late,
        new LineChart(
            "electricity, windows of 5 rows",
            "row",
            "accuracy, fading by " + FADING,
            false,
            file.lines(late)));
    String shift = "shift-by-gamma";
    for (String gamma : GAMMAS) {
      measure(file, shift, "gamma " + gamma, () -> byStrength(gamma));
    }
    draw(
        shift,
        new LineChart(
            "Loss of the worst environment, learned at strength 1",
            "strength of the shift",
            "squared loss",
            true,
            file.lines(shift)));
    return 0;
  }

  /** One picture's points. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Points(double[] x, double[] y) {}

  private void measure(CurvesFile file, String picture, String name, Supplier<Points> points) {
    if (file.line(picture, name).isEmpty()) {
      Points found = points.get();
      file.add(picture, new LineChart.Line(name, found.x, found.y));
      PrintWriter said = spec.commandLine().getOut();
      said.println(picture + ": " + name);
      said.flush();
    }
  }

  private void draw(String name, LineChart chart) {
    chart.save(out.resolve(name + ".svg"));
  }

  /** The accuracy along a stream. */
  private Points fading(String stream, String learner, int delay) {
    LabelledStream read = StreamSource.named(stream).read(DataFolder.of(data), rows);
    Rows all = read.rows();
    List<double[]> points = new ArrayList<>();
    double right = 0;
    double weight = 0;
    int every = Math.max(1, all.size() / POINTS);
    try (StreamLearner taught = Contestant.named(learner).maker().of(read, delay)) {
      for (int row = 0; row < all.size(); row++) {
        right = FADING * right + (taught.predict(row) == all.label(row) ? 1 : 0);
        weight = FADING * weight + 1;
        if (row >= delay) {
          taught.learn(row - delay);
        }
        if ((row + 1) % every == 0) {
          points.add(new double[] {row + 1, rounded(right / weight)});
        }
      }
    }
    return new Points(
        points.stream().mapToDouble(point -> point[0]).toArray(),
        points.stream().mapToDouble(point -> point[1]).toArray());
  }

  /** What the environment that loses most loses. */
  private Points byStrength(String gamma) {
    ModelSettings settings =
        ModelSettings.of(
                "shift",
                Map.of(
                    "objective", "squared",
                    "label", "label",
                    "environment", "environment",
                    "gamma", gamma),
                key -> key)
            .withLabelsInTopic(Duration.ofHours(1));
    ShiftCurve.Result result =
        new ShiftCurve(rows, 5, 1, STRENGTHS, settings.booster().seed()).of(settings, () -> {});
    return new Points(
        STRENGTHS.stream().mapToDouble(Double::doubleValue).toArray(),
        result.worst().stream().mapToDouble(PicturesCommand::rounded).toArray());
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
