package io.holdfast.boosting.linear;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The standardised columns of a linear function: the constant 1, the numeric features, then an
 * indicator for each category. Immutable; safe to share.
 */
final class Design {
  /*
   * Numeric: (clipped value − mean) / deviation, both weighted and over the rows that have a value; 0
   * (the mean) for a missing, infinite or unusable one (LinearTerm.usable). A feature that does not
   * vary has no column.
   *
   * Categorical: 0 or 1, neither centred nor scaled, so that ridge draws a category of few rows more
   * to 0. Missing and unseen categories have 0 everywhere. Beyond MAX_COLUMNS the categories of least
   * weight have no column, nor have those beyond the first MAX_COLUMNS of a feature.
   *
   * Columns are kept where they are small, since a fit asks for them some twenty times; else they are
   * made again, a block of rows at a time. All sums run in the order of rows.
   */
  static final int MAX_COLUMNS = 4096;

  /** Numbers that are kept at most: 2 MiB. */
  static final int MOST_KEPT = 1 << 18;

  private static final int BLOCK = 32;
  private static final int BLOCK_OF_FEW = 128; // rows that stay in the cache
  private static final int FEW = 16; // dense columns; with more, loops along them are faster
  private static final int TOGETHER = 4; // sums in registers

  private final Rows rows;
  final NumericColumns.Column[] numeric; // of columns from 1 on
  final List<Integer> leftOut; // features that vary and lack a column for all or some values
  final int[] categorical; // features
  final int[][] columnOf; // of each categorical feature, by code; 0 if it has none
  private final int columns;
  private final int dense; // the first columns: the constant and the numeric ones
  private final double @Nullable [] kept; // dense columns, row after row
  private final int @Nullable [] keptColumns; // of the categories, row after row

  private Design(
      Rows rows,
      NumericColumns numerics,
      int[] categorical,
      int[][] columnOf,
      int columns,
      List<Integer> leftOut,
      int mostKept) {
    this.rows = rows;
    numeric = numerics.columns().toArray(NumericColumns.Column[]::new);
    this.leftOut = leftOut;
    dense = 1 + numeric.length;
    this.categorical = categorical;
    this.columnOf = columnOf;
    this.columns = columns;
    boolean few = (long) rows.size() * (dense + categorical.length) <= mostKept;
    kept = few ? new double[rows.size() * dense] : null;
    keptColumns = few ? new int[rows.size() * categorical.length] : null;
    for (int row = 0; row < rows.size() && kept != null && keptColumns != null; row++) {
      fill(row, kept, row * dense);
      for (int k = 0; k < categorical.length; k++) {
        keptColumns[row * categorical.length + k] = find(k, row);
      }
    }
  }

  /**
   * The design of these rows; {@code logs} if scores are the logs of predictions.
   *
   * @throws IllegalArgumentException if more than {@link #MAX_COLUMNS} − 1 numeric features vary
   */
  static Design of(Rows rows, List<Feature> features, boolean logs, int mostKept) {
    NumericColumns numerics = NumericColumns.of(rows, features, logs);
    int dense = 1 + numerics.columns().size();
    Check.that(
        dense <= MAX_COLUMNS,
        "a linear base can have at most %s numeric features: %s",
        MAX_COLUMNS - 1,
        dense - 1);
    int[] categorical =
        IntStream.range(0, features.size())
            .filter(feature -> features.get(feature) instanceof Feature.Categorical)
            .toArray();
    List<Integer> leftOut = new ArrayList<>(numerics.leftOut());
    double[][] mass = new double[categorical.length][];
    for (int k = 0; k < categorical.length; k++) {
      int categories = ((Feature.Categorical) features.get(categorical[k])).categories().size();
      // A model keeps effects by code: those of high codes would make a long list.
      int first = Math.min(categories, MAX_COLUMNS);
      mass[k] = massOfCategories(rows, categorical[k], first);
      if (first < categories) {
        leftOut.add(categorical[k]);
      }
    }
    double least = leastMass(mass, MAX_COLUMNS - dense);
    int[][] columnOf = new int[categorical.length][];
    int next = dense;
    for (int k = 0; k < categorical.length; k++) {
      columnOf[k] = new int[mass[k].length];
      for (int code = 0; code < mass[k].length; code++) {
        if (mass[k][code] > least && next < MAX_COLUMNS) {
          columnOf[k][code] = next++;
        } else if (mass[k][code] > 0 && !leftOut.contains(categorical[k])) {
          leftOut.add(categorical[k]);
        }
      }
    }
    return new Design(rows, numerics, categorical, columnOf, next, leftOut, mostKept);
  }

