package io.holdfast.bench.streams;

import io.holdfast.cli.input.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measured cells, a line each, in a CSV file that survives whatever happens to the run that writes
 * it. A cell that stands there twice counts as it was measured last.
 */
final class ResultsFile {
  private static final String HEADER =
      "stream,rows,delay,learner,accuracy,kappa,kappaM,kappaTemporal,rmse,mae,r2,"
          + "threadSeconds,processSeconds";
  private static final int COLUMNS = HEADER.split(",", -1).length;

  private final Path path;

  ResultsFile(Path path) {
    this.path = path;
  }

  /** What was measured. */
  record Cell(String stream, int rows, int delay, String learner) {}

  /** All cells, in order of their first measurement; none if there is no file yet. */
  Map<Cell, StreamFigures> read() {
    Map<Cell, StreamFigures> cells = new LinkedHashMap<>();
    if (!Files.exists(path)) {
      return cells;
    }
    try {
      List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
      if (lines.isEmpty()) {
        return cells;
      }
      if (!lines.getFirst().equals(HEADER)) {
        // New lines would stand under the old names, so measuring again does not help either.
        throw new DataException(
            "%s has other columns than this version writes, so it cannot be gone on with: name"
                + " another file with --results, or move this one away",
            path);
      }
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",", -1);
        if (fields.length != COLUMNS) {
          throw new DataException("%s has a line that is no result: %s", path, line);
        }
        double[] values = Stream.of(fields).skip(4).mapToDouble(ResultsFile::number).toArray();
        cells.put(
            new Cell(
                fields[0], Integer.parseInt(fields[1]), Integer.parseInt(fields[2]), fields[3]),
            new StreamFigures(
                values[0], values[1], values[2], values[3], values[4], values[5], values[6],
                values[7], values[8]));
      }
      return cells;
    } catch (IOException | NumberFormatException e) {
      throw new DataException("%s cannot be read as results: %s", path, e.getMessage());
    }
  }

  private static double number(String field) {
    return field.isEmpty() ? Double.NaN : Double.parseDouble(field);
  }

  /** Adds a cell at the end. */
  void add(Cell cell, StreamFigures f) {
    String figures =
        Stream.of(
                f.accuracy(),
                f.kappa(),
                f.kappaM(),
                f.kappaTemporal(),
                f.rmse(),
                f.mae(),
                f.r2(),
                f.threadSeconds(),
                f.processSeconds())
            .map(value -> value.isNaN() ? "" : value.toString())
            .collect(Collectors.joining(","));
    String line =
        String.join(
            ",", cell.stream(), "" + cell.rows(), "" + cell.delay(), cell.learner(), figures);
    try {
      String head = Files.exists(path) && Files.size(path) > 0 ? "" : HEADER + "\n";
      Files.writeString(
          path,
          head + line + "\n",
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new DataException("%s cannot be written: %s", path, e.getMessage());
    }
  }
}
