package io.holdfast.cli.report;

import static io.holdfast.cli.report.Page.number;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Chart.Line;
import io.holdfast.cli.report.Chart.Lines;
import io.holdfast.cli.report.Chart.Look;
import io.holdfast.cli.report.Page.Tone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** The page of a risk-by-shift curve, from what {@code shift --json} says. Stateless. */
public final class ShiftPage {
  private ShiftPage() {}

  public static String of(JsonNode data) {
    List<JsonNode> models =
        StreamSupport.stream(data.path("candidates").spliterator(), false).toList();
    List<Double> strengths = Pictures.numbers(data.path("strengths"));
    int[] order =
        IntStream.range(0, strengths.size())
            .boxed()
            .sorted(Comparator.comparing(strengths::get))
            .mapToInt(k -> k)
            .toArray();
    Page page =
        new Page(
            "Holdfast: risk by shift",
            "Loss by strength of the shift",
            "learned from "
                + number(data.path("rows").asInt())
                + " rows of "
                + data.path("environments").asInt()
                + " environments under a shift of strength "
                + number(data.path("learnedAt").asDouble()));
    int strongest = order[order.length - 1];
    JsonNode best =
        models.stream()
            .min(Comparator.comparingDouble(one -> one.path("worst").path(strongest).asDouble()))
            .orElseThrow();
    page.verdict(
        Tone.PLAIN,
        List.of(
            best.path("name").asText()
                + " loses least in the worst environment under the strongest shift ("
                + number(strengths.get(strongest))
                + "): "
                + number(best.path("worst").path(strongest).asDouble())
                + ".",
            "Beyond the strength that was learned from, the past is no guide."));
    page.section("In the environment that loses most", "Lower is better.");
    page.chart(chart("Worst environment", "worst", models, strengths, order));
    page.section("In all environments", "Lower is better.");
    page.chart(chart("All environments", "loss", models, strengths, order));
    page.section("Settings", "What differs from the defaults.");
    List<String> header = new ArrayList<>(List.of("Setting", "default"));
    models.forEach(model -> header.add(model.path("name").asText()));
    page.words(
        header, SettingsTable.rows(models.stream().map(one -> one.path("settings")).toList()));
    return page.html();
  }

  private static Chart chart(
      String title, String figure, List<JsonNode> models, List<Double> strengths, int[] order) {
    List<Line> lines = new ArrayList<>();
    for (JsonNode model : models) {
      List<Double> values = Pictures.numbers(model.path(figure));
      lines.add(
          new Line(
              model.path("name").asText(),
              Look.DOTS,
              IntStream.of(order).mapToObj(values::get).toList()));
    }
    List<Double> x = IntStream.of(order).mapToObj(strengths::get).toList();
    return new Lines(title, "loss", "strength", x, lines);
  }
}
