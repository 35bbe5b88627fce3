package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.OfflineTest;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Evaluations as people and machines read them. Stateless. */
final class Evaluations {
  private Evaluations() {}

  /** A line for each environment, and one for all rows. */
  static Table table(Evaluation all, List<Evaluation> environments) {
    List<String> header = new ArrayList<>(List.of("environment", "rows", "loss"));
    var metrics = new TreeSet<>(all.metrics().keySet());
    header.addAll(metrics);
    Table table = new Table(header.toArray(String[]::new));
    for (Evaluation environment : environments) {
      line(table, environment.environment(), environment, metrics);
    }
    line(table, "all", all, metrics);
    return table;
  }

  /**
   * A stream's figures: a line each, those of all rows, of the newest, and with older ones faded.
   */
  static Table table(StreamFigures cumulative, StreamFigures windowed, StreamFigures fading) {
    Table table =
        new Table(
            "stream", "all rows", "newest " + Backtest.NEWEST, "fading by " + Backtest.FADING);
    for (String name : cumulative.byName().keySet()) {
      List<String> cells = new ArrayList<>(List.of(name));
      for (StreamFigures figures : List.of(cumulative, windowed, fading)) {
        cells.add(Table.figure(figures.byName().getOrDefault(name, Double.NaN)));
      }
      table.line(cells.toArray(String[]::new));
    }
    return table;
  }

  /** A stream's figures, with the rows that they are of. */
  static ObjectNode json(StreamFigures figures) {
    ObjectNode node = Json.object();
    Json.put(node, "rows", figures.weight());
    node.set("metrics", Json.figures(figures.byName()));
    return node;
  }

  /** Adds rows, loss and metrics. */
  static void json(ObjectNode node, Evaluation evaluation) {
    Map<String, Double> metrics = new TreeMap<>(evaluation.metrics());
    Double rmse = metrics.get("rmse");
    if (rmse != null) {
      // The squared objective's loss is half the squared error: say the mean of that, too.
      metrics.put("mse", rmse * rmse);
    }
    node.put("rows", evaluation.rows());
    Json.put(node, "loss", evaluation.loss());
    node.set("metrics", Json.figures(metrics));
  }

  /** Results on files, each with those of its environments if there are any. */
  static ArrayNode json(List<OfflineTest> tests, boolean byEnvironment) {
    ArrayNode results = Json.array();
    for (OfflineTest test : tests) {
      ObjectNode result = results.addObject();
      result.put("file", test.file().path().toString());
      json(result, test.all());
      ArrayNode environments = result.putArray("environments");
      for (Evaluation one : byEnvironment ? test.environments() : List.<Evaluation>of()) {
        json(environments.addObject().put("environment", one.environment()), one);
      }
    }
    return results;
  }

  /** The same as tables. */
  static String text(List<OfflineTest> tests, boolean byEnvironment) {
    StringBuilder text = new StringBuilder();
    for (OfflineTest test : tests) {
      text.append("\n").append(test.file().path()).append("\n");
      text.append(table(test.all(), byEnvironment ? test.environments() : List.of()));
    }
    return text.toString();
  }

  private static void line(Table table, String name, Evaluation evaluation, Set<String> metrics) {
    List<String> cells =
        new ArrayList<>(
            List.of(name, String.valueOf(evaluation.rows()), Table.figure(evaluation.loss())));
    for (String metric : metrics) {
      cells.add(Table.figure(evaluation.metrics().getOrDefault(metric, Double.NaN)));
    }
    table.line(cells.toArray(String[]::new));
  }
}
