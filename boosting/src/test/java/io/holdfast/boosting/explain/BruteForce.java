package io.holdfast.boosting.explain;

import io.holdfast.boosting.model.Tree;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shapley values of one tree by their definitions: slow, and plainly right. Stateless. */
final class BruteForce {
  private static final MathContext DIGITS = new MathContext(120);

  private BruteForce() {}

  /** The tree's value for a row of which the features in {@code known} (bits) are known. */
  static double value(Tree tree, double[] covers, double[] features, int known, int output) {
    return value(tree, covers, tree.innerNodes() == 0 ? -1 : 0, features, known, output);
  }

  private static double value(
      Tree tree, double[] covers, int node, double[] features, int known, int output) {
    if (node < 0) {
      return tree.leafValue(-1 - node, output);
    }
    int column = tree.feature(node);
    if ((known >> column & 1) != 0) {
      boolean left = tree.goesLeft(node, features[column]);
      int child = left ? tree.left(node) : tree.right(node);
      return value(tree, covers, child, features, known, output);
    }
    double share = share(tree, covers, node);
    return share * value(tree, covers, tree.left(node), features, known, output)
        + (1 - share) * value(tree, covers, tree.right(node), features, known, output);
  }

  /** The share of a node's rows that go left; one half if there are none. */
  private static double share(Tree tree, double[] covers, int node) {
    double left = cover(tree, covers, tree.left(node));
    double total = left + cover(tree, covers, tree.right(node));
    return total > 0 ? left / total : 0.5;
  }

  static double cover(Tree tree, double[] covers, int node) {
    return node < 0
        ? covers[-1 - node]
        : cover(tree, covers, tree.left(node)) + cover(tree, covers, tree.right(node));
  }

  /** Shapley's formula over all coalitions of the features, of which there are few. */
  static double[] contributions(Tree tree, double[] covers, double[] features, int output) {
    double[] values = new double[1 << features.length];
    for (int known = 0; known < values.length; known++) {
      values[known] = value(tree, covers, features, known, output);
    }
    return shapley(values, features.length);
  }

  /** Shapley's formula for a game of which {@code values} has each coalition's, a player a bit. */
  static double[] shapley(double[] values, int width) {
    double[] weights = new double[width]; // |S|! (n − |S| − 1)! / n!
    for (int size = 0; size < width; size++) {
      double choices = 1;
      for (int k = 1; k <= size; k++) {
        choices = choices * (width - k) / k;
      }
      weights[size] = 1 / (choices * width);
    }
    double[] contributions = new double[width];
    for (int column = 0; column < width; column++) {
      for (int known = 0; known < values.length; known++) {
        if ((known >> column & 1) == 0) {
          contributions[column] +=
              weights[Integer.bitCount(known)] * (values[known | 1 << column] - values[known]);
        }
      }
    }
    return contributions;
  }

  /**
   * Leaf by leaf, the sums over coalition sizes by polynomial coefficients, in 120 digits: for long
   * paths. The tree has one output.
   */
  static double[] longPaths(Tree tree, double[] covers, double[] features) {
    BigDecimal[] sums = new BigDecimal[features.length];
    Arrays.fill(sums, BigDecimal.ZERO);
    walk(tree, covers, 0, features, new ArrayList<>(), sums);
    double[] contributions = new double[features.length];
    for (int column = 0; column < contributions.length; column++) {
      contributions[column] = sums[column].doubleValue();
    }
    return contributions;
  }

  /** A feature of a path: whether the row takes all its splits, and their share. */
  private record Step(int column, boolean follows, BigDecimal share) {}

  private static void walk(
      Tree tree, double[] covers, int node, double[] features, List<Step> path, BigDecimal[] sums) {
    if (node < 0) {
      addLeaf(BigDecimal.valueOf(tree.leafValue(-1 - node)), path, sums);
      return;
    }
    int column = tree.feature(node);
    BigDecimal total = new BigDecimal(cover(tree, covers, node));
    for (boolean left : new boolean[] {true, false}) {
      int child = left ? tree.left(node) : tree.right(node);
      BigDecimal share =
          total.signum() > 0
              ? new BigDecimal(cover(tree, covers, child)).divide(total, DIGITS)
              : new BigDecimal("0.5");
      boolean follows = tree.goesLeft(node, features[column]) == left;
      List<Step> longer = new ArrayList<>();
      for (Step step : path) {
        if (step.column() == column) {
          follows &= step.follows();
          share = share.multiply(step.share(), DIGITS);
        } else {
          longer.add(step);
        }
      }
      longer.add(new Step(column, follows, share));
      walk(tree, covers, child, features, longer, sums);
    }
  }

  /**
   * Coefficient s of a polynomial is the sum over coalitions of s features of Π o inside times Π z
   * outside; a feature is taken out again by division, which 120 digits can afford.
   */
  private static void addLeaf(BigDecimal value, List<Step> path, BigDecimal[] sums) {
    BigDecimal[] all = new BigDecimal[path.size() + 1];
    Arrays.fill(all, BigDecimal.ZERO);
    all[0] = BigDecimal.ONE;
    for (int k = 0; k < path.size(); k++) {
      Step step = path.get(k);
      if (!step.follows() && step.share().signum() == 0) {
        return; // no coalition leads here
      }
      for (int size = k + 1; size >= 0; size--) {
        BigDecimal with = size > 0 && step.follows() ? all[size - 1] : BigDecimal.ZERO;
        all[size] = all[size].multiply(step.share(), DIGITS).add(with, DIGITS);
      }
    }
    BigDecimal[] weights = weights(path.size());
    for (Step mine : path) {
      BigDecimal[] others = without(mine, all);
      BigDecimal mean = BigDecimal.ZERO;
      for (int size = 0; size < others.length; size++) {
        mean = mean.add(others[size].multiply(weights[size], DIGITS), DIGITS);
      }
      BigDecimal gap =
          (mine.follows() ? BigDecimal.ONE : BigDecimal.ZERO).subtract(mine.share(), DIGITS);
      BigDecimal amount = value.multiply(gap, DIGITS).multiply(mean, DIGITS);
      sums[mine.column()] = sums[mine.column()].add(amount, DIGITS);
    }
  }

  /** s! (n − s − 1)! / n! for s from 0 to n − 1. */
  private static BigDecimal[] weights(int n) {
    BigDecimal[] weights = new BigDecimal[n];
    BigDecimal choices = BigDecimal.valueOf(n);
    for (int size = 0; size < n; size++) {
      weights[size] = BigDecimal.ONE.divide(choices, DIGITS);
      choices =
          choices
              .multiply(BigDecimal.valueOf(n - 1 - size), DIGITS)
              .divide(BigDecimal.valueOf(size + 1), DIGITS);
    }
    return weights;
  }

  private static BigDecimal[] without(Step step, BigDecimal[] all) {
    BigDecimal[] others = new BigDecimal[all.length - 1];
    for (int size = others.length - 1; size >= 0; size--) {
      if (!step.follows()) {
        others[size] = all[size].divide(step.share(), DIGITS);
      } else if (size == others.length - 1) {
        others[size] = all[size + 1];
      } else {
        others[size] =
            all[size + 1].subtract(step.share().multiply(others[size + 1], DIGITS), DIGITS);
      }
    }
    return others;
  }
}
