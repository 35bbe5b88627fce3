package io.holdfast.cli.show;

import static io.holdfast.cli.report.Page.number;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.report.Chart;
import io.holdfast.cli.report.Chart.Bar;
import io.holdfast.cli.report.Chart.Bars;
import io.holdfast.cli.report.Chart.Line;
import io.holdfast.cli.report.Chart.Lines;
import io.holdfast.cli.report.Chart.Look;
import io.holdfast.cli.report.Page;
import io.holdfast.cli.report.Page.Tone;
import io.holdfast.cli.report.Pictures;
import io.holdfast.cli.report.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** The page of a model, drawn from what {@code show --json} says. Stateless. */
final class ModelPage {
  private static final int MOST_BARS = 20;

  private ModelPage() {}

  static String of(Shown model) {
    JsonNode shown = Json.tree(model);
    JsonNode data = shown.path("data");
    JsonNode forest = shown.path("forest");
    Page page =
        new Page(
            "Holdfast model",
            shown.path("model").asText() + ", version " + shown.path("version").asLong(),
            shown.path("file").asText()
                + " · hash "
                + shown.path("hash").asText().substring(0, 10));
    page.verdict(Tone.PLAIN, verdict(shown));
    importance(page, shown.path("importance"), data);
    if (data.isObject()) {
      environments(page, data);
      Pictures.calibration(page, List.of("the model"), List.of(data.path("calibration")));
      dependence(page, data, shown.path("classes"));
    }
    page.section(
        "Trees",
        forest.path("trees").asInt()
            + " trees of "
            + forest.path("fewestLeaves").asInt()
            + " to "
            + forest.path("mostLeaves").asInt()
            + " leaves, at most "
            + forest.path("deepest").asInt()
            + " splits deep. These are the first; --trees writes out more.");
    for (int k = 0; k < shown.path("trees").size(); k++) {
      TreeNode tree = model.trees().get(k);
      page.folded("Tree " + (k + 1), () -> page.raw("<ul class=tree>" + tree.html("") + "</ul>"));
    }
    made(page, shown);
    return page.html();
  }

  private static List<String> verdict(JsonNode shown) {
    List<String> sentences = new ArrayList<>();
    JsonNode first = shown.path("importance").path(0);
    boolean known = first.path("gainShare").isNumber();
    JsonNode data = shown.path("data");
    if (!data.isObject()) {
      sentences.add(
          "It goes by "
              + first.path("feature").asText()
              + " most"
              + (known ? ": " + share(first.path("gainShare").asDouble()) + " of the gain." : "."));
      sentences.add("Give it rows with labels (--data) to see where it errs.");
      return sentences;
    }
    String metric = Pictures.metric(data.path("metrics"));
    double all =
        metric.equals("loss")
            ? data.path("loss").asDouble()
            : data.at("/metrics/" + metric).asDouble();
    JsonNode worst = data.path("environments").path(0);
    String where =
        data.path("environments").size() < 2
            ? "."
            : ", and it loses most in "
                + Pictures.name(worst.path("environment").asText())
                + ": "
                + number(worst.path("loss").asDouble())
                + " where all rows together lose "
                + number(data.path("loss").asDouble())
                + ".";
    sentences.add(
        "Its " + metric + " on " + data.path("rows").asInt() + " rows is " + number(all) + where);
    sentences.add(
        "It goes by "
            + first.path("feature").asText()
            + " most"
            + (known ? " (" + share(first.path("gainShare").asDouble()) + " of the gain)" : "")
            + "; to shuffle that feature would add "
            + number(first.at("/permutation/value").asDouble())
            + " to the loss.");
    return sentences;
  }

  private static String share(double share) {
    return Math.round(100 * share) + " %";
  }

  private static void importance(Page page, JsonNode weights, JsonNode data) {
    page.section(
        "What it goes by",
        data.isObject()
            ? "Gain and splits are of training. Permutation is how much the loss of "
                + number(data.path("sampledRows").asInt())
                + " rows rises when a feature's values are shuffled, with an interval that holds it"
                + " in 95 of 100; Shapley the mean size of its contribution to a raw score."
            : "What splits on each feature gained in training, and how many there are.");
    page.grid(
        () -> {
          page.chart(bars("Gain", "share of all", weights, "gainShare"));
          page.chart(bars("Splits", "count", weights, "splits"));
          if (data.isObject()) {
            page.chart(bars("Permutation", "rise of the loss", weights, "permutation"));
            page.chart(bars("Shapley values", "mean size, raw score", weights, "shapley"));
          }
        });
  }

