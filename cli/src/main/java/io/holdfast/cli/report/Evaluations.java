package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.evaluate.EnvironmentSpread;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.BacktestRun.Result;
import io.holdfast.cli.learn.OfflineTest;
import io.holdfast.cli.learn.UnseenCategories;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Evaluations as people and machines read them. Stateless. */
public final class Evaluations {
  /** Of ten environments, which one's figure is given beside the worst: the second worst. */
  private static final double SHARE = 0.9;

  private static final Set<String> METRICS =
      Set.of("accuracy", "auc", "logLoss", "rmse", "mae", "deviance", "r2");

  private Evaluations() {}

  /** A line for each environment, and one for all rows. */
  public static Table table(Evaluation all, List<Evaluation> environments) {
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
  public static Table table(
      StreamFigures cumulative, StreamFigures windowed, StreamFigures fading) {
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

  /** Rows, loss and metrics of a stream's figures, without those of baselines. */
  public static Evaluation evaluation(
      Objective objective, String environment, StreamFigures figures) {
    Map<String, Double> metrics = new TreeMap<>(figures.byName());
    metrics.keySet().retainAll(METRICS);
    if (objective instanceof Quantile) {
      metrics.put("pinball", figures.byName().getOrDefault("loss", Double.NaN));
    }
    return new Evaluation(
        environment,
        Math.toIntExact(figures.rows()),
        figures.byName().getOrDefault("loss", Double.NaN),
        metrics);
  }

  /** How environments differ: of each figure the worst, and what one in ten is worse than. */
  public static ObjectNode spread(Collection<StreamFigures> environments) {
    ObjectNode node = Json.object();
    EnvironmentSpread spread = EnvironmentSpread.of(environments, SHARE);
    node.set("worst", Json.figures(spread.worst()));
    node.put("share", SHARE);
    node.set("quantile", Json.figures(spread.quantile()));
    return node;
  }

  /** Backtests side by side: a column each, of cumulative figures and the worst environment's. */
  public static Table table(List<Result> results) {
    var names = new TreeSet<String>();
    results.forEach(result -> names.addAll(result.outcome().cumulative().byName().keySet()));
    List<String> header = new ArrayList<>(List.of("all rows"));
    results.forEach(result -> header.add(result.candidate().name()));
    Table table = new Table(header.toArray(String[]::new));
    for (String name : names) {
      line(
          table,
          name,
          results,
          result -> result.outcome().cumulative().byName().getOrDefault(name, Double.NaN));
    }
    line(
        table,
        "loss, worst environment",
        results,
        result ->
            EnvironmentSpread.of(result.outcome().environments().values(), 1)
                .worst()
                .getOrDefault("loss", Double.NaN));
    line(table, "CPU seconds", results, Result::cpuSeconds);
    return table;
  }

  private static void line(
      Table table, String name, List<Result> results, ToDoubleFunction<Result> figure) {
    List<String> cells = new ArrayList<>(List.of(name));
    results.forEach(result -> cells.add(Table.figure(figure.applyAsDouble(result))));
    table.line(cells.toArray(String[]::new));
  }

  /** A stream's figures, with the rows that they are of. */
  public static ObjectNode json(StreamFigures figures) {
    ObjectNode node = Json.object();
    node.put("rows", figures.rows());
    Json.put(node, "weight", figures.weight());
    node.set("metrics", Json.figures(figures.byName()));
    return node;
  }

  /** Adds rows, loss and metrics. */
  public static void json(ObjectNode node, Evaluation evaluation) {
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
  public static ArrayNode json(List<OfflineTest> tests, boolean byEnvironment) {
    ArrayNode results = Json.array();
    for (OfflineTest test : tests) {
      ObjectNode result = results.addObject();
      result.put("file", test.file().path().toString());
      json(result, test.all());
      result.set("unseenCategories", json(test.held().unseen()));
      ArrayNode environments = result.putArray("environments");
      for (Evaluation one : byEnvironment ? test.environments() : List.<Evaluation>of()) {
        json(environments.addObject().put("environment", one.environment()), one);
      }
    }
    return results;
  }

  /** How many cells of each column are categories that the model has never seen. */
  public static ObjectNode json(UnseenCategories unseen) {
    ObjectNode node = Json.object();
    unseen.counts().forEach(node::put);
    return node;
  }

  /** The same as tables. */
  public static String text(List<OfflineTest> tests, boolean byEnvironment) {
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
