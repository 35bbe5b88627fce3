package io.holdfast.cli.report;

import io.holdfast.boosting.evaluate.EnvironmentSpread;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.cli.coverage.ServedCoverage;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.Backtest.Figures;
import io.holdfast.cli.learn.BacktestRun.Result;
import io.holdfast.cli.learn.OfflineTest;
import io.holdfast.cli.learn.OfflineTest.InEnvironment;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.validate.CrossValidation;
import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
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

  public static Table table(Evaluation all, List<InEnvironment> environments) {
    List<String> header = new ArrayList<>(List.of("environment", "rows", "loss"));
    var metrics = new TreeSet<>(all.metrics().keySet());
    header.addAll(metrics);
    Table table = new Table(header);
    environments.forEach(one -> line(table, one.environment(), one.figures(), metrics));
    line(table, "all", all, metrics);
    return table;
  }

  /**
   * How often labels were where rows' intervals or sets said, by level, and how wide these were.
   */
  public static Table table(ServedCoverage.Result coverage) {
    List<String> header = new ArrayList<>(List.of("coverage", "rows"));
    coverage
        .levels()
        .forEach(level -> header.addAll(List.of("of " + level, "mean width of " + level)));
    Table table = new Table(header);
    if (coverage.environments().size() > 1) {
      coverage.environments().forEach((name, figures) -> line(table, name, figures));
    }
    line(table, "all", coverage.all());
    return table;
  }

  private static void line(Table table, String name, ServedCoverage.Figures figures) {
    List<String> cells = new ArrayList<>(List.of(name, String.valueOf(figures.rows())));
    for (int k = 0; k < figures.coverage().size(); k++) {
      cells.add(Table.figure(figures.coverage().get(k)));
      cells.add(Table.figure(figures.width().get(k)));
    }
    table.line(cells);
  }

  /** A stream's figures, a line each: of all rows, of the newest, and with older ones faded. */
  public static Table table(Figures stream) {
    Table table =
        new Table(
            "stream", "all rows", "newest " + Backtest.NEWEST, "fading by " + Backtest.FADING);
    for (String name : stream.cumulative().byName().keySet()) {
      List<String> cells = new ArrayList<>(List.of(name));
      for (StreamFigures figures :
          List.of(stream.cumulative(), stream.windowed(), stream.fading())) {
        cells.add(Table.figure(figures.byName().getOrDefault(name, Double.NaN)));
      }
      table.line(cells);
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

  /** The worst of each figure over environments, and what is worse in {@code 1 - share} of them. */
  public record Spread(
      SortedMap<String, Double> worst, double share, SortedMap<String, Double> quantile) {
    public static Spread of(Collection<StreamFigures> environments) {
      EnvironmentSpread spread = EnvironmentSpread.of(environments, SHARE);
      return new Spread(spread.worst(), SHARE, spread.quantile());
    }
  }

  /** Backtests side by side: cumulative figures and the worst environment's. */
  public static Table table(List<Result> results) {
    var names = new TreeSet<String>();
    results.forEach(
        result -> names.addAll(result.outcome().stream().cumulative().byName().keySet()));
    List<String> header = new ArrayList<>(List.of("all rows"));
    results.forEach(result -> header.add(result.candidate().name()));
    Table table = new Table(header);
    for (String name : names) {
      line(
          table,
          name,
          results,
          result -> result.outcome().stream().cumulative().byName().getOrDefault(name, Double.NaN));
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
    table.line(cells);
  }

  /** Folds, a line each, and what they say together. */
  public static String text(CrossValidation folds) {
    List<String> header = new ArrayList<>(List.of("fold", "trained on", "rows", "loss"));
    var metrics = new TreeSet<>(folds.folds().getFirst().figures().metrics().keySet());
    header.addAll(metrics);
    Table table = new Table(header);
    for (CrossValidation.Tested fold : folds.folds()) {
      List<String> cells = new ArrayList<>(List.of(fold.fold(), "" + fold.trainedOn()));
      cells.addAll(figures(fold.figures(), metrics));
      table.line(cells);
    }
    InEnvironment worst = folds.worst();
    return Sentence.of(
        "%nValidated by %s%n%sMean loss %s, standard deviation of folds %s%s.%n",
        folds.cv(),
        table,
        Table.figure(folds.mean()),
        Table.figure(folds.spread()),
        worst == null
            ? ""
            : "; most in environment "
                + worst.environment()
                + ", "
                + Table.figure(worst.figures().loss()));
  }

  public static String text(List<OfflineTest> tests) {
    StringBuilder text = new StringBuilder();
    for (OfflineTest test : tests) {
      text.append("\n").append(test.file()).append("\n");
      text.append(table(test.all(), test.environments()));
    }
    return text.toString();
  }

  private static void line(Table table, String name, Evaluation evaluation, Set<String> metrics) {
    List<String> cells = new ArrayList<>(List.of(name));
    cells.addAll(figures(evaluation, metrics));
    table.line(cells);
  }

  private static List<String> figures(Evaluation evaluation, Set<String> metrics) {
    List<String> cells = new ArrayList<>();
    cells.add(String.valueOf(evaluation.rows()));
    cells.add(Table.figure(evaluation.loss()));
    for (String metric : metrics) {
      cells.add(Table.figure(evaluation.metrics().getOrDefault(metric, Double.NaN)));
    }
    return cells;
  }
}
