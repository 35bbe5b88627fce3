package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Rows;
import org.jspecify.annotations.Nullable;

/** Some rows of features: of a row-major block, or of labelled rows. Owned by one thread. */
final class FeatureBlock {
  private static final double[] NO_DOUBLES = {};

  private double[] doubles = NO_DOUBLES;
  private @Nullable Rows source;
  int width;
  int firstRow;
  int rows;

  void of(double[] features, int width) {
    doubles = features;
    this.width = width;
  }

  void of(Rows rows) {
    source = rows;
    width = rows.width();
  }

  void clear() {
    doubles = NO_DOUBLES;
    source = null;
  }

  void at(int firstRow, int rows) {
    this.firstRow = firstRow;
    this.rows = rows;
  }

  /** Copies a feature's values to {@code target[0, rows)}. */
  void copyColumn(int feature, double[] target) {
    int at = firstRow * width + feature;
    if (source != null) {
      for (int row = 0; row < rows; row++) {
        target[row] = source.feature(firstRow + row, feature);
      }
    } else {
      for (int row = 0; row < rows; row++, at += width) {
        target[row] = doubles[at];
      }
    }
  }

  /** Copies a row's features to {@code target[0, width)}. */
  void copyRow(int row, double[] target) {
    int from = (firstRow + row) * width;
    if (source != null) {
      source.copyFeatures(firstRow + row, target);
    } else {
      System.arraycopy(doubles, from, target, 0, width);
    }
  }
}
