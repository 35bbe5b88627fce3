package io.holdfast.bench.streams;

import io.holdfast.bench.report.LineChart;
import io.holdfast.cli.input.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measured curves in a CSV file, a line a point: {@code picture,line,x,y}. */
final class CurvesFile {
  private static final String HEADER = "picture,line,x,y";

  private final Path path;

  CurvesFile(Path path) {
    this.path = path;
  }

  /** The lines of a picture, in the order of the file. */
  List<LineChart.Line> lines(String picture) {
    Map<String, List<double[]>> points = new LinkedHashMap<>();
    for (String line : read()) {
      String[] fields = line.split(",", -1);
      if (fields.length != 4) {
        throw new DataException("%s has a line that is no point of a curve: %s", path, line);
      }
      if (fields[0].equals(picture)) {
        points
            .computeIfAbsent(fields[1], name -> new ArrayList<>())
            .add(new double[] {number(fields[2]), number(fields[3])});
      }
    }
    List<LineChart.Line> lines = new ArrayList<>();
    points.forEach(
        (name, all) ->
            lines.add(
                new LineChart.Line(
                    name,
                    all.stream().mapToDouble(point -> point[0]).toArray(),
                    all.stream().mapToDouble(point -> point[1]).toArray())));
    return lines;
  }

  /** The line of that name, if it is there. */
  Optional<LineChart.Line> line(String picture, String name) {
    return lines(picture).stream().filter(line -> line.name().equals(name)).findFirst();
  }

  private double number(String field) {
    try {
      return Double.parseDouble(field);
    } catch (NumberFormatException e) {
      throw new DataException("%s has a point that is no number: %s", path, field);
    }
  }

  private List<String> read() {
    if (!Files.exists(path)) {
      return List.of();
    }
    try {
      List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
      return lines.subList(Math.min(1, lines.size()), lines.size());
    } catch (IOException e) {
      throw new DataException("%s cannot be read as curves: %s", path, e.getMessage());
    }
  }

  /** Adds a line at the end. */
  void add(String picture, LineChart.Line line) {
    List<String> all = new ArrayList<>(List.of(HEADER));
    all.addAll(read());
    for (int at = 0; at < line.x().length; at++) {
      all.add(String.join(",", picture, line.name(), "" + line.x()[at], "" + line.y()[at]));
    }
    try {
      Files.write(path, all, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new DataException("%s cannot be written: %s", path, e.getMessage());
    }
  }
}
