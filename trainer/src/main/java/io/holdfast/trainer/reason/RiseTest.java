package io.holdfast.trainer.reason;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether losses have risen, in all rows or in an environment. Stateless. */
public final class RiseTest {
  /*
   * A permutation test over blocks of consecutive rows of the studentised difference of means: exact
   * where blocks are exchangeable, and otherwise right in the limit where only the means are equal
   * (Chung and Romano, Annals of Statistics 41, 2013). A quarter of the error rate is spent on all rows,
   * another shared among the environments; what is left is for losses that are only nearly exchangeable.
   */
  private static final int PERMUTATIONS = 9_999;

  /** With fewer rows before or now nothing is said. */
  static final int LEAST_ROWS = 40;

  private static final int MOST_ENVIRONMENTS = 20;

  private RiseTest() {}

  /**
   * The rows whose loss has risen: an environment, or the empty name for all of them; null if none
   * has.
   *
   * @param error the chance of any where nothing has changed
   */
  static @Nullable String risen(ServedLosses before, ServedLosses now, double error, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    if (significant(before, now, error / 4, random.split())) {
      return "";
    }
    List<String> environments = shared(before, now);
    for (String environment : environments.size() < 2 ? List.<String>of() : environments) {
      if (significant(
          before.subset(before.of(environment)),
          now.subset(now.of(environment)),
          error / 4 / environments.size(),
          random.split())) {
        return environment;
      }
    }
    return null;
  }

  /** The environments with enough rows in both, those with the most rows now first. */
  static List<String> shared(ServedLosses before, ServedLosses now) {
    List<String> found = new ArrayList<>();
    for (String environment : new TreeSet<>(now.environments())) {
      if (now.of(environment).length >= LEAST_ROWS && before.of(environment).length >= LEAST_ROWS) {
        found.add(environment);
      }
    }
    found.sort(Comparator.comparingInt(environment -> -now.of(environment).length));
    return found.subList(0, Math.min(MOST_ENVIRONMENTS, found.size()));
  }

  private static boolean significant(
      ServedLosses before, ServedLosses now, double error, SplittableRandom random) {
    if (before.size() < LEAST_ROWS || now.size() < LEAST_ROWS) {
      return false;
    }
    BlockSums sums = new BlockSums(before, now);
    double observed = sums.statistic();
    if (!(observed > 1)) {
      return false; // no permutation need be drawn
    }
    int most = (int) (error * (PERMUTATIONS + 1)) - 1; // may be as large
    int larger = 0;
    for (int k = 0; k < PERMUTATIONS && larger <= most; k++) {
      sums.shuffle(random);
      larger += sums.statistic() >= observed ? 1 : 0;
    }
    return larger <= most;
  }

  /** Sums of blocks; the first {@code chosen} of the order are taken for the newer sample. */
  private static final class BlockSums {
    private final double[] sums;
    private final double[] weights;
    private final int[] order;
    private final int chosen;
    private final double[] all;

    BlockSums(ServedLosses before, ServedLosses now) {
      Blocks blocks = Blocks.of(before.size(), now.size());
      chosen = blocks.count(now.size());
      order = new int[chosen + blocks.count(before.size())];
      sums = new double[order.length];
      weights = new double[order.length];
      double centre = (before.mean() + now.mean()) / 2; // the sums of squares lose no digits
      add(now, blocks, 0, centre);
      add(before, blocks, chosen, centre);
      for (int block = 0; block < order.length; block++) {
        order[block] = block;
      }
      all = moments(order.length);
    }

    private void add(ServedLosses rows, Blocks blocks, int first, double centre) {
      for (int row = 0; row < rows.size(); row++) {
        int block = first + blocks.place(row, rows.size());
        sums[block] += rows.weights()[row] * (rows.losses()[row] - centre);
        weights[block] += rows.weights()[row];
      }
    }

    void shuffle(SplittableRandom random) {
      for (int k = 0; k < chosen; k++) {
        int other = k + random.nextInt(order.length - k);
        int kept = order[k];
        order[k] = order[other];
        order[other] = kept;
      }
    }

    private double[] moments(int count) {
      double[] moments = new double[5];
      for (int k = 0; k < count; k++) {
        double sum = sums[order[k]];
        double weight = weights[order[k]];
        moments[0] += sum;
        moments[1] += weight;
        moments[2] += sum * sum;
        moments[3] += sum * weight;
        moments[4] += weight * weight;
      }
      return moments;
    }

    double statistic() {
      double[] newer = moments(chosen);
      double[] older = all.clone();
      for (int k = 0; k < older.length; k++) {
        older[k] -= newer[k];
      }
      double variance = variance(newer, chosen) + variance(older, order.length - chosen);
      double rise = newer[0] / newer[1] - older[0] / older[1];
      return variance > 0 ? rise / Math.sqrt(variance) : rise > 0 ? Double.MAX_VALUE : 0;
    }

    /** Of a mean. */
    private static double variance(double[] moments, int count) {
      double mean = moments[0] / moments[1];
      double squares = moments[2] - 2 * mean * moments[3] + mean * mean * moments[4];
      return Math.max(0, squares) / (moments[1] * moments[1]) * count / Math.max(1, count - 1);
    }
  }
}
