package io.holdfast.bench.defaults;

import static io.holdfast.bench.report.MarkdownTable.count;
import static io.holdfast.bench.report.MarkdownTable.figure;
import static io.holdfast.bench.report.MarkdownTable.percent;

import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.SampleModels;
import io.holdfast.bench.data.SampleOptions;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.schemas.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Plain boosting (gamma 1) on real rows by Holdfast and by LightGBM, with the same rows, bins,
 * rounds, leaves, learning rate and regularisation: both should learn the same.
 */
@Command(
    name = "parity",
    description = "Losses of Holdfast without an anchor and of LightGBM on the shared data sets.")
public final class ParityCommand extends BenchCommand {
  private static final double TRAINING_SHARE = 0.75;
  private static final double FIRST_CUT = 0.55; // of rows in order of time; the last is above
  private static final int SPLITS = 20;
  private static final int BINS = 255;
  private static final int LEAVES = 31;
  private static final double RIDGE = 1;

  @Mixin SampleOptions data;

  @Option(
      names = "--tasks",
      split = ",",
      defaultValue =
          "bikes-squared,electricity-logistic,wine-squared,air-squared,cover-logistic,"
              + "turbine-squared,fires-squared",
      description = "What to learn (${DEFAULT-VALUE}).")
  List<String> tasks;

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
  protected void run(PrintWriter out) throws IOException {
    List<Task> chosen = data.tasks(tasks);
    LightGbm.load();
    var table =
        MarkdownTable.headed(
            "task | split | rows to train on | to test on | constant's loss | Holdfast "
                + "| LightGBM | gap | LightGBM with 254 bins | gap in training");
    int splits = data.quick() ? 1 : SPLITS;
    for (Task task : chosen) {
      LabelledRows all = LabelledRows.read(data.folder(), task);
      compare(
          table,
          task,
          "by environment",
          all.features(),
          IntStream.rangeClosed(1, splits)
              .mapToObj(
                  seed -> Split.stratified(data.sample(all.rows(), seed), TRAINING_SHARE, seed))
              .toList());
      if (task.data().ordered()) {
        double step = (TRAINING_SHARE - FIRST_CUT) / splits;
        compare(
            table,
            task,
            "in time",
            all.features(),
            IntStream.rangeClosed(1, splits)
                .mapToObj(
                    cut -> Split.inOrder(data.sample(all.rows(), cut), FIRST_CUT + step * cut))
                .toList());
      }
    }
    out.print(table);
  }

  private void compare(
      MarkdownTable table, Task task, String kind, List<Feature> features, List<Split> splits) {
    List<Losses> losses =
        splits.stream().map(split -> losses(task.objective(), features, split)).toList();
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

  private Losses losses(Objective objective, List<Feature> features, Split split) {
    int rounds = data.quick() ? 5 : 100;
    Rows train = split.train();
    Rows test = split.test();
    var settings =
        SampleModels.settings(objective, rounds)
            .trees(new TreeLimits(LEAVES, LEAVES, 20, 1e-3, 0))
            .penalties(Penalties.ridge(RIDGE))
            .maxBins(BINS)
            .build();
    var model =
        new Booster(settings)
            .extend(Booster.untrained(settings, features), features, train, FitListener.NONE)
            .model();
    Scorer scorer = Scorer.of(model);
    int outputs = objective.outputs();
    String parameters = parameters(objective, features, train, BINS);
    String otherBins = parameters(objective, features, train, BINS - 1);
    double[][] theirs = LightGbm.scores(train, parameters, rounds, outputs, test, train);
    double[][] others = LightGbm.scores(train, otherBins, rounds, outputs, test);
    return new Losses(
        MeanLoss.ofConstant(objective, train, test),
        MeanLoss.of(model.objective(), test, scorer.scores(test)),
        MeanLoss.of(objective, test, theirs[0]),
        MeanLoss.of(objective, test, others[0]),
        MeanLoss.of(model.objective(), train, scorer.scores(train)),
        MeanLoss.of(objective, train, theirs[1]));
  }

  /** LightGBM told to do what Holdfast does. */
  private static String parameters(
      Objective objective, List<Feature> features, Rows train, int bins) {
    return Sentence.of(
        """
        %s %s num_leaves=%d max_depth=-1 learning_rate=0.1 lambda_l2=%s min_data_in_leaf=20 \
        min_sum_hessian_in_leaf=0.001 max_bin=%d min_data_in_bin=1 bin_construct_sample_cnt=%d \
        feature_pre_filter=false max_cat_to_onehot=1 cat_l2=0 cat_smooth=1 min_data_per_group=1 \
        boost_from_average=true num_threads=1 deterministic=true force_col_wise=true verbosity=-1\
        """,
        LightGbm.objective(objective),
        LightGbm.categories(features),
        LEAVES,
        RIDGE,
        bins,
        train.size());
  }
}
