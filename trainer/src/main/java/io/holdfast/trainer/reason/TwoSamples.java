package io.holdfast.trainer.reason;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * The rows before and the window's, one behind the other, with equal weight. Immutable.
 *
 * <p>Where both samples are of the same environments, the environment is a feature like others.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record TwoSamples(
    List<Feature> features,
    double[][] values,
    double[] losses,
    double[] weights,
    int before,
    int[] blocks,
    int[] folds) {
  /** Blocks are dealt to as many folds: the first half of them is for search. */
  static final int FOLDS = 4;

  private static final double COMMON = 0.9; // of the window, in environments of both samples

  static TwoSamples of(
      List<Feature> features,
      Rows before,
      ServedLosses lossesBefore,
      Rows now,
      ServedLosses lossesNow,
      long seed) {
    List<String> shared = RiseTest.shared(lossesBefore, lossesNow);
    long common = lossesNow.environments().stream().filter(shared::contains).count();
    boolean environment = shared.size() > 1 && common >= COMMON * now.size();
    List<Feature> all = new ArrayList<>(features);
    if (environment) {
      all.add(new Feature.Categorical(free("environment", features), shared, false));
    }
    int size = before.size() + now.size();
    double[][] values = new double[size][];
    double[] losses = new double[size];
    double[] weights = new double[size];
    for (int row = 0; row < size; row++) {
      boolean old = row < before.size();
      int at = old ? row : row - before.size();
      ServedLosses of = old ? lossesBefore : lossesNow;
      values[row] = new double[all.size()];
      (old ? before : now).copyFeatures(at, values[row]);
      if (environment) {
        int code = shared.indexOf(of.environments().get(at));
        values[row][all.size() - 1] = code < 0 ? Double.NaN : code;
      }
      losses[row] = of.losses()[at];
      weights[row] = of.weights()[at];
    }
    balance(weights, 0, before.size());
    balance(weights, before.size(), size);
    int[] blocks = blocks(before.size(), now.size());
    int[] folds = folds(blocks, Blocks.of(before.size(), now.size()).count(before.size()), seed);
    return new TwoSamples(all, values, losses, weights, before.size(), blocks, folds);
  }

  private static String free(String name, List<Feature> features) {
    String free = name;
    while (features.stream().map(Feature::name).toList().contains(free)) {
      free = "the " + free;
    }
    return free;
  }

  /** To a mean of 1/2 of all rows' number. */
  private static void balance(double[] weights, int from, int to) {
    double total = Arrays.stream(weights, from, to).sum();
    for (int row = from; row < to; row++) {
      weights[row] *= 0.5 * weights.length / total;
    }
  }

  private static int[] blocks(int before, int now) {
    Blocks cut = Blocks.of(before, now);
    int[] blocks = new int[before + now];
    for (int row = 0; row < blocks.length; row++) {
      blocks[row] =
          row < before ? cut.place(row, before) : cut.count(before) + cut.place(row - before, now);
    }
    return blocks;
  }

  /** Deals each sample's blocks out in equal numbers. */
  private static int[] folds(int[] blocks, int older, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = blocks[blocks.length - 1] + 1;
    int[] foldOf = new int[count];
    for (int block = 0; block < count; block++) {
      int first = block < older ? 0 : older;
      int other = first + random.nextInt(block - first + 1);
      foldOf[block] = foldOf[other];
      foldOf[other] = (block - first) % FOLDS;
    }
    return Arrays.stream(blocks).map(block -> foldOf[block]).toArray();
  }

  int size() {
    return losses.length;
  }

  boolean now(int row) {
    return row >= before;
  }

  /** Whether a subgroup may be searched on a row; it is measured on the others. */
  boolean searched(int row) {
    return folds[row] < FOLDS / 2;
  }

  /** The standard error of a sum of {@code terms}, by blocks. */
  double error(double[] terms) {
    double[] sums = new double[blocks[blocks.length - 1] + 1];
    for (int row = 0; row < terms.length; row++) {
      sums[blocks[row]] += terms[row];
    }
    return Math.sqrt(Arrays.stream(sums).map(sum -> sum * sum).sum());
  }

  /** A mean by weight over chosen rows of one sample, and each row's influence on it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Mean(double value, double[] influence) {
    /** How far it is above another, of other rows. */
    Estimate above(Mean other, TwoSamples samples) {
      double[] terms = influence.clone();
      for (int row = 0; row < terms.length; row++) {
        terms[row] -= other.influence[row];
      }
      return Estimate.of(value - other.value, samples.error(terms));
    }
  }

  Mean mean(double[] of, IntPredicate chosen) {
    double sum = 0;
    double total = 0;
    for (int row = 0; row < size(); row++) {
      if (chosen.test(row)) {
        sum += weights[row] * of[row];
        total += weights[row];
      }
    }
    double mean = total > 0 ? sum / total : 0;
    double[] influence = new double[size()];
    for (int row = 0; row < size(); row++) {
      influence[row] = chosen.test(row) ? weights[row] * (of[row] - mean) / total : 0;
    }
    return new Mean(mean, influence);
  }
}
