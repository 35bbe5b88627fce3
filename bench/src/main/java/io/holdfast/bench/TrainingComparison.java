package io.holdfast.bench;

import io.github.metarank.lightgbm4j.LGBMException;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.objective.Objective;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A whole window (binning, base, trees) trained by Holdfast and by LightGBM, one thread each, same
 * rows, leaves, bins, rounds and regularisation; runs alternate, and medians are compared.
 */
@Command(
    name = "training",
    description = "Trains the same window with Holdfast and with LightGBM, in turn.",
    mixinStandardHelpOptions = true)
final class TrainingComparison implements Callable<Integer> {
  private static final int ROUNDS = 20;
  private static final int LEAVES = 31;

  @Spec CommandSpec spec;

  @Option(names = "--rows", split = ",", defaultValue = "1000,10000,100000")
  int[] sizes;

  @Option(names = "--features", split = ",", defaultValue = "10,30")
  int[] widths;

  @Option(
      names = "--runs",
      defaultValue = "7",
      description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--warm-up",
      defaultValue = "5",
      description = "Runs not counted (${DEFAULT-VALUE}).")
  int warmUp;

  @Override
  public Integer call() throws Exception {
    LightGbm.load();
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "objective rows features holdfast_ms lightgbm_ms time_ratio holdfast_loss lightgbm_loss");
    for (boolean binary : new boolean[] {false, true}) {
      for (int size : sizes) {
        for (int width : widths) {
          out.println(compare(size, width, binary));
          out.flush();
        }
      }
    }
    return 0;
  }

  private String compare(int size, int width, boolean binary) throws LGBMException {
    Rows train = GeneratedRows.of(size, width, 4, binary, 1);
    Rows test = GeneratedRows.of(20_000, width, 4, binary, 2);
    double[] ours = new double[runs];
    double[] theirs = new double[runs];
    double ourLoss = 0;
    double theirLoss = 0;
    for (int run = -warmUp; run < runs; run++) {
      long start = System.nanoTime();
      Model model = holdfast(train, width, binary);
      long ourNanos = System.nanoTime() - start;
      double[] matrix = LightGbm.matrix(train);
      float[] labels = LightGbm.labels(train);
      start = System.nanoTime();
      try (var peer = LightGbm.train(matrix, labels, width, parameters(binary), ROUNDS)) {
        long theirNanos = System.nanoTime() - start;
        if (run >= 0) {
          ours[run] = ourNanos / 1e6;
          theirs[run] = theirNanos / 1e6;
        }
        theirLoss = MeanLoss.of(model.objective(), test, peer.scores(test, 1));
      }
      ourLoss = MeanLoss.of(model.objective(), test, Scorer.of(model).scores(test));
    }
    double ourMedian = median(ours);
    double theirMedian = median(theirs);
    return String.format(
        Locale.ROOT,
        "%s %d %d %.1f %.1f %.2f %.5f %.5f",
        objective(binary).name(),
        size,
        width,
        ourMedian,
        theirMedian,
        ourMedian / theirMedian,
        ourLoss,
        theirLoss);
  }

  private static Objective objective(boolean binary) {
    return Objective.named(binary ? "logistic" : "squared");
  }

  private static Model holdfast(Rows rows, int width, boolean binary) {
    var settings =
        BoosterSettings.builder(objective(binary))
            .gamma(1)
            .rounds(ROUNDS)
            .learningRate(0.1)
            .trees(new TreeLimits(LEAVES, 64, 20, 1e-3, 0))
            .penalties(Penalties.ridge(0))
            .maxBins(255)
            .seed(1)
            .build();
    List<Feature> features = GeneratedRows.features(width);
    return new Booster(settings)
        .extend(Booster.untrained(settings, features), features, rows, FitListener.NONE)
        .model();
  }

  private static String parameters(boolean binary) {
    return "objective="
        + (binary ? "binary" : "regression")
        + " num_leaves="
        + LEAVES
        + " learning_rate=0.1 max_bin=255 min_data_in_leaf=20 min_sum_hessian_in_leaf=0.001"
        + " lambda_l2=0 num_threads=1 verbosity=-1 boost_from_average=true";
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
