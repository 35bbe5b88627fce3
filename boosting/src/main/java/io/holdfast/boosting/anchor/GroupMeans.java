package io.holdfast.boosting.anchor;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The projection onto group indicators: each group's weighted mean. Immutable; safe to share. */
public final class GroupMeans implements Projection {
  /*
   * Z has a column 1{row in e} / √W[e] for each group e of weight W[e]; with S[e][c] the sum of B's
   * entries in group e and column c, the coupling is Sᵀ diag(1/W) S. A small S is summed in the order
   * of the rows, a larger one group by group, which costs many small groups neither time nor memory;
   * the bits are the same.
   *
   * Groups are numbered anew in order of first appearance, without empty ones, so that their names
   * change no bit.
   */
  private static final int DENSE = 1 << 16; // sums of all groups and columns

  private final int rows;
  private final int[] groupOf; // may be longer
  private final double[] weights; // may be longer
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
    this(groupOf.clone(), groups, weights.clone(), groupOf.length, new Buffers());
  }

  /** Takes the arrays over. */
  private GroupMeans(int[] groupOf, int groups, double[] weights, int rows, Buffers buffers) {
    this.rows = rows;
    this.weights = weights;
    this.groupOf = groupOf;
    int count = renumber(groups);
    groupWeights = new double[count];
    start = new int[count + 1];
    for (int row = 0; row < rows; row++) {
      groupWeights[groupOf[row]] += weights[row];
      start[groupOf[row] + 1]++;
    }
    for (int group = 0; group < count; group++) {
      start[group + 1] += start[group];
    }
    byGroup = buffers.ints(rows);
    int[] next = Arrays.copyOf(start, count);
    for (int row = 0; row < rows; row++) {
      byGroup[next[groupOf[row]]++] = row;
    }
  }

  /** Gives each group that has rows a new number; returns how many do. */
  private int renumber(int groups) {
    int[] numbers = new int[groups];
    Arrays.fill(numbers, -1);
    int count = 0;
    for (int row = 0; row < rows; row++) {
      int group = groupOf[row];
      if (group < 0 || group >= groups) {
        Check.that(
            false, "the group of row %s must be 0 or more and below %s: %s", row, groups, group);
      }
      if (numbers[group] < 0) {
        numbers[group] = count++;
      }
      groupOf[row] = numbers[group];
    }
    return count;
  }

  /** Onto the indicators of the rows' environments. */
  public static GroupMeans ofEnvironments(Rows rows) {
    return ofEnvironments(rows, new Buffers());
  }

  /** As above; valid until {@code buffers} are recycled. */
  static GroupMeans ofEnvironments(Rows rows, Buffers buffers) {
    int[] groupOf = buffers.ints(rows.size());
    double[] weights = buffers.doubles(rows.size());
    for (int row = 0; row < rows.size(); row++) {
      groupOf[row] = rows.environment(row);
      weights[row] = rows.weight(row);
    }
    return new GroupMeans(groupOf, rows.environments().size(), weights, rows.size(), buffers);
  }

  /** Onto the constant: the weighted mean of all rows. */
  public static GroupMeans ofAll(double[] weights) {
    return new GroupMeans(new int[weights.length], 1, weights);
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int rank() {
    return groupWeights.length;
  }

  @Override
  public void project(double[] values, double[] target) {
    double[] means = means(values);
    for (int row = 0; row < rows; row++) {
      target[row] = means[groupOf[row]];
    }
  }

  /** Takes its group's mean off each value. */
  void centre(double[] values) {
    double[] means = means(values);
    for (int row = 0; row < rows; row++) {
      values[row] -= means[groupOf[row]];
    }
  }

  @Override
  public void addCoupling(
      double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix) {
    double[] sums = new double[columns];
    int[] reached = new int[columns];
    double @Nullable [] dense = dense(weighted, columnOf, columns);
    for (int group = 0; group < groupWeights.length; group++) {
      if (dense != null) {
        System.arraycopy(dense, group * columns, sums, 0, columns);
      } else {
        sum(group, weighted, columnOf, sums);
      }
      int count = 0;
      for (int column = 0; column < columns; column++) {
        if (sums[column] != 0) {
          reached[count++] = column;
        }
      }
      double factor = scale / groupWeights[group];
      if (count == columns) {
        ColumnSpan.addSquare(factor, sums, matrix);
        continue;
      }
      for (int a = 0; a < count; a++) {
        int first = reached[a] * columns;
        double scaled = factor * sums[reached[a]];
        for (int b = 0; b <= a; b++) {
          matrix[first + reached[b]] += scaled * sums[reached[b]];
        }
      }
    }
  }

  /** The sums of all groups, in one pass over the rows; null if too many. */
  private double @Nullable [] dense(double[][] weighted, int[][] columnOf, int columns) {
    if ((long) groupWeights.length * columns > DENSE) {
      return null;
    }
    double[] sums = new double[groupWeights.length * columns];
    for (int k = 0; k < weighted.length; k++) {
      double[] entries = weighted[k];
      int[] columnOfRow = columnOf[k];
      for (int row = 0; row < rows; row++) {
        sums[groupOf[row] * columns + columnOfRow[row]] += entries[row];
      }
    }
    return sums;
  }

  private void sum(int group, double[][] weighted, int[][] columnOf, double[] sums) {
    Arrays.fill(sums, 0);
    for (int k = 0; k < weighted.length; k++) {
      double[] entries = weighted[k];
      int[] columnOfRow = columnOf[k];
      for (int at = start[group]; at < start[group + 1]; at++) {
        int row = byGroup[at];
        sums[columnOfRow[row]] += entries[row];
      }
    }
  }

  @Override
  public void addFactor(double[] weighted, int[] columnOf, int columns, double[] target) {
    double[] roots = new double[groupWeights.length];
    for (int group = 0; group < roots.length; group++) {
      roots[group] = StrictMath.sqrt(groupWeights[group]);
    }
    for (int row = 0; row < rows; row++) {
      int group = groupOf[row];
      target[group * columns + columnOf[row]] += weighted[row] / roots[group];
    }
  }

  private double[] means(double[] values) {
    double[] means = new double[groupWeights.length];
    for (int row = 0; row < rows; row++) {
      means[groupOf[row]] += weights[row] * values[row];
    }
    for (int group = 0; group < means.length; group++) {
      means[group] /= groupWeights[group];
    }
    return means;
  }
}
