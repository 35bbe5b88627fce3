package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Chart.Line;
import io.holdfast.cli.report.Chart.Lines;
import io.holdfast.cli.report.Chart.Look;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How often intervals and sets of classes held what came, drawn from JSON. Stateless. */
final class CoveragePicture {
  private CoveragePicture() {}

  /** Of stretches of labelled rows, each level against what it promises. */
  static Chart held(String name, JsonNode coverage) {
    List<Double> rows = rows(coverage);
    List<Line> lines = along(coverage, "coverage");
    for (int k = 0; k < levels(coverage); k++) {
      double promised = coverage.path("levels").path(k).asDouble();
      lines.add(
          new Line(
              "promised " + Page.number(promised),
              Look.BASELINE,
              Collections.nCopies(rows.size(), promised)));
    }
    return new Lines("Coverage of " + name, "share held", "labelled rows", rows, lines);
  }

  /** How wide intervals were, or how many classes sets had. */
  static Chart width(String name, JsonNode coverage) {
    return new Lines(
        "Width of " + name,
        "mean width, or classes",
        "labelled rows",
        rows(coverage),
        along(coverage, "width"));
  }

  /** Whether there is a line to draw. */
  static boolean overTime(JsonNode coverage) {
    return coverage.path("overTime").size() > 1;
  }

  static List<String> header(JsonNode coverage) {
    List<String> header = new ArrayList<>(List.of("Environment", "rows"));
    for (int k = 0; k < levels(coverage); k++) {
      header.add("held of " + level(coverage, k));
      header.add("width");
    }
    return header;
  }

  /** All rows, then each environment by its name. */
  static List<List<Object>> table(JsonNode coverage) {
    List<List<Object>> table = new ArrayList<>();
    table.add(row("all", coverage.path("all")));
    JsonNode environments = coverage.path("environments");
    if (environments.size() > 1) {
      environments
          .properties()
          .forEach(one -> table.add(row(Pictures.name(one.getKey()), one.getValue())));
    }
    return table;
  }

  private static List<Object> row(String name, JsonNode of) {
    List<Object> row = new ArrayList<>(List.of(name, Page.number(of.path("rows").asLong())));
    for (int k = 0; k < of.path("coverage").size(); k++) {
      row.add(Page.number(of.path("coverage").path(k).asDouble(Double.NaN)));
      row.add(Page.number(of.path("width").path(k).asDouble(Double.NaN)));
    }
    return row;
  }

  private static List<Line> along(JsonNode coverage, String figure) {
    List<Line> lines = new ArrayList<>();
    for (int k = 0; k < levels(coverage); k++) {
      List<Double> values = new ArrayList<>();
      for (JsonNode stretch : coverage.path("overTime")) {
        values.add(stretch.path(figure).path(k).asDouble(Double.NaN));
      }
      lines.add(new Line("of " + level(coverage, k), Look.SOLID, values));
    }
    return lines;
  }

  /** Where each stretch ends. */
  private static List<Double> rows(JsonNode coverage) {
    List<Double> rows = new ArrayList<>();
    double end = 0;
    for (JsonNode stretch : coverage.path("overTime")) {
      end += stretch.path("rows").asDouble();
      rows.add(end);
    }
    return rows;
  }

  private static int levels(JsonNode coverage) {
    return coverage.path("levels").size();
  }

  private static String level(JsonNode coverage, int k) {
    return Page.number(coverage.path("levels").path(k).asDouble());
  }
}
