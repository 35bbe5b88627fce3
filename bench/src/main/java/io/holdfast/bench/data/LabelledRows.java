package io.holdfast.bench.data;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.input.DataException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The rows of a task, in the order of the file. Codes of categories are in order of their names. An
 * empty field is a missing value.
 */
public record LabelledRows(List<Feature> features, Rows rows) {
  public LabelledRows {
    features = List.copyOf(features);
  }

  /** Reads a task's file. */
  public static LabelledRows read(DataFolder folder, Task task) {
    return read(folder.file(task.data().file()), task);
  }

  static LabelledRows read(Path file, Task task) {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16),
                StandardCharsets.UTF_8))) {
      String header = lines.readLine();
      if (header == null) {
        throw new DataException("%s is empty: its first line must name the columns", file);
      }
      List<String[]> cells = new ArrayList<>();
      String[] names = header.split(",", -1); // nothing is quoted in these files
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] row = line.split(",", -1);
        if (row.length != names.length) {
          throw new DataException(
              "%s has %s fields in row %s where its header has %s",
              file, row.length, cells.size() + 1, names.length);
        }
        cells.add(row);
      }
      return of(file, List.of(names), cells, task);
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", file, e.getMessage());
    }
  }

  private static LabelledRows of(Path file, List<String> names, List<String[]> cells, Task task) {
    int label = names.indexOf("label");
    int environment = names.indexOf("env");
    if (label < 0 || environment < 0) {
      throw new DataException("%s has no column %s", file, label < 0 ? "label" : "env");
    }
    List<Feature> features = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (int at = 0; at < names.size(); at++) {
      String name = names.get(at);
      if (at == label || at == environment || task.data().leftOut().contains(name)) {
        continue;
      }
      Column column = Column.of(at, task.data().categorical().contains(name), cells);
      columns.add(column);
      features.add(
          column.codes().isEmpty()
              ? new Feature.Numeric(name)
              : new Feature.Categorical(name, List.copyOf(column.codes().keySet())));
    }
    Rows.Builder rows = Rows.builder(features.size());
    double[] values = new double[features.size()];
    for (String[] row : cells) {
      Arrays.setAll(values, k -> columns.get(k).value(row));
      rows.add(
          values, task.labels().applyAsDouble(Double.parseDouble(row[label])), row[environment]);
    }
    return new LabelledRows(features, rows.build());
  }

  /** A feature's place in the file, and if categorical the codes of its names, in their order. */
  private record Column(int at, Map<String, Integer> codes) {
    static Column of(int at, boolean categorical, List<String[]> cells) {
      Map<String, Integer> codes = new TreeMap<>();
      if (categorical) {
        cells.stream()
            .map(row -> row[at])
            .filter(name -> !name.isEmpty())
            .sorted()
            .distinct()
            .forEach(name -> codes.put(name, codes.size()));
      }
      return new Column(at, codes);
    }

    double value(String[] row) {
      String cell = row[at];
      if (cell.isEmpty()) {
        return Double.NaN;
      }
      return codes.isEmpty() ? Double.parseDouble(cell) : codes.getOrDefault(cell, -1);
    }
  }
}
