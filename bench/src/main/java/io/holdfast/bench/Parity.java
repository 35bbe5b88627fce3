package io.holdfast.bench;

import static io.holdfast.bench.report.MarkdownTable.count;
import static io.holdfast.bench.report.MarkdownTable.figure;
import static io.holdfast.bench.report.MarkdownTable.percent;

import io.github.metarank.lightgbm4j.LGBMException;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Plain boosting (gamma 1) on real rows by Holdfast and by LightGBM, with the same rows, bins,
 * rounds, leaves, learning rate and regularisation: both should learn the same.
 */
@Command(
    name = "parity",
    description = "Losses of Holdfast without an anchor and of LightGBM on the shared data sets.",
    mixinStandardHelpOptions = true)
final class Parity implements Callable<Integer> {
  private static final double TRAINING_SHARE = 0.75;
  private static final double FIRST_CUT = 0.55; // of rows in order of time; the last is above
  private static final int BINS = 255;
  private static final int LEAVES = 31;
  private static final double RIDGE = 1;

  @Spec CommandSpec spec;

  @Mixin DataOptions data;

  @Option(
      names = "--tasks",
      split = ",",
      defaultValue =
          "bikes-squared,electricity-logistic,wine-squared,air-squared,cover-logistic,"
              + "turbine-squared,fires-squared",
      description = "What to learn (${DEFAULT-VALUE}).")
  List<String> tasks;

  @Option(
      names = "--rounds",
      defaultValue = "100",
      description = "Rounds of both (${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--seeds",
      defaultValue = "20",
      description = "Splits of each kind (${DEFAULT-VALUE}).")
  int seeds;

  /** The mean losses of both on one split, and of a LightGBM that differs by a single bin. */
  private record Losses(
      double constant,
      double ours,
      double theirs,
      double theirsWithOtherBins,
      double oursInTraining,
      double theirsInTraining) {
    double gap() {
      return ours / theirs - 1;
    }

    /** How far chance alone takes a gap: the same booster, with one bin fewer a feature. */
    double chance() {
      return theirsWithOtherBins / theirs - 1;
    }

    double trainingGap() {
      return oursInTraining / theirsInTraining - 1;
    }
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    List<Task> chosen = Task.named(tasks);
    for (Task task : chosen) {
      data.folder().file(task.data().file()); // better told now than after an hour
    }
    LightGbm.load();
    var table =
        new MarkdownTable(
            "task",
            "split",
            "rows to train on",
            "to test on",
            "constant's loss",
            "Holdfast",
            "LightGBM",
            "gap",
            "LightGBM with 254 bins",
            "gap in training");
    for (Task task : chosen) {
      LabelledRows all = LabelledRows.read(data.folder(), task);
      int limit = data.quick ? 500 : data.rows;
      int splits = data.quick ? 1 : seeds;
      List<Split> draws = new ArrayList<>();
      for (int seed = 1; seed <= splits; seed++) {
        draws.add(Split.stratified(Split.sample(all.rows(), limit, seed), TRAINING_SHARE, seed));
      }
      compare(table, task, "by environment", all.features(), draws);
      if (task.data().ordered()) {
        List<Split> cuts = new ArrayList<>();
        for (int cut = 1; cut <= splits; cut++) {
          double step = (TRAINING_SHARE - FIRST_CUT) / splits;
          Rows rows = Split.sample(all.rows(), limit, cut);
          cuts.add(Split.inOrder(rows, FIRST_CUT + step * cut));
        }
        compare(table, task, "in time", all.features(), cuts);
      }
    }
    out.print(table);
    out.flush();
    return 0;
  }

