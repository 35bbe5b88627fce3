package io.holdfast.boosting.anchor;

import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The projection onto the span of columns, as they are or centred. Immutable; safe to share. */
public final class ColumnSpan implements Projection {
  /*
   * Gram–Schmidt in the weights' inner product, longest remaining column first, gives the columns of
   * Z. Columns are scaled to unit length first, then centred, if at all. One whose length outside the
   * span of those taken is below RANK_CUT is in that span: zero, duplicate and constant centred columns
   * change nothing. A column that is taken is made orthogonal a second time at unit length, which
   * removes the rounding that scaling enlarged.
   *
   * Where one row has nearly all the weight, it has nearly all of a column's length: so a column is
   * also taken if some row keeps more than RANK_CUT of its largest entry.
   */
  private static final double RANK_CUT = 1e-10;

  /** What is left of a column of unit length, and its largest entry at the start. */
  @SuppressWarnings("ArrayRecordComponent") // never compared but with itself
  private record Column(double[] values, double largest) {}

  private final double[][] factor; // columns of Z
  private final double[] weights;

  /** Onto the span of finite columns as they are: add a constant one to have an intercept. */
  public ColumnSpan(double[][] columns, double[] weights) {
    this(columns, weights, null);
  }

  /** Onto what columns span after the mean of its group is taken off each entry. */
  ColumnSpan(double[][] columns, double[] weights, @Nullable GroupMeans groups) {
    this.weights = weights.clone();
    List<Column> remaining = new ArrayList<>();
    for (double[] column : columns) {
      addUnit(column, remaining);
    }
    factor = orthonormal(remaining, groups);
  }

  /** Onto what columns span after each one's weighted mean is taken off; without the constant. */
  public static ColumnSpan centred(double[][] columns, double[] weights) {
    return new ColumnSpan(columns, weights, GroupMeans.ofAll(weights));
  }

  @Override
  public int rows() {
    return weights.length;
  }

  @Override
  public int rank() {
    return factor.length;
  }

  @Override
  public void project(double[] values, double[] target) {
    Arrays.fill(target, 0, weights.length, 0);
    addProjection(values, target);
  }

  /** Adds Pv to {@code target}. */
  void addProjection(double[] values, double[] target) {
    for (double[] direction : factor) {
      double along = inner(direction, values);
      for (int row = 0; row < weights.length; row++) {
        target[row] += along * direction[row];
      }
    }
  }

  @Override
  public void addCoupling(
      double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix) {
    double[] along = new double[columns];
    for (double[] direction : factor) {
      Arrays.fill(along, 0);
      for (int k = 0; k < weighted.length; k++) {
        double[] entries = weighted[k];
        int[] columnOfRow = columnOf[k];
        for (int row = 0; row < weights.length; row++) {
          along[columnOfRow[row]] += direction[row] * entries[row];
        }
      }
      addSquare(scale, along, 0, columns, matrix);
    }
  }

  /** Adds the lower triangle of {@code factor · v vᵀ}: a loop that the compiler vectorises. */
  static void addSquare(double factor, double[] values, int from, int columns, double[] matrix) {
    for (int a = 0; a < columns; a++) {
      int first = a * columns;
      double scaled = factor * values[from + a];
      for (int b = 0; b <= a; b++) {
        matrix[first + b] += scaled * values[from + b];
      }
    }
  }

  @Override
  public void addFactor(double[] weighted, int[] columnOf, int columns, double[] target) {
    addFactor(weighted, columnOf, columns, 0, target);
  }

  /** Adds the factor's rows to those of {@code target} from {@code firstRow} on. */
  void addFactor(double[] weighted, int[] columnOf, int columns, int firstRow, double[] target) {
    for (int k = 0; k < factor.length; k++) {
      int first = (firstRow + k) * columns;
      for (int row = 0; row < weights.length; row++) {
        target[first + columnOf[row]] += factor[k][row] * weighted[row];
      }
    }
  }

  /** Adds the column, divided by its length, unless that is 0. */
  private void addUnit(double[] column, List<Column> target) {
    Check.that(
        column.length == weights.length,
        "an anchor column must have as many rows as there are weights, %s: %s",
        weights.length,
        column.length);
    for (int row = 0; row < column.length; row++) {
      Check.that(
          Double.isFinite(column[row]),
          "an anchor must be finite: row %s has %s",
          row,
          column[row]);
    }
    double largest = largest(column);
    if (largest > 0) {
      double[] unit = column.clone();
      divide(unit, largest); // so that no square overflows
      divide(unit, length(unit));
      target.add(new Column(unit, largest(unit)));
    }
  }

  private double[][] orthonormal(List<Column> remaining, @Nullable GroupMeans groups) {
    List<double[]> basis = new ArrayList<>();
    for (Column column : remaining) {
      takeOff(groups, basis, column.values);
    }
    boolean anyLong = true;
    while (!remaining.isEmpty() && basis.size() < weights.length) {
      Column next = anyLong ? longest(remaining) : null;
      anyLong = next != null;
      if (next == null) {
        next = firstWithRows(remaining, groups, basis);
      }
      if (next == null) {
        break;
      }
      remaining.remove(next);
      double[] direction = next.values;
      divide(direction, length(direction));
      takeOff(groups, basis, direction);
      divide(direction, length(direction));
      basis.add(direction);
      for (Column column : remaining) {
        takeOff(direction, column.values);
      }
    }
    return basis.toArray(double[][]::new);
  }

  /** The column of most length; null if it is next to none. */
  private @Nullable Column longest(List<Column> columns) {
    Column longest = null;
    double length = RANK_CUT;
    for (Column column : columns) {
      double other = length(column.values);
      if (other > length) {
        longest = column;
        length = other;
      }
    }
    return longest;
  }

  /** The first column that is not next to nothing in all rows; null if there is none. */
  private @Nullable Column firstWithRows(
      List<Column> columns, @Nullable GroupMeans groups, List<double[]> basis) {
    for (Column column : columns) {
      double least = RANK_CUT * column.largest;
      if (largest(column.values) > least) {
        takeOff(groups, basis, column.values);
        if (largest(column.values) > least && length(column.values) > 0) {
          return column;
        }
      }
    }
    return null;
  }

  private static double largest(double[] column) {
    double largest = 0;
    for (double entry : column) {
      largest = Math.max(largest, Math.abs(entry));
    }
    return largest;
  }

  private void takeOff(@Nullable GroupMeans groups, List<double[]> basis, double[] column) {
    if (groups != null) {
      groups.centre(column);
    }
    for (double[] direction : basis) {
      takeOff(direction, column);
    }
  }

  private void takeOff(double[] direction, double[] column) {
    double along = inner(direction, column);
    for (int row = 0; row < column.length; row++) {
      column[row] -= along * direction[row];
    }
  }

  private double length(double[] column) {
    return StrictMath.sqrt(inner(column, column));
  }

  private double inner(double[] a, double[] b) {
    double sum = 0;
    for (int row = 0; row < weights.length; row++) {
      sum += a[row] * weights[row] * b[row];
    }
    return sum;
  }

  private static void divide(double[] column, double divisor) {
    for (int row = 0; row < column.length; row++) {
      column[row] /= divisor;
    }
  }
}
