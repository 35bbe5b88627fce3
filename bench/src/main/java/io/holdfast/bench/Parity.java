package io.holdfast.bench;

import static io.holdfast.bench.report.MarkdownTable.count;
import static io.holdfast.bench.report.MarkdownTable.figure;
import static io.holdfast.bench.report.MarkdownTable.percent;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMException;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.objective.Objective;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
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
      defaultValue = "5",
      description = "Draws of test rows from each environment (${DEFAULT-VALUE}).")
  int seeds;

  /** The mean losses of both on one split, the constant's among them. */
  private record Losses(
      double constant, double ours, double theirs, double oursInTraining, double theirsInTraining) {
    double gap() {
      return ours / theirs - 1;
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
    LGBMBooster.loadNative();
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
            "from .. to",
            "gap in training");
    for (Task task : chosen) {
      LabelledRows all = LabelledRows.read(data.folder(), task);
      Rows rows = Split.sample(all.rows(), data.quick ? 500 : data.rows, 1);
      List<Split> draws = new ArrayList<>();
      for (int seed = 1; seed <= (data.quick ? 1 : seeds); seed++) {
        draws.add(Split.stratified(rows, TRAINING_SHARE, seed));
      }
      compare(table, task, "by environment", all.features(), draws);
      if (task.data().ordered()) {
        var split = Split.inOrder(rows, TRAINING_SHARE);
        compare(table, task, "in time", all.features(), List.of(split));
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
    double[] gaps = losses.stream().mapToDouble(Losses::gap).sorted().toArray();
    table.add(
        task.toString(),
        splits.size() == 1 ? kind : kind + ", " + splits.size() + " draws",
        count(splits.getFirst().train().size()),
        count(splits.getFirst().test().size()),
        figure(losses.stream().mapToDouble(Losses::constant).average().orElseThrow()),
        figure(losses.stream().mapToDouble(Losses::ours).average().orElseThrow()),
        figure(losses.stream().mapToDouble(Losses::theirs).average().orElseThrow()),
        percent(Arrays.stream(gaps).average().orElseThrow()),
        percent(gaps[0]) + " .. " + percent(gaps[gaps.length - 1]),
        percent(losses.stream().mapToDouble(Losses::trainingGap).average().orElseThrow()));
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
            .maxBins(255)
            .seed(1)
            .build();
    var fit =
        new Booster(settings)
            .extend(Booster.untrained(settings, features), features, train, FitListener.NONE);
    Scorer scorer = Scorer.of(fit.model());
    try (var peer = LightGbm.train(train, parameters(objective, features, train), appended)) {
      int outputs = objective.outputs();
      Objective fitted = fit.model().objective();
      return new Losses(
          MeanLoss.ofConstant(objective, train, test),
          MeanLoss.of(fitted, test, scorer.scores(test)),
          MeanLoss.of(objective, test, peer.scores(test, outputs)),
          MeanLoss.of(fitted, train, scorer.scores(train)),
          MeanLoss.of(objective, train, peer.scores(train, outputs)));
    }
  }

  /** LightGBM told to do what Holdfast does; docs/benchmarks.md says what for. */
  private static String parameters(Objective objective, List<Feature> features, Rows train) {
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
        "max_bin=255",
        "min_data_in_bin=1",
        "bin_construct_sample_cnt=" + train.size(),
        "feature_pre_filter=false",
        categorical.isEmpty() ? "" : "categorical_feature=" + categorical,
        "max_cat_to_onehot=1",
        "cat_l2=0",
        "min_data_per_group=1",
        "boost_from_average=true",
        "num_threads=1",
        "deterministic=true",
        "force_col_wise=true",
        "verbosity=-1");
  }
}
