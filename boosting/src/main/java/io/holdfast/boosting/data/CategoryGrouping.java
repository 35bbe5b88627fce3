package io.holdfast.boosting.data;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Groups the categories of a column of more than it has bins: target encoding. One use each. */
final class CategoryGrouping {
  /*
   * The heaviest categories keep a group each, if they have rows enough. All others share a quarter
   * of the bins by a statistic: the mean of gradient by hessian over the category's rows, less that
   * over all, shrunk towards 0 by s more hessian. s = σ²/τ² is by empirical Bayes: τ², the variance
   * between categories, is the mean product of the residuals of two different rows of one category,
   * so that a category of one row says nothing of it, and noise gives 0 on average; σ² is the rest of
   * the residuals' squares. Similar statistics share a group (StatisticCuts).
   *
   * A row that is learned from must not choose its own group, since its gradient would then predict
   * itself. So a row's group is found by the rows of its category in the other folds, as cross-fitted
   * target encoders do (scikit-learn's TargetEncoder, after Micci-Barreca 2001); the groups of the
   * model itself are by all rows.
   */
  private static final int FOLDS = 5;
  private static final int FEWEST_ROWS = 100; // of a category with a group of its own
  private static final double ROUNDING = 1e-12;

  private final int[] codeOf; // by row; −1 if it has none
  private final CategoryTargets targets;
  private final int size;
  private final int outputs;
  private final int categories;
  private final int[] ownGroup; // by code; −1 of those that share groups
  private final double[] means; // of all rows that share groups, by output
  private final double[] slopes; // sums of residuals by code and output
  private final double[] curvatures;
  private final double[] smoothing; // by output; infinite where categories say nothing
  private final int owned;
  private final int[] pairOf; // a number by code and fold, if there are rows; else −1
  private final double[] others; // by pair and output: the statistic of the code in other folds
  private final StatisticCuts cuts;
  private final CategoryGroups groups;

  /**
   * Groups of a column.
   *
   * @param codeOf by row, of {@code size} rows; −1 for what is missing
   * @param present the codes that occur, ascending; more than {@code maxBins}
   */
  CategoryGrouping(
      int[] codeOf,
      int size,
      double[] weights,
      int[] present,
      int maxBins,
      CategoryTargets targets) {
    this.codeOf = codeOf;
    this.size = size;
    this.targets = targets;
    outputs = targets.outputs();
    categories = present[present.length - 1] + 1;
    double[] mass = new double[categories];
    int[] rows = new int[categories];
    for (int row = 0; row < size; row++) {
      if (codeOf[row] >= 0) {
        mass[codeOf[row]] += weights[row];
        rows[codeOf[row]]++;
      }
    }
    ownGroup = new int[categories];
    Arrays.fill(ownGroup, -1);
    int shared = Math.max(2, maxBins / 4);
    owned = ownGroups(present, rows, mass, maxBins - shared);
    means = new double[outputs];
    slopes = new double[Math.multiplyExact(categories, outputs)];
    curvatures = new double[slopes.length];
    smoothing = new double[outputs];
    for (int k = 0; k < outputs; k++) {
      addUp(k);
    }
    pairOf = new int[Math.multiplyExact(categories, FOLDS)];
    Arrays.fill(pairOf, -1);
    int pairs = numberPairs();
    others = new double[Math.multiplyExact(pairs, outputs)];
    cuts = cuts(pairs, weights, shared);
    groups = new CategoryGroups(owned + cuts.groups(), groupOfCode(present));
  }

  /** Gives the heaviest a group each; returns how many they are. */
  private int ownGroups(int[] present, int[] rows, double[] mass, int most) {
    int[] heaviest =
        Arrays.stream(present)
            .filter(code -> rows[code] >= FEWEST_ROWS)
            .boxed()
            .sorted((a, b) -> Double.compare(mass[b], mass[a])) // stable: lower codes first
            .limit(most)
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray();
    for (int group = 0; group < heaviest.length; group++) {
      ownGroup[heaviest[group]] = group;
    }
    return heaviest.length;
  }

  private boolean shares(int row) {
    return codeOf[row] >= 0 && ownGroup[codeOf[row]] < 0;
  }

  private double residual(int k, int row) {
    int entry = k * size + row;
    return targets.gradients()[entry] - means[k] * targets.hessians()[entry];
  }