  private void compare(
      MarkdownTable table, Task task, String kind, List<Feature> features, List<Split> splits)
      throws LGBMException {
    List<Losses> losses = new ArrayList<>();
    for (Split split : splits) {
      losses.add(losses(task.objective(), features, split));
    }
    table.add(
        task.toString(),
        splits.size() == 1 ? kind : kind + ", " + splits.size() + " times",
        count(splits.getLast().train().size()),
        count(splits.getLast().test().size()),
        figure(mean(losses, Losses::constant)),
        figure(mean(losses, Losses::ours)),
        figure(mean(losses, Losses::theirs)),
        withError(losses, Losses::gap),
        withError(losses, Losses::chance),
        percent(mean(losses, Losses::trainingGap)));
  }

  private static double mean(List<Losses> losses, ToDoubleFunction<Losses> figure) {
    return losses.stream().mapToDouble(figure).average().orElseThrow();
  }

  /** The mean of a gap and its standard error over the splits. */
  private static String withError(List<Losses> losses, ToDoubleFunction<Losses> gap) {
    double mean = mean(losses, gap);
    double squares = losses.stream().mapToDouble(gap).map(one -> (one - mean) * (one - mean)).sum();
    int splits = losses.size();
    if (splits == 1) {
      return percent(mean);
    }
    double error = Math.sqrt(squares / (splits - 1) / splits);
    return percent(mean) + String.format(Locale.ROOT, " ± %.2f", 100 * error);
  }

  private Losses losses(Objective objective, List<Feature> features, Split split)
      throws LGBMException {
    int appended = data.quick ? 5 : rounds;
    Rows train = split.train();
    Rows test = split.test();
    var settings =
        BoosterSettings.builder(objective)
            .gamma(1)
            .rounds(appended)
            .learningRate(0.1)
            .trees(new TreeLimits(LEAVES, LEAVES, 20, 1e-3, 0))
            .penalties(Penalties.ridge(RIDGE))
            .maxBins(BINS)
            .seed(1)
            .build();
    var fit =
        new Booster(settings)
            .extend(Booster.untrained(settings, features), features, train, FitListener.NONE);
    Scorer scorer = Scorer.of(fit.model());
    String parameters = parameters(objective, features, train, BINS);
    String otherBins = parameters(objective, features, train, BINS - 1);
    try (var peer = LightGbm.train(train, parameters, appended);
        var other = LightGbm.train(train, otherBins, appended)) {
      int outputs = objective.outputs();
      Objective fitted = fit.model().objective();
      return new Losses(
          MeanLoss.ofConstant(objective, train, test),
          MeanLoss.of(fitted, test, scorer.scores(test)),
          MeanLoss.of(objective, test, peer.scores(test, outputs)),
          MeanLoss.of(objective, test, other.scores(test, outputs)),
          MeanLoss.of(fitted, train, scorer.scores(train)),
          MeanLoss.of(objective, train, peer.scores(train, outputs)));
    }
  }

  /** LightGBM told to do what Holdfast does; docs/benchmarks.md says what for. */
  private static String parameters(
      Objective objective, List<Feature> features, Rows train, int bins) {
    String loss =
        switch (objective.name()) {
          case "squared" -> "regression";
          case "logistic" -> "binary";
          case "softmax" -> "multiclass num_class=" + objective.classes();
          default -> throw new IllegalArgumentException("no parity for " + objective.name());
        };
    String categorical = LightGbm.categoricalColumns(features);
    return String.join(
        " ",
        "objective=" + loss,
        "num_leaves=" + LEAVES,
        "max_depth=-1",
        "learning_rate=0.1",
        "lambda_l2=" + RIDGE,
        "min_data_in_leaf=20",
        "min_sum_hessian_in_leaf=0.001",
        "max_bin=" + bins,
        "min_data_in_bin=1",
        "bin_construct_sample_cnt=" + train.size(),
        "feature_pre_filter=false",
        categorical.isEmpty() ? "" : "categorical_feature=" + categorical,
        "max_cat_to_onehot=1",
        "cat_l2=0",
        "cat_smooth=1",
        "min_data_per_group=1",
        "boost_from_average=true",
        "num_threads=1",
        "deterministic=true",
        "force_col_wise=true",
        "verbosity=-1");
  }
}