  int columns() {
    return columns;
  }

  int rows() {
    return rows.size();
  }

  /** The column of a numeric feature; 0 if it has none. */
  int columnOf(int feature) {
    for (int k = 0; k < numeric.length; k++) {
      if (numeric[k].feature() == feature) {
        return 1 + k;
      }
    }
    return 0;
  }

  /** Writes X b to {@code target} from {@code to} on, one entry a row; b starts at {@code from}. */
  void multiply(double[] b, int from, double[] target, int to) {
    double[] values = kept == null ? new double[dense] : kept;
    for (int row = 0; row < rows.size(); row++) {
      int first = place(row, values);
      double sum = 0;
      for (int j = 0; j < dense; j++) {
        sum += values[first + j] * b[from + j];
      }
      for (int k = 0; k < categorical.length; k++) {
        int column = column(k, row);
        if (column > 0) {
          sum += b[from + column];
        }
      }
      target[to + row] = sum;
    }
  }

  /** Writes Xᵀ v to {@code target} from {@code to} on, one entry a column; v is at {@code from}. */
  void transposeMultiply(double[] values, int from, double[] target, int to) {
    Arrays.fill(target, to, to + columns, 0);
    double[] own = kept == null ? new double[dense] : kept;
    for (int row = 0; row < rows.size(); row++) {
      int first = place(row, own);
      double value = values[from + row];
      for (int j = 0; j < dense; j++) {
        target[to + j] += value * own[first + j];
      }
      for (int k = 0; k < categorical.length; k++) {
        int column = column(k, row);
        if (column > 0) {
          target[to + column] += value;
        }
      }
    }
  }

  /** Writes the lower triangle of Xᵀ diag(v) X, columns × columns, row-major; zeros above. */
  void gram(double[] values, double[] target) {
    Arrays.fill(target, 0);
    if (kept != null && dense <= FEW) {
      gramOfFew(kept, values, target);
      return;
    }
    double[] block = kept == null ? new double[BLOCK * dense] : kept;
    for (int from = 0; from < rows.size(); from += BLOCK) {
      int size = Math.min(BLOCK, rows.size() - from);
      int first = kept == null ? 0 : from * dense;
      for (int i = 0; i < size && kept == null; i++) {
        fill(from + i, block, i * dense);
      }
      for (int a = 0; a < dense; a++) { // a row of the target stays in the cache
        for (int i = 0; i < size; i++) {
          int own = first + i * dense;
          addTo(target, a * columns, a + 1, block, own, values[from + i] * block[own + a]);
        }
      }
      for (int i = 0; i < size; i++) {
        addCategories(from + i, values[from + i], block, first + i * dense, target);
      }
    }
  }

  /** The same where few dense columns are kept: 1.4 times as fast, since sums stay in registers. */
  private void gramOfFew(double[] kept, double[] values, double[] target) {
    for (int from = 0; from < rows.size(); from += BLOCK_OF_FEW) {
      int size = Math.min(BLOCK_OF_FEW, rows.size() - from);
      for (int a = 0; a < dense; a++) {
        addFew(values, from, size, kept, a, target);
      }
    }
    for (int row = 0; row < rows.size(); row++) {
      addCategories(row, values[row], kept, row * dense, target);
    }
  }

