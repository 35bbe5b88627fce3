package io.holdfast.bench.streams;

import io.holdfast.bench.report.MarkdownTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Tables of measured cells: a line a stream, a column a learner, and below them the mean rank among
 * the learners over the streams on which all of them were measured. Stateless.
 */
final class ResultsTables {
  private ResultsTables() {}

  /** All tables, in Markdown. */
  static String of(Map<ResultsFile.Cell, StreamFigures> cells) {
    StringBuilder text = new StringBuilder();
    for (int delay : new TreeSet<>(cells.keySet().stream().map(ResultsFile.Cell::delay).toList())) {
      for (boolean classes : new boolean[] {true, false}) {
        Map<ResultsFile.Cell, StreamFigures> part = new LinkedHashMap<>(cells);
        part.entrySet()
            .removeIf(
                one ->
                    one.getKey().delay() != delay
                        || Double.isNaN(one.getValue().accuracy()) == classes);
        if (part.isEmpty()) {
          continue;
        }
        text.append("\nLabels ").append(delay).append(" rows late\n\n");
        if (classes) {
          text.append(table("accuracy, %", part, f -> 100 * f.accuracy(), true));
          text.append(table("kappa, %", part, f -> 100 * f.kappa(), false));
          text.append(table("kappa-M, %", part, f -> 100 * f.kappaM(), false));
          text.append(table("kappa-temporal, %", part, f -> 100 * f.kappaTemporal(), false));
        } else {
          text.append(table("RMSE", part, StreamFigures::rmse, true));
          text.append(table("MAE", part, StreamFigures::mae, false));
          text.append(table("R2, %", part, f -> 100 * f.r2(), false));
        }
        text.append(table("CPU seconds of the thread", part, StreamFigures::threadSeconds, false));
        text.append(
            table("CPU seconds of the process", part, StreamFigures::processSeconds, false));
      }
    }
    return text.toString();
  }

  private static String table(
      String name,
      Map<ResultsFile.Cell, StreamFigures> cells,
      ToDoubleFunction<StreamFigures> figure,
      boolean ranked) {
    List<String> learners =
        cells.keySet().stream().map(ResultsFile.Cell::learner).distinct().toList();
    List<ResultsFile.Cell> streams =
        cells.keySet().stream()
            .map(cell -> new ResultsFile.Cell(cell.stream(), cell.rows(), cell.delay(), ""))
            .distinct()
            .toList();
    List<String> header = new ArrayList<>(List.of(name, "rows"));
    header.addAll(learners);
    MarkdownTable table = new MarkdownTable(header);
    double[] ranks = new double[learners.size()];
    int complete = 0;
    for (ResultsFile.Cell stream : streams) {
      List<StreamFigures> figures = new ArrayList<>();
      List<String> line =
          new ArrayList<>(List.of(stream.stream(), MarkdownTable.count(stream.rows())));
      for (String learner : learners) {
        StreamFigures found =
            cells.get(
                new ResultsFile.Cell(stream.stream(), stream.rows(), stream.delay(), learner));
        line.add(
            found == null ? "-" : String.format(Locale.ROOT, "%.2f", figure.applyAsDouble(found)));
        if (found != null) {
          figures.add(found);
        }
      }
      table.add(line);
      if (figures.size() == learners.size()) {
        complete++;
        addRanks(figures, ranks);
      }
    }
    if (ranked && complete > 0) {
      List<String> line = new ArrayList<>(List.of("mean rank", complete + " streams"));
      for (double rank : ranks) {
        line.add(String.format(Locale.ROOT, "%.2f", rank / complete));
      }
      table.add(line);
    }
    return table + "\n";
  }

  /** Equal figures share the mean of their places. */
  private static void addRanks(List<StreamFigures> figures, double[] ranks) {
    for (int learner = 0; learner < ranks.length; learner++) {
      double rank = 0.5;
      for (StreamFigures other : figures) {
        int order = Double.compare(other.merit(), figures.get(learner).merit());
        rank += order > 0 ? 1 : order == 0 ? 0.5 : 0;
      }
      ranks[learner] += rank;
    }
  }
}
