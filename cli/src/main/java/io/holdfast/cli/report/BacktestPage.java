package io.holdfast.cli.report;

import static io.holdfast.cli.report.Page.number;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.BacktestVerdict.Baseline;
import io.holdfast.cli.report.Chart.Bar;
import io.holdfast.cli.report.Chart.Bars;
import io.holdfast.cli.report.Chart.Line;
import io.holdfast.cli.report.Chart.Lines;
import io.holdfast.cli.report.Chart.Look;
import io.holdfast.cli.report.Page.Cell;
import io.holdfast.cli.report.Page.Tone;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** The page of a backtest, drawn from what {@code backtest --json} says. Owned by one thread. */
public final class BacktestPage {
  private static final int MOST_BARS = 20;
  private static final int MOST_CHARTS = 4; // of one kind, side by side
  private static final int MOST_LINES = 48; // of all charts: they are what takes most room
  private static final int MOST_WINDOWS = 6_000;
  private static final Set<String> HIGHER =
      Set.of("accuracy", "auc", "kappa", "kappaM", "kappaTemporal", "r2");

  private final List<JsonNode> models;
  private final List<String> names;
  private final String metric;
  private final Page page;

  private BacktestPage(JsonNode data) {
    models =
        data.has("candidates")
            ? StreamSupport.stream(data.path("candidates").spliterator(), false).toList()
            : List.of(data);
    names = models.stream().map(model -> model.path("name").asText("model")).toList();
    metric = Pictures.metric(models.getFirst().at("/stream/cumulative/metrics"));
    String delay = data.path("delay").asText();
    page =
        new Page(
            "Holdfast backtest",
            fileName(data.path("file").asText()),
            number(data.path("rows").asLong())
                + " rows · labels "
                + (delay.equals("0") ? "at once" : delay + " later")
                + " · "
                + models.size()
                + (models.size() == 1 ? " model" : " models"));
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  public static String of(JsonNode data) {
    return new BacktestPage(data).html();
  }

  private String html() {
    BacktestVerdict verdict = BacktestVerdict.of(models, names);
    page.verdict(verdict.tone(), List.of(verdict.sentence(), verdict.worst(), verdict.next()));
    summary();
    curves();
    environments();
    drift();
    reasons();
    Pictures.calibration(
        page, names, models.stream().map(model -> model.path("calibration")).toList());
    coverage();
    importance();
    windows();
    settings();
    return page.html();
  }

  private static double figure(JsonNode model, String name) {
    return model.at("/stream/cumulative/metrics").path(name).asDouble(Double.NaN);
  }

  private List<String> header(String... first) {
    List<String> header = new ArrayList<>(List.of(first));
    header.addAll(names);
    return header;
  }

  private void summary() {
    page.section(
        "All rows",
        "Every row was scored before its label was known to the model. Baselines learn nothing, and"
            + " wait for labels as the models do.");
    Set<String> known = new LinkedHashSet<>();
    models.forEach(
        model -> model.at("/stream/cumulative/metrics").fieldNames().forEachRemaining(known::add));
    List<String> header = header("");
    List<Baseline> baselines = Baseline.of(metric);
    baselines.forEach(baseline -> header.add(baseline.name()));
    List<List<Object>> rows = new ArrayList<>();
    for (String name : known) {
      if (name.matches("(noChange|majority|mean)[A-Z].*")) {
        continue;
      }
      List<Object> row = new ArrayList<>(List.of(name));
      row.addAll(
          marked(
              models.stream().map(model -> figure(model, name)).toList(), HIGHER.contains(name)));
      for (int k = 0; k < baselines.size(); k++) {
        row.add(number(figure(models.getFirst(), Baseline.of(name).get(k).key())));
      }
      rows.add(row);
    }
    if (models.getFirst().path("environments").size() > 1) {
      rows.add(more("loss, worst environment", "/byEnvironment/worst/loss", baselines));
    }
    rows.add(more("versions", "/versions", baselines));
    rows.add(more("trees", "/trees", baselines));
    rows.add(more("CPU seconds", "/cpuSeconds", baselines));
    List<Object> hashes = new ArrayList<>(List.of("last version"));
    models.forEach(model -> hashes.add(model.path("hash").asText().substring(0, 10)));
    baselines.forEach(_ -> hashes.add("–"));
    rows.add(hashes);
    page.numbers(header, rows);
  }

  private List<Object> more(String name, String path, List<Baseline> baselines) {
    List<Object> row = new ArrayList<>(List.of(name));
    models.forEach(model -> row.add(number(model.at(path).asDouble(Double.NaN))));
    baselines.forEach(_ -> row.add("–"));
    return row;
  }

  /** Cells where the best of several stands out. */
  private static List<Cell> marked(List<Double> values, boolean higher) {
    double best =
        (higher
                ? values.stream().mapToDouble(one -> one).max()
                : values.stream().mapToDouble(one -> one).min())
            .orElse(Double.NaN);
    return values.stream()
        .map(
            one -> new Cell(number(one), values.size() > 1 && one == best ? Tone.GOOD : Tone.PLAIN))
        .toList();
  }

  private void curves() {
    int newest = models.getFirst().at("/curve/newest").asInt();
    page.section(
        "Along the stream",
        "Of the newest "
            + number(newest)
            + " rows whose label had come. "
            + (HIGHER.contains(metric) ? "Higher" : "Lower")
            + " is better. Point at the curve, or take the arrow keys, to read it.");
    page.chart(curve(metric));
    List<String> others = new ArrayList<>();
    models.getFirst().at("/curve/windowed").fieldNames().forEachRemaining(others::add);
    others.removeIf(name -> name.equals(metric) || name.matches("(noChange|majority|mean)[A-Z].*"));
    int room = MOST_LINES / models.size();
    page.folded(
        "Other figures",
        () ->
            page.grid(() -> others.stream().limit(room).forEach(name -> page.chart(curve(name)))));
  }

  private Chart curve(String figure) {
    List<Double> x = Pictures.numbers(models.getFirst().at("/curve/rows"));
    List<Line> lines = new ArrayList<>();
    for (int k = 0; k < models.size(); k++) {
      add(lines, x, names.get(k), Look.SOLID, models.get(k).at("/curve/windowed").path(figure));
    }
    List<Baseline> baselines = Baseline.of(figure);
    for (int k = 0; k < baselines.size(); k++) {
      JsonNode values = models.getFirst().at("/curve/windowed").path(baselines.get(k).key());
      add(lines, x, baselines.get(k).name(), k == 0 ? Look.BASELINE : Look.OTHER_BASELINE, values);
    }
    if (models.size() == 1) {
      JsonNode expected = models.getFirst().at("/curve/expected").path(figure);
      add(lines, x, "expected before labels came", Look.DASHED, expected);
    }
    return new Lines(figure, "newest rows", "rows", x, lines);
  }

  private static void add(List<Line> lines, List<Double> x, String name, Look look, JsonNode from) {
    List<Double> values = Pictures.numbers(from);
    if (values.size() == x.size()) {
      lines.add(new Line(name, look, values));
    }
  }

  private void environments() {
    List<InEnvironment> all = inEnvironments();
    if (all.size() < 2) {
      return;
    }
    page.section("By environment", "Mean loss of what was served, the worst first.");
    page.grid(
        () -> {
          for (int k = 0; k < Math.min(models.size(), MOST_CHARTS); k++) {
            int model = k;
            List<Bar> bars =
                all.stream()
                    .limit(MOST_BARS)
                    .map(one -> new Bar(one.name(), one.losses().get(model), null, null))
                    .filter(bar -> Double.isFinite(bar.value()))
                    .toList();
            page.chart(new Bars(names.get(k), "loss", true, bars));
          }
        });
    List<List<Object>> table = new ArrayList<>();
    for (InEnvironment one : all) {
      List<Object> row = new ArrayList<>(List.of(one.name(), number(one.rows())));
      row.addAll(marked(one.losses(), false));
      table.add(row);
    }
    page.folded("All environments", () -> page.numbers(header("Environment", "rows"), table));
  }

  /** An environment's rows and the loss of each model; NaN where a model has none of it. */
  private record InEnvironment(String name, long rows, List<Double> losses) {}

  /** Those of any model, the worst of the first model first. */
  private List<InEnvironment> inEnvironments() {
    Map<String, InEnvironment> all = new LinkedHashMap<>();
    for (int k = 0; k < models.size(); k++) {
      for (JsonNode one : models.get(k).path("environments")) {
        List<Double> none = new ArrayList<>(Collections.nCopies(models.size(), Double.NaN));
        String name = Pictures.name(one.path("environment").asText());
        all.computeIfAbsent(name, _ -> new InEnvironment(name, one.path("rows").asLong(), none))
            .losses()
            .set(k, one.path("loss").asDouble(Double.NaN));
      }
    }
    return all.values().stream()
        .sorted(Comparator.comparingDouble(one -> -one.losses().getFirst()))
        .toList();
  }

  private void drift() {
    if (models.stream().allMatch(model -> DriftPicture.windows(model).isEmpty())) {
      return;
    }
    page.section(
        "Drift",
        "The largest difference of a window's features or labels from those before it, by the"
            + " population stability index: above 0.1 it is worth a look, above 0.25 it is large.");
    for (int k = 0; k < models.size(); k++) {
      JsonNode model = models.get(k);
      if (!DriftPicture.windows(model).isEmpty()) {
        page.chart(DriftPicture.of(names.get(k), model));
        List<List<Object>> alarms = DriftPicture.alarms(model);
        if (!alarms.isEmpty()) {
          page.folded(
              "Alarms of " + names.get(k) + ": " + alarms.size() + " windows",
              () -> page.words(List.of("Window", "up to row", "what"), alarms));
        }
      }
    }
  }

  private void reasons() {
    if (models.stream().allMatch(model -> ReasonPicture.windows(model).isEmpty())) {
      return;
    }
    page.section(
        "Why the loss rose",
        "Where the loss was higher than on the rows before by more than chance, with intervals of"
            + " 95 %; drawn is the largest rise.");
    for (int k = 0; k < models.size(); k++) {
      JsonNode model = models.get(k);
      List<List<Object>> sentences = ReasonPicture.sentences(model);
      if (!sentences.isEmpty()) {
        page.chart(ReasonPicture.of(names.get(k), model));
        page.folded(
            names.get(k) + ": " + sentences.size() + (sentences.size() == 1 ? " rise" : " rises"),
            () -> page.words(List.of("Window", "up to row", "why"), sentences));
      }
    }
  }

  private void coverage() {
    if (models.stream().noneMatch(model -> model.has("coverage"))) {
      return;
    }
    page.section(
        "Coverage",
        "How often intervals, or sets of classes, held the label that came later, by stretches of"
            + " 1,000 labelled rows: near what was promised is right, and of that the narrower is"
            + " better.");
    for (int k = 0; k < models.size(); k++) {
      JsonNode coverage = models.get(k).path("coverage");
      String name = names.get(k);
      if (CoveragePicture.overTime(coverage)) {
        page.grid(
            () -> {
              page.chart(CoveragePicture.held(name, coverage));
              page.chart(CoveragePicture.width(name, coverage));
            });
      }
      if (models.size() > 1) {
        page.folded(
            "Environments of " + name,
            () -> page.numbers(CoveragePicture.header(coverage), CoveragePicture.table(coverage)));
      } else {
        page.numbers(CoveragePicture.header(coverage), CoveragePicture.table(coverage));
      }
    }
  }

  private void importance() {
    page.section(
        "What it goes by", "What splits on each feature gained in training, in the last version.");
    page.grid(
        () -> {
          for (int k = 0; k < Math.min(models.size(), MOST_CHARTS); k++) {
            List<Bar> bars =
                StreamSupport.stream(models.get(k).path("importance").spliterator(), false)
                    .limit(MOST_BARS)
                    .map(
                        one ->
                            new Bar(
                                one.path("feature").asText(),
                                one.path("gainShare").asDouble(Double.NaN),
                                null,
                                null))
                    .filter(bar -> Double.isFinite(bar.value()))
                    .toList();
            if (!bars.isEmpty()) {
              page.chart(new Bars(names.get(k), "share of the gain", true, bars));
            }
          }
        });
  }

  private void windows() {
    int all = models.stream().mapToInt(model -> model.path("windows").size()).sum();
    int every = (all + MOST_WINDOWS - 1) / MOST_WINDOWS;
    page.section(
        "Windows",
        "Each window was scored before it was learned from."
            + (every > 1
                ? " There are so many that each " + every + "th is here; --json has all."
                : ""));
    for (int k = 0; k < models.size(); k++) {
      List<List<Object>> rows = new ArrayList<>();
      JsonNode windows = models.get(k).path("windows");
      IntStream.range(0, windows.size())
          .filter(at -> at % Math.max(1, every) == 0)
          .forEach(at -> rows.add(window(windows.get(at))));
      page.folded(
          names.get(k) + ": " + number(windows.size()) + " windows",
          () ->
              page.numbers(
                  List.of("Window", "rows", "loss", "constant", "served by", "trees"), rows));
    }
  }

  private static List<Object> window(JsonNode window) {
    double loss = window.path("loss").asDouble(Double.NaN);
    double constant = window.path("constantLoss").asDouble(Double.NaN);
    JsonNode served = window.path("servedVersions");
    String by = served.isEmpty() ? "–" : "v" + served.get(served.size() - 1).asLong();
    return List.of(
        window.path("window").asText(),
        window.path("rows").asText(),
        new Cell(number(loss), loss > constant ? Tone.BAD : Tone.PLAIN),
        number(constant),
        by,
        window.path("treesTotal").asText());
  }

  private void settings() {
    page.section("Settings", "What differs from the defaults.");
    page.words(
        header("Setting", "default"),
        SettingsTable.rows(models.stream().map(model -> model.path("settings")).toList()));
  }
}