  private static Chart bars(String title, String unit, JsonNode weights, String figure) {
    List<Bar> bars = new ArrayList<>();
    for (JsonNode weight : weights) {
      JsonNode lower = weight.path(figure).path("lower");
      JsonNode upper = weight.path(figure).path("upper");
      JsonNode value = lower.isNumber() ? weight.path(figure).path("value") : weight.path(figure);
      bars.add(
          new Bar(
              weight.path("feature").asText(),
              value.asDouble(Double.NaN),
              lower.isNumber() ? lower.asDouble() : null,
              upper.isNumber() ? upper.asDouble() : null));
    }
    bars.removeIf(bar -> !Double.isFinite(bar.value()));
    bars.sort((a, b) -> Double.compare(b.value(), a.value()));
    return new Bars(title, unit, true, bars.subList(0, Math.min(bars.size(), MOST_BARS)));
  }

  private static void environments(Page page, JsonNode data) {
    if (data.path("environments").size() < 2) {
      return;
    }
    page.section(
        "Where it errs", "Mean loss by environment, the worst first, with 95 % intervals.");
    List<Bar> bars = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("Environment", "rows", "loss"));
    data.path("metrics").fieldNames().forEachRemaining(header::add);
    for (JsonNode one : data.path("environments")) {
      String name = Pictures.name(one.path("environment").asText());
      double loss = one.path("loss").asDouble(Double.NaN);
      bars.add(new Bar(name, loss, one.path("lower").asDouble(), one.path("upper").asDouble()));
      List<String> row =
          new ArrayList<>(List.of(name, number(one.path("rows").asInt()), number(loss)));
      header
          .subList(3, header.size())
          .forEach(
              metric -> row.add(number(one.path("metrics").path(metric).asDouble(Double.NaN))));
      rows.add(row);
    }
    page.chart(
        new Bars("The worst", "loss", true, bars.subList(0, Math.min(bars.size(), MOST_BARS))));
    page.folded("All environments, all figures", () -> page.numbers(header, rows));
  }

  private static void dependence(Page page, JsonNode data, JsonNode classes) {
    page.section(
        "How predictions go with a feature",
        "The mean prediction with the feature set to a value and all else left as it is. The band"
            + " is a 95 % interval of what the feature does beside each row's own level: wide where"
            + " rows differ in it.");
    page.grid(() -> data.path("dependence").forEach(one -> page.chart(curve(one, classes))));
  }

  private static Chart curve(JsonNode curve, JsonNode classes) {
    String feature = curve.path("feature").asText();
    List<JsonNode> points = list(curve.path("points"));
    int outputs = points.getFirst().path("mean").size();
    if (curve.path("categorical").asBoolean() && outputs == 1) {
      List<Bar> bars =
          points.stream()
              .map(
                  one ->
                      new Bar(
                          one.path("at").isNull() ? "missing" : one.path("at").asText(),
                          one.at("/mean/0").asDouble(),
                          one.at("/lower/0").asDouble(),
                          one.at("/upper/0").asDouble()))
              .toList();
      return new Bars(feature, "prediction", false, bars);
    }
    boolean words = curve.path("categorical").asBoolean();
    List<JsonNode> drawn =
        points.stream().filter(one -> words || !one.path("at").isNull()).toList();
    List<Line> lines = new ArrayList<>();
    for (int k = 0; k < outputs; k++) {
      String at = "/" + k;
      lines.add(
          new Line(
              outputs == 1 ? "all rows" : classes.path(k).asText("class " + k),
              Look.SOLID,
              drawn.stream().map(one -> one.path("mean").at(at).asDouble()).toList(),
              drawn.stream().map(one -> one.path("lower").at(at).asDouble()).toList(),
              drawn.stream().map(one -> one.path("upper").at(at).asDouble()).toList()));
    }
    List<Double> x = new ArrayList<>();
    for (JsonNode one : drawn) {
      x.add(words ? x.size() : one.path("at").asDouble());
    }
    return new Lines(
        feature,
        outputs == 1 ? "prediction" : "probability",
        words ? "category" : feature,
        x,
        lines);
  }

  private static void made(Page page, JsonNode shown) {
    page.section("Made of", "Settings that differ from the defaults, and what it learned from.");
    page.words(
        List.of("Setting", "default", "here"), SettingsTable.rows(List.of(shown.path("settings"))));
    List<List<String>> facts = new ArrayList<>();
    facts.add(List.of("hash", shown.path("hash").asText()));
    facts.add(List.of("program", shown.path("programVersion").asText()));
    facts.add(
        List.of(
            "environments",
            String.join(
                ", ", list(shown.path("environments")).stream().map(JsonNode::asText).toList())));
    for (JsonNode range : shown.path("window")) {
      facts.add(
          List.of(
              "rows of " + range.path("topic").asText(),
              number(range.path("to").asLong() - range.path("from").asLong())));
    }
    page.words(List.of("What", ""), facts);
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
