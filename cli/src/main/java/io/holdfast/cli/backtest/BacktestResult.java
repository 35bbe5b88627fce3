package io.holdfast.cli.backtest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.coverage.ServedCoverage;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.Backtest.Figures;
import io.holdfast.cli.learn.Backtest.Outcome;
import io.holdfast.cli.learn.Backtest.Point;
import io.holdfast.cli.learn.BacktestRun.Result;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.learn.OfflineTest.InEnvironment;
import io.holdfast.cli.measure.CalibrationGroups;
import io.holdfast.cli.measure.FeatureWeight;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.cli.report.Reports;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.version.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came of a backtest, as machines and the page read it: {@code only} of one model, or {@code
 * candidates} of several. {@code delay} is a number of rows, or as it was given.
 */
record BacktestResult(
    String file,
    long rows,
    Object delay,
    @JsonUnwrapped @Nullable ModelResult only,
    @JsonInclude(Include.NON_NULL) @Nullable List<Named> candidates) {

  static BacktestResult of(String file, long rows, String delay, List<Result> results) {
    boolean one = results.size() == 1;
    return new BacktestResult(
        file,
        rows,
        delay.matches("\\d{1,18}") ? (Object) Long.valueOf(delay) : delay,
        one ? ModelResult.of(results.getFirst()) : null,
        one ? null : results.stream().map(Named::of).toList());
  }

  record Named(String name, @JsonUnwrapped ModelResult result) {
    static Named of(Result result) {
      return new Named(result.candidate().name(), ModelResult.of(result));
    }
  }

  /** One model's result; what is not explained here {@link Outcome} says. */
  record ModelResult(
      long rowsWithoutLabel,
      Map<String, Long> unusable,
      long rowsScoredByConstants,
      long inputsClipped,
      long scoresFarBeyondLabels,
      long versions,
      int trees,
      Digest hash,
      List<Digest> hashes,
      double cpuSeconds,
      JsonNode settings,
      Evaluation total,
      List<InEnvironment> environments,
      Evaluations.Spread byEnvironment,
      Figures stream,
      Curve curve,
      StreamFigures secondHalf,
      LastQuarter lastQuarter,
      @JsonInclude(Include.NON_NULL) ServedCoverage.@Nullable Result coverage,
      List<CalibrationGroups.Group> calibration,
      List<FeatureWeight> importance,
      @JsonSerialize(converter = Reports.Windows.class) List<WindowReport> windows) {
    static ModelResult of(Result result) {
      Outcome outcome = result.outcome();
      Objective objective = outcome.last().model().objective();
      List<Evaluation> environments = new ArrayList<>();
      outcome
          .environments()
          .forEach((name, of) -> environments.add(Evaluations.evaluation(objective, name, of)));
      return new ModelResult(
          outcome.withoutLabel(),
          outcome.unusable(),
          outcome.byConstants(),
          outcome.clipped(),
          outcome.farBeyond(),
          outcome.last().number() + 1,
          outcome.last().model().trees(),
          outcome.last().hash(),
          outcome.hashes(),
          result.cpuSeconds(),
          Json.parse(result.candidate().settings().trainingJson()),
          Evaluations.evaluation(objective, "", outcome.stream().cumulative()),
          InEnvironment.of(environments),
          Evaluations.Spread.of(outcome.environments().values()),
          outcome.stream(),
          Curve.of(outcome.points()),
          outcome.judged().figures(),
          outcome.lastQuarter(),
          outcome.coverage(),
          outcome.calibration(),
          FeatureWeight.of(outcome.last().model()),
          outcome.windows());
    }
  }

  /** Figures by name, where so many rows had come. */
  record Curve(
      int newest,
      double fadingBy,
      List<Long> rows,
      SortedMap<String, List<Double>> cumulative,
      SortedMap<String, List<Double>> windowed,
      SortedMap<String, List<Double>> fading,
      SortedMap<String, List<Double>> expected,
      SortedMap<String, List<Double>> uncorrected) {
    static Curve of(List<Point> points) {
      return new Curve(
          Backtest.NEWEST,
          Backtest.FADING,
          points.stream().map(Point::rows).toList(),
          lines(points, point -> point.stream().cumulative().byName()),
          lines(points, point -> point.stream().windowed().byName()),
          lines(points, point -> point.stream().fading().byName()),
          lines(points, Point::expected),
          lines(points, Point::uncorrected));
    }

    private static SortedMap<String, List<Double>> lines(
        List<Point> points, Function<Point, Map<String, Double>> figures) {
      TreeSet<String> names = new TreeSet<>();
      points.forEach(point -> names.addAll(figures.apply(point).keySet()));
      SortedMap<String, List<Double>> lines = new TreeMap<>();
      for (String name : names) {
        lines.put(
            name,
            points.stream()
                .map(point -> figures.apply(point).getOrDefault(name, Double.NaN))
                .toList());
      }
      return lines;
    }
  }
}
