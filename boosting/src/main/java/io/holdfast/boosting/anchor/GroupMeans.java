package io.holdfast.boosting.anchor;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;

/**
 * The projection of a categorical anchor: the weighted mean of each row's group. Immutable; safe to
 * share.
 */
public final class GroupMeans implements Projection {
  /*
   * One pass over the rows adds up the groups, another hands out the means: no matrix. Z has a
   * column 1{row in e} / √W[e] for each group e of weight W[e]; with S[e][c] the sum of what stands
   * in column c and group e, the coupling is Sᵀ diag(1/W) S. It is added up group by group, from the
   * columns that the group reaches: no more than it has rows, so that many small groups cost little
   * time, and no memory.
   *
   * Groups are numbered anew in order of first appearance, and those without rows left out: what
   * they are called, and how many more there might be, changes no bit.
   */
  private final int[] groupOf;
  private final double[] weights;
  private final double[] groupWeights;
  private final int[] byGroup; // rows, ascending within each group
  private final int[] start; // group e has byGroup[start[e], start[e + 1])

  /**
   * A projection onto group indicators.
   *
   * @param groupOf each row's group, from 0 up to {@code groups}; a group may have no rows
   * @param weights of the rows, above 0
   */
  public GroupMeans(int[] groupOf, int groups, double[] weights) {
    this.weights = weights.clone();
    this.groupOf = new int[groupOf.length];
    int[] numbers = new int[groups];
    Arrays.fill(numbers, -1);
    int count = 0;
    for (int row = 0; row < groupOf.length; row++) {
      int group = groupOf[row];
      Check.that(
          group >= 0 && group < groups,
          "the group of row %s must be 0 or more and below %s: %s",
          row,
          groups,
          group);
      if (numbers[group] < 0) {
        numbers[group] = count++;
      }
      this.groupOf[row] = numbers[group];
    }
    groupWeights = new double[count];
    start = new int[count + 1];
    for (int row = 0; row < groupOf.length; row++) {
      groupWeights[this.groupOf[row]] += weights[row];
      start[this.groupOf[row] + 1]++;
    }
    for (int group = 0; group < count; group++) {
      start[group + 1] += start[group];
    }
    byGroup = new int[groupOf.length];
    int[] next = Arrays.copyOf(start, count);
    for (int row = 0; row < groupOf.length; row++) {
      byGroup[next[this.groupOf[row]]++] = row;
    }
  }

  /** Onto the indicators of the rows' environments. */
  public static GroupMeans ofEnvironments(Rows rows) {
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[rows.size()];
    for (int row = 0; row < groupOf.length; row++) {
      groupOf[row] = rows.environment(row);
      weights[row] = rows.weight(row);
    }
    return new GroupMeans(groupOf, rows.environments().size(), weights);
  }

  /** Onto the constant: the weighted mean of all rows. */
  public static GroupMeans ofAll(double[] weights) {
    return new GroupMeans(new int[weights.length], 1, weights);
  }

  @Override
  public int rows() {
    return groupOf.length;
  }

  @Override
  public int rank() {
    return groupWeights.length;
  }

  @Override
  public void project(double[] values, double[] target) {
    double[] means = means(values);
    for (int row = 0; row < groupOf.length; row++) {
      target[row] = means[groupOf[row]];
    }
  }

  /** Takes the mean of its group off each value. */
  void centre(double[] values) {
    double[] means = means(values);
    for (int row = 0; row < groupOf.length; row++) {
      values[row] -= means[groupOf[row]];
    }
  }

  @Override
  public void addCoupling(
      double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix) {
    double[] sums = new double[columns];
    int[] reached = new int[columns];
    for (int group = 0; group < groupWeights.length; group++) {
      for (int k = 0; k < weighted.length; k++) {
        double[] entries = weighted[k];
        int[] columnOfRow = columnOf[k];
        for (int at = start[group]; at < start[group + 1]; at++) {
          int row = byGroup[at];
          sums[columnOfRow[row]] += entries[row];
        }
      }
      int count = 0;
      for (int column = 0; column < columns; column++) {
        if (sums[column] != 0) {
          reached[count++] = column;
        }
      }
      double factor = scale / groupWeights[group];
      for (int a = 0; a < count; a++) {
        int first = reached[a] * columns;
        double scaled = factor * sums[reached[a]];
        for (int b = 0; b <= a; b++) {
          matrix[first + reached[b]] += scaled * sums[reached[b]];
        }
      }
      Arrays.fill(sums, 0);
    }
  }

  @Override
  public void addFactor(double[] weighted, int[] columnOf, int columns, double[] target) {
    double[] roots = new double[groupWeights.length];
    for (int group = 0; group < roots.length; group++) {
      roots[group] = StrictMath.sqrt(groupWeights[group]);
    }
    for (int row = 0; row < groupOf.length; row++) {
      int group = groupOf[row];
      target[group * columns + columnOf[row]] += weighted[row] / roots[group];
    }
  }

  private double[] means(double[] values) {
    double[] means = new double[groupWeights.length];
    for (int row = 0; row < groupOf.length; row++) {
      means[groupOf[row]] += weights[row] * values[row];
    }
    for (int group = 0; group < means.length; group++) {
      means[group] /= groupWeights[group];
    }
    return means;
  }
}
