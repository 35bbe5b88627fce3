package io.holdfast.cli.backtest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.Backtest.Outcome;
import io.holdfast.cli.learn.Backtest.Point;
import io.holdfast.cli.learn.BacktestRun.Result;
import io.holdfast.cli.learn.Tuning;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.cli.report.Reports;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** Backtests as machines, and the page of the report, read them. Stateless. */
final class BacktestJson {
  private BacktestJson() {}

  /** Adds all that is known of one model's backtest. */
  static void add(ObjectNode node, Result result) {
    Outcome outcome = result.outcome();
    Objective objective = outcome.last().model().objective();
    node.put("rowsWithoutLabel", outcome.withoutLabel());
    ObjectNode unusable = node.putObject("unusable");
    outcome.unusable().forEach(unusable::put);
    node.put("rowsScoredByConstants", outcome.byConstants());
    node.put("inputsClipped", outcome.clipped());
    node.put("scoresFarBeyondLabels", outcome.farBeyond());
    node.put("versions", outcome.last().number() + 1);
    node.put("trees", outcome.last().model().trees());
    node.put("hash", outcome.last().hash().toString());
    ArrayNode hashes = node.putArray("hashes");
    outcome.hashes().forEach(hash -> hashes.add(hash.hex()));
    Json.put(node, "cpuSeconds", result.cpuSeconds());
    node.set("settings", Json.parse(result.candidate().settings().trainingJson()));
    Evaluations.json(
        node.putObject("total"), Evaluations.evaluation(objective, "", outcome.cumulative()));
    ArrayNode environments = node.putArray("environments");
    outcome
        .environments()
        .forEach(
            (name, figures) ->
                Evaluations.json(
                    environments.addObject().put("environment", name),
                    Evaluations.evaluation(objective, name, figures)));
    node.set("byEnvironment", Evaluations.spread(outcome.environments().values()));
    ObjectNode stream = node.putObject("stream");
    stream.set("cumulative", Evaluations.json(outcome.cumulative()));
    stream.set("windowed", Evaluations.json(outcome.windowed()));
    stream.set("fading", Evaluations.json(outcome.fading()));
    node.set("curve", curve(outcome.points()));
    node.set("secondHalf", Evaluations.json(outcome.judged().figures()));
    node.set("lastQuarter", Reports.json(outcome.lastQuarter()));
    node.set("windows", Reports.json(outcome.windows()));
  }

  private static ObjectNode curve(List<Point> points) {
    ObjectNode node = Json.object();
    node.put("newest", Backtest.NEWEST).put("fadingBy", Backtest.FADING);
    ArrayNode rows = node.putArray("rows");
    points.forEach(point -> rows.add(point.rows()));
    add(node.putObject("cumulative"), points, point -> point.cumulative().byName());
    add(node.putObject("windowed"), points, point -> point.windowed().byName());
    add(node.putObject("fading"), points, point -> point.fading().byName());
    add(node.putObject("expected"), points, Point::expected);
    add(node.putObject("uncorrected"), points, Point::uncorrected);
    return node;
  }

  private static void add(
      ObjectNode node, List<Point> points, Function<Point, Map<String, Double>> figures) {
    TreeSet<String> names = new TreeSet<>();
    points.forEach(point -> names.addAll(figures.apply(point).keySet()));
    for (String name : names) {
      Json.put(
          node,
          name,
          points.stream()
              .mapToDouble(point -> figures.apply(point).getOrDefault(name, Double.NaN))
              .toArray());
    }
  }

  /** What tuning tried, the best first in each round. */
  static ArrayNode tuning(List<Tuning.Round> rounds, Tuning tuning) {
    ArrayNode array = Json.array();
    for (Tuning.Round round : rounds) {
      ObjectNode one = array.addObject().put("rows", round.rows());
      ArrayNode candidates = one.putArray("candidates");
      for (Result result : round.results()) {
        ObjectNode candidate = candidates.addObject().put("name", result.candidate().name());
        Json.put(candidate, "loss", tuning.loss(result));
        Json.put(candidate, "cpuSeconds", result.cpuSeconds());
      }
    }
    return array;
  }
}
