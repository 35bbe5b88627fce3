package io.holdfast.bench.peer;

import io.holdfast.boosting.data.Rows;
import java.lang.foreign.SymbolLookup;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** XGBoost: its library, and rows for it. */
public final class XgBoost {
  private XgBoost() {}

  /** Labelled rows, to be disposed of. */
  public static DMatrix data(Rows rows) throws XGBoostError {
    return data(matrix(rows), rows);
  }

  /** As above, from a matrix that is there. */
  public static DMatrix data(float[] matrix, Rows rows) throws XGBoostError {
    DMatrix data = new DMatrix(matrix, rows.size(), rows.width(), Float.NaN);
    data.setLabel(NativeRows.labels(rows));
    return data;
  }

  /** Its functions in C. */
  public static SymbolLookup functions() {
    try {
      new DMatrix(new float[1], 1, 1, Float.NaN).dispose(); // loads the library
    } catch (XGBoostError e) {
      throw new IllegalStateException(e);
    }
    return SymbolLookup.loaderLookup();
  }

  /** The features, row-major. */
  public static float[] matrix(Rows rows) {
    float[] matrix = new float[rows.size() * rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.width(); column++) {
        matrix[row * rows.width() + column] = (float) rows.feature(row, column);
      }
    }
    return matrix;
  }
}
