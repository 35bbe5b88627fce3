package io.holdfast.boosting.anchor;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/** The projection onto group indicators: each group's weighted mean. Immutable; safe to share. */
public final class GroupMeans implements Projection {
  /*
   * Z has a column 1{row in e} / √W[e] for each group e of weight W[e]; with S[e][c] the sum of B's
   * entries in group e and column c, the coupling is Sᵀ diag(1/W) S. S is summed some groups at a time,
   * in the order of the rows, and only the columns that a group reaches are multiplied: many small
   * groups cost little time and memory.
   *
   * Groups are numbered anew in order of first appearance, without empty ones, so that their names
   * change no bit.
   */
  private static final int SUMS = 1 << 18; // of groups and columns at a time

  private final int rows;
  private final int[] groupOf; // may be longer
  private final double[] weights; // may be longer
  private final double[] groupWeights;

  /** Onto the indicators of groups, from 0 up to {@code groups}; a group may have no rows. */
  public GroupMeans(int[] groupOf, int groups, double[] weights) {
    this(groupOf.clone(), groups, weights.clone(), groupOf.length);
  }

  /** Takes the arrays over. */
  private GroupMeans(int[] groupOf, int groups, double[] weights, int rows) {
    this.rows = rows;
    this.weights = weights;
    this.groupOf = groupOf;
    groupWeights = new double[renumber(groups)];
    for (int row = 0; row < rows; row++) {
      groupWeights[groupOf[row]] += weights[row];
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
    return new GroupMeans(groupOf, rows.environments().size(), weights, rows.size());
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
    int rank = groupWeights.length;
    int together = Math.clamp(SUMS / columns, 1, rank);
    double[] sums = new double[together * columns];
    int[] reached = new int[columns];
    for (int from = 0; from < rank; from += together) {
      Arrays.fill(sums, 0);
      for (int k = 0; k < weighted.length; k++) {
        addUp(weighted[k], columnOf[k], from, together, columns, sums);
      }
      for (int group = from; group < Math.min(from + together, rank); group++) {
        addSquare(scale / groupWeights[group], sums, (group - from) * columns, reached, matrix);
      }
    }
  }

  private void addUp(
      double[] entries, int[] columnOf, int from, int together, int columns, double[] sums) {
    for (int row = 0; row < rows; row++) {
      int group = groupOf[row] - from;
      if (group >= 0 && group < together) {
        sums[group * columns + columnOf[row]] += entries[row];
      }
    }
  }

  /** Adds the lower triangle of {@code factor · v vᵀ}, v being the sums of a group. */
  private static void addSquare(
      double factor, double[] sums, int from, int[] reached, double[] matrix) {
    int columns = reached.length;
    int count = 0;
    for (int column = 0; column < columns; column++) {
      if (sums[from + column] != 0) {
        reached[count++] = column;
      }
    }
    if (count == columns) {
      ColumnSpan.addSquare(factor, sums, from, columns, matrix);
      return;
    }
    for (int a = 0; a < count; a++) {
      int first = reached[a] * columns;
      double scaled = factor * sums[from + reached[a]];
      for (int b = 0; b <= a; b++) {
        matrix[first + reached[b]] += scaled * sums[from + reached[b]];
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
