package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.evaluate.Evaluation;
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
