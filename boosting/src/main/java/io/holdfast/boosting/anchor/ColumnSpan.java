package io.holdfast.boosting.anchor;

import io.holdfast.boosting.Check;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.qr.QRColPivDecompositionHouseholderColumn_DDRM;

/**
 * The projection of a dense anchor: onto the span of its columns, as they are (centre them, or add
 * a constant one, to project with an intercept). Immutable; safe to share.
 */
public final class ColumnSpan implements Projection {
  /*
   * With R = W^½: the columns of RA are scaled to unit length, so that no unit of measurement
   * matters, then a QR decomposition with column pivoting gives an orthonormal basis Q of their
   * span. Columns whose part outside the span of the others is below RANK_CUT are in it already:
   * a zero or duplicate column changes nothing. P = R⁻¹ Q Qᵀ R and W P = R Q Qᵀ R.
   */
  private static final double RANK_CUT = 1e-10;

  private final double[][] basis; // columns of Q
  private final double[] rootWeights;

  /**
   * A projection onto the span of columns.
   *
   * @param columns the anchor's columns, each with a finite entry a row
   * @param weights of the rows, above 0
   */
  public ColumnSpan(double[][] columns, double[] weights) {
    int rows = weights.length;
    rootWeights = new double[rows];
    for (int row = 0; row < rows; row++) {
      rootWeights[row] = StrictMath.sqrt(weights[row]);
    }
    basis = basis(scaled(columns));
  }

  /** The dimension of the span. */
  public int rank() {
    return basis.length;
  }

  @Override
  public int rows() {
    return rootWeights.length;
  }

  @Override
  public void project(double[] values, double[] target) {
    for (int row = 0; row < rootWeights.length; row++) {
      target[row] = 0;
    }
    for (double[] direction : basis) {
      double along = 0;
      for (int row = 0; row < rootWeights.length; row++) {
        along += direction[row] * rootWeights[row] * values[row];
      }
      for (int row = 0; row < rootWeights.length; row++) {
        target[row] += along * direction[row];
      }
    }
    for (int row = 0; row < rootWeights.length; row++) {
      target[row] /= rootWeights[row];
    }
  }

  @Override
  public void addCoupling(
      double scale, double[] weighted, int[] leafOf, int leaves, double[] matrix) {
    double[] along = new double[leaves];
    for (double[] direction : basis) {
      Arrays.fill(along, 0);
      for (int row = 0; row < rootWeights.length; row++) {
        along[leafOf[row]] += direction[row] * weighted[row] / rootWeights[row];
      }
      for (int a = 0; a < leaves; a++) {
        for (int b = 0; b < leaves; b++) {
          matrix[a * leaves + b] += scale * along[a] * along[b];
        }
      }
    }
  }

  /** The columns of RA that are not 0, each divided by its length. */
  private DMatrixRMaj scaled(double[][] columns) {
    int rows = rootWeights.length;
    double[][] kept = new double[columns.length][];
    int count = 0;
    for (double[] column : columns) {
      double largest = 0;
      for (double value : column) {
        largest = Math.max(largest, Math.abs(value));
      }
      Check.that(Double.isFinite(largest), "an anchor column must be finite: %s", largest);
      if (largest == 0) {
        continue;
      }
      double[] unit = new double[rows];
      double square = 0;
      for (int row = 0; row < rows; row++) {
        unit[row] = column[row] / largest * rootWeights[row]; // its square cannot overflow
        square += unit[row] * unit[row];
      }
      double length = StrictMath.sqrt(square);
      for (int row = 0; row < rows; row++) {
        unit[row] /= length;
      }
      kept[count++] = unit;
    }
    DMatrixRMaj matrix = new DMatrixRMaj(rows, count);
    for (int column = 0; column < count; column++) {
      for (int row = 0; row < rows; row++) {
        matrix.set(row, column, kept[column][row]);
      }
    }
    return matrix;
  }

  private static double[][] basis(DMatrixRMaj scaled) {
    if (scaled.numCols == 0) {
      return new double[0][];
    }
    var decomposition = new QRColPivDecompositionHouseholderColumn_DDRM();
    decomposition.decompose(scaled);
    DMatrixRMaj q = decomposition.getQ(null, true);
    DMatrixRMaj r = decomposition.getR(null, true);
    int rank = 0;
    int most = Math.min(scaled.numRows, scaled.numCols);
    while (rank < most && Math.abs(r.get(rank, rank)) > RANK_CUT) {
      rank++;
    }
    double[][] basis = new double[rank][scaled.numRows];
    for (int column = 0; column < rank; column++) {
      for (int row = 0; row < scaled.numRows; row++) {
        basis[column][row] = q.get(row, column);
      }
    }
    return basis;
  }
}