  private void addUp(int k) {
    double gradient = 0;
    double hessian = 0;
    for (int row = 0; row < size; row++) {
      if (shares(row)) {
        gradient += targets.gradients()[k * size + row];
        hessian += targets.hessians()[k * size + row];
      }
    }
    means[k] = hessian > 0 ? gradient / hessian : 0;
    double[] squares = new double[categories]; // of residuals
    double[] own = new double[categories]; // of hessians
    for (int row = 0; row < size; row++) {
      if (shares(row)) {
        int code = codeOf[row];
        double residual = residual(k, row);
        double curvature = targets.hessians()[k * size + row];
        slopes[code * outputs + k] += residual;
        curvatures[code * outputs + k] += curvature;
        squares[code] += residual * residual;
        own[code] += curvature * curvature;
      }
    }
    smoothing[k] = smoothing(k, squares, own);
  }

  /** The hessian that a category's statistic is shrunk by: σ²/τ². */
  private double smoothing(int k, double[] squares, double[] own) {
    double products = 0; // of different rows
    double pairs = 0;
    double allSquares = 0;
    double allOwn = 0;
    double all = 0;
    for (int code = 0; code < categories; code++) {
      double curvature = curvatures[code * outputs + k];
      if (curvature > 0) {
        double slope = slopes[code * outputs + k];
        products += (slope * slope - squares[code]) / curvature;
        pairs += (curvature * curvature - own[code]) / curvature;
        allSquares += squares[code];
        allOwn += own[code];
        all += curvature;
      }
    }
    if (!(pairs > ROUNDING * all && products > ROUNDING * allSquares)) {
      return Double.POSITIVE_INFINITY;
    }
    double between = products / pairs;
    return Math.max(0, allSquares - between * allOwn) / all / between;
  }

  private double statistic(double slope, double curvature, int k) {
    return curvature > 0 ? slope / (curvature + smoothing[k]) : 0;
  }

  CategoryGroups groups() {
    return groups;
  }

  /** Writes the group of each row to learn from; {@code missing} where it has none. */
  void groupsOfRows(int missing, int[] target) {
    for (int row = 0; row < size; row++) {
      int own = codeOf[row] < 0 ? missing : ownGroup[codeOf[row]];
      target[row] = shares(row) ? owned + cuts.group(others, pair(row) * outputs) : own;
    }
  }

  private int pair(int row) {
    return pairOf[codeOf[row] * FOLDS + fold(row)];
  }

  private int numberPairs() {
    int pairs = 0;
    for (int row = 0; row < size; row++) {
      if (shares(row) && pair(row) < 0) {
        pairOf[codeOf[row] * FOLDS + fold(row)] = pairs++;
      }
    }
    return pairs;
  }

  /** Cuts between the statistics of rows, whose range is narrower than that of categories. */
  private StatisticCuts cuts(int pairs, double[] weights, int most) {
    double[] masses = new double[pairs];
    double[] foldCurvatures = new double[others.length];
    for (int row = 0; row < size; row++) {
      if (shares(row)) {
        int pair = pair(row);
        masses[pair] += weights[row];
        for (int k = 0; k < outputs; k++) {
          others[pair * outputs + k] += residual(k, row);
          foldCurvatures[pair * outputs + k] += targets.hessians()[k * size + row];
        }
      }
    }
    for (int codeAndFold = 0; codeAndFold < pairOf.length; codeAndFold++) {
      int pair = pairOf[codeAndFold];
      for (int k = 0; pair >= 0 && k < outputs; k++) {
        int at = pair * outputs + k;
        int whole = codeAndFold / FOLDS * outputs + k;
        double curvature = curvatures[whole] - foldCurvatures[at];
        boolean any = curvature > ROUNDING * curvatures[whole];
        others[at] = any ? statistic(slopes[whole] - others[at], curvature, k) : 0;
      }
    }
    int[] weighty = IntStream.range(0, pairs).filter(pair -> masses[pair] > 0).toArray();
    return new StatisticCuts(weighty, masses, others, outputs, most);
  }

  private int[] groupOfCode(int[] present) {
    int[] groupOf = ownGroup.clone();
    double[] statistics = new double[outputs];
    for (int code : present) {
      if (groupOf[code] < 0) {
        for (int k = 0; k < outputs; k++) {
          int at = code * outputs + k;
          statistics[k] = statistic(slopes[at], curvatures[at], k);
        }
        groupOf[code] = owned + cuts.group(statistics, 0);
      }
    }
    return groupOf;
  }

  /** By a hash of the row's number, since times and labels may be periodic. */
  private static int fold(int row) {
    long hash = (row + 1) * 0x9E3779B97F4A7C15L;
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L; // mixes as SplittableRandom does
    return (int) Long.remainderUnsigned(hash ^ (hash >>> 32), FOLDS);
  }
}
