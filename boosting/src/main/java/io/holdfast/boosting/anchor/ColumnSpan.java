package io.holdfast.boosting.anchor;

import io.holdfast.boosting.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The projection of a dense anchor: onto the span of its columns, as they are or centred.
 * Immutable; safe to share.
 */
public final class ColumnSpan implements Projection {
  /*
   * Gram–Schmidt in the weights' inner product, largest remaining column first, gives the columns
   * of Z. Columns are scaled to unit length at the start, so that no unit of measurement matters,
   * and centred after that, if at all. One whose part outside the span of those taken (and of what
   * it was centred on) is below RANK_CUT of its length is in that span already: a zero, duplicate
   * or constant centred column changes nothing. A column that is taken is made orthogonal a second
   * time after it was stretched to unit length, which removes the rounding that was stretched too.
   */
  private static final double RANK_CUT = 1e-10;

  private final double[][] factor; // columns of Z
  private final double[] weights;

  /**
   * A projection onto the span of columns as they are: add a constant one to project with an
   * intercept.
   *
   * @param columns the anchor's columns, each with a finite entry a row
   * @param weights of the rows, above 0
   */
  public ColumnSpan(double[][] columns, double[] weights) {
    this(columns, weights, null);
  }

  private ColumnSpan(double[][] columns, double[] weights, @Nullable GroupMeans groups) {
    this.weights = weights.clone();
    List<double[]> remaining = new ArrayList<>();
    for (double[] column : columns) {
      addUnit(column, remaining);
    }
    factor = orthonormal(remaining, groups);
  }

  /** Onto what columns span after each one's weighted mean is taken off; without the constant. */
  public static ColumnSpan centred(double[][] columns, double[] weights) {
    return within(GroupMeans.ofAll(weights), columns, weights);
  }

  /** Onto what columns span after the mean of its group is taken off each entry. */
  static ColumnSpan within(GroupMeans groups, double[][] columns, double[] weights) {
    return new ColumnSpan(columns, weights, groups);
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
      for (int a = 0; a < columns; a++) {
        double scaled = scale * along[a];
        for (int b = 0; b <= a; b++) {
          matrix[a * columns + b] += scaled * along[b];
        }
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
  private void addUnit(double[] column, List<double[]> target) {
    Check.that(
        column.length == weights.length,
        "an anchor column must have as many rows as there are weights, %s: %s",
        weights.length,
        column.length);
    double largest = 0;
    for (int row = 0; row < column.length; row++) {
      Check.that(
          Double.isFinite(column[row]),
          "an anchor must be finite: row %s has %s",
          row,
          column[row]);
      largest = Math.max(largest, Math.abs(column[row]));
    }
    if (largest > 0) {
      double[] unit = new double[column.length];
      for (int row = 0; row < unit.length; row++) {
        unit[row] = column[row] / largest; // its square cannot overflow
      }
      divide(unit, length(unit));
      target.add(unit);
    }
  }

  private double[][] orthonormal(List<double[]> remaining, @Nullable GroupMeans groups) {
    List<double[]> basis = new ArrayList<>();
    for (double[] column : remaining) {
      takeOff(groups, basis, column);
    }
    while (!remaining.isEmpty() && basis.size() < weights.length) {
      int longest = 0;
      double length = 0;
      for (int k = 0; k < remaining.size(); k++) {
        double other = length(remaining.get(k));
        if (other > length) {
          longest = k;
          length = other;
        }
      }
      if (!(length > RANK_CUT)) {
        break;
      }
      double[] direction = remaining.remove(longest);
      divide(direction, length);
      takeOff(groups, basis, direction);
      divide(direction, length(direction));
      basis.add(direction);
      for (double[] column : remaining) {
        takeOff(direction, column);
      }
    }
    return basis.toArray(double[][]::new);
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