  /** Adds a block's rows to the products of column {@code a} with columns 0 to a. */
  private void addFew(double[] values, int from, int size, double[] block, int a, double[] target) {
    int at = a * columns;
    int first = from * dense;
    int b = 0;
    for (; b <= a && b + TOGETHER <= dense; b += TOGETHER) {
      double sum0 = target[at + b];
      double sum1 = target[at + b + 1];
      double sum2 = target[at + b + 2];
      double sum3 = target[at + b + 3];
      for (int i = 0, own = first; i < size; i++, own += dense) {
        double factor = values[from + i] * block[own + a];
        sum0 += factor * block[own + b];
        sum1 += factor * block[own + b + 1];
        sum2 += factor * block[own + b + 2];
        sum3 += factor * block[own + b + 3];
      }
      target[at + b] = sum0;
      target[at + b + 1] = b + 1 <= a ? sum1 : 0;
      target[at + b + 2] = b + 2 <= a ? sum2 : 0;
      target[at + b + 3] = b + 3 <= a ? sum3 : 0;
    }
    for (; b <= a; b++) {
      double sum = target[at + b];
      for (int i = 0, own = first; i < size; i++, own += dense) {
        sum += values[from + i] * block[own + a] * block[own + b];
      }
      target[at + b] = sum;
    }
  }

  private void addCategories(int row, double value, double[] block, int own, double[] target) {
    for (int k = 0; k < categorical.length; k++) {
      int column = column(k, row);
      if (column == 0) {
        continue;
      }
      int first = column * columns;
      addTo(target, first, dense, block, own, value);
      for (int other = 0; other <= k; other++) {
        int earlier = column(other, row);
        if (earlier > 0) {
          target[first + earlier] += value;
        }
      }
    }
  }

  private static void addTo(
      double[] target, int first, int n, double[] values, int from, double factor) {
    for (int j = 0; j < n; j++) {
      target[first + j] += factor * values[from + j];
    }
  }

  /** How many parts {@link #part} has: dense columns, then categorical features. */
  int parts() {
    return 1 + numeric.length + categorical.length;
  }

  /**
   * Writes one part of diag(v) X: an entry of each row and its column, counted from {@code
   * firstColumn}; a row without one gets 0.
   */
  void part(int part, double[] values, int firstColumn, double[] entries, int[] columnOf) {
    if (part <= numeric.length) {
      Arrays.fill(columnOf, firstColumn + part);
      for (int row = 0; row < entries.length; row++) {
        entries[row] = part == 0 ? values[row] : values[row] * number(part, row);
      }
      return;
    }
    for (int row = 0; row < entries.length; row++) {
      int column = column(part - 1 - numeric.length, row);
      columnOf[row] = firstColumn + column;
      entries[row] = column > 0 ? values[row] : 0;
    }
  }

  /** Where the dense columns of a row are: kept, or written to the start of {@code values}. */
  private int place(int row, double[] values) {
    if (kept != null) {
      return row * dense;
    }
    fill(row, values, 0);
    return 0;
  }

  private void fill(int row, double[] target, int first) {
    target[first] = 1;
    for (int k = 0; k < numeric.length; k++) {
      target[first + k + 1] = standardised(k, row);
    }
  }

  private double number(int column, int row) {
    return kept == null ? standardised(column - 1, row) : kept[row * dense + column];
  }

  private double standardised(int k, int row) {
    return numeric[k].standardised(rows.feature(row, numeric[k].feature()));
  }

  private int column(int k, int row) {
    return keptColumns == null ? find(k, row) : keptColumns[row * categorical.length + k];
  }

  private int find(int k, int row) {
    int code = code(rows.feature(row, categorical[k]), columnOf[k].length);
    return code < 0 ? 0 : columnOf[k][code];
  }

  private static int code(double value, int categories) {
    int code = (int) value;
    return code == value && code >= 0 && code < categories ? code : -1;
  }

  /** The weight of each category; 0 also for one that all rows have. */
  private static double[] massOfCategories(Rows rows, int feature, int categories) {
    double[] mass = new double[categories];
    int[] counts = new int[categories];
    for (int row = 0; row < rows.size(); row++) {
      int code = code(rows.feature(row, feature), categories);
      if (code >= 0) {
        mass[code] += rows.weight(row);
        counts[code]++;
      }
    }
    for (int code = 0; code < categories; code++) {
      if (counts[code] == rows.size()) {
        mass[code] = 0;
      }
    }
    return mass;
  }

  /** The weight that at most {@code room} categories exceed. */
  private static double leastMass(double[][] mass, int room) {
    double[] all = Arrays.stream(mass).flatMapToDouble(Arrays::stream).sorted().toArray();
    return all.length <= room ? 0 : Math.max(0, all[all.length - room - 1]);
  }
}
