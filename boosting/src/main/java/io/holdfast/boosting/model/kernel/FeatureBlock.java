package io.holdfast.boosting.model.kernel;

import io.holdfast.boosting.data.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of features: of a row-major block in doubles or floats, or of labelled rows. Owned by
 * one thread.
 */
final class FeatureBlock {
  private static final double[] NO_DOUBLES = {};
  private static final int STRIDE = BlockScratch.TILE_STRIDE;
  private static final int LINE = 8; // values of a line of the cache

  private double[] doubles = NO_DOUBLES;
  private float @Nullable [] floats;
  private @Nullable Rows source;
  private int width;
  private int firstRow;
  private int rows;
  long fetched; // nobody looks at it

  /** Looks at rows of {@code features}. */
  void of(double[] features, int width) {
    doubles = features;
    this.width = width;
  }

  /** Looks at rows of {@code features}. */
  void of(float[] features, int width) {
    floats = features;
    this.width = width;
  }

  /** Looks at rows of {@code rows}. */
  void of(Rows rows) {
    source = rows;
    width = rows.width();
  }

  /** Lets go of what was looked at. */
  void clear() {
    doubles = NO_DOUBLES;
    floats = null;
    source = null;
  }

  /** Moves on to rows {@code [firstRow, firstRow + rows)}. */
  void at(int firstRow, int rows) {
    this.firstRow = firstRow;
    this.rows = rows;
  }

  int rows() {
    return rows;
  }

  /** Copies a feature's values to {@code target[0, rows)}. */
  void copyColumn(int feature, double[] target) {
    int at = firstRow * width + feature;
    if (source != null) {
      for (int row = 0; row < rows; row++) {
        target[row] = source.feature(firstRow + row, feature);
      }
    } else if (floats != null) {
      for (int row = 0; row < rows; row++, at += width) {
        target[row] = floats[at];
      }
    } else {
      for (int row = 0; row < rows; row++, at += width) {
        target[row] = doubles[at];
      }
    }
  }

  /**
   * Copies features {@code [from, end)} of a list to columns of {@code target}, each value rounded
   * to the nearest; a row of all of them at a time, since columns alone would come through the
   * cache once for each line's eight values.
   */
  void copyColumns(int[] features, int from, int end, float[] target) {
    int count = end - from;
    int at = firstRow * width + features[from];
    if (source != null || floats != null || features[end - 1] - features[from] != count - 1) {
      for (int row = 0; row < rows; row++) {
        for (int k = 0; k < count; k++) {
          target[k * STRIDE + row] = value(firstRow + row, features[from + k]);
        }
      }
    } else {
      for (int row = 0; row < rows; row++, at += width) {
        for (int k = 0; k < count; k++) {
          target[k * STRIDE + row] = (float) doubles[at + k];
        }
      }
    }
  }

  /** The same by vectors of 512 bits, which are there and compiled, where values are doubles. */
  void copyColumnsByVectors(int[] features, int from, int end, float[] target) {
    int side = VectorTiles.SIDE;
    int count = end - from;
    int turned = rows - rows % side;
    if (source != null
        || floats != null
        || features[end - 1] - features[from] != count - 1
        || count < side
        || turned == 0) {
      copyColumns(features, from, end, target);
      return;
    }
    if (width < 2 * count) { // most of a line is asked for
      fetched = fetch();
    }
    int at = firstRow * width + features[from];
    for (int k = 0; k < count; k += side) {
      int column = Math.min(k, count - side); // the last ones again if they are fewer
      VectorTiles.turn(doubles, at + column, width, turned, target, column * STRIDE);
    }
    at += turned * width;
    for (int row = turned; row < rows; row++, at += width) {
      for (int k = 0; k < count; k++) {
        target[k * STRIDE + row] = (float) doubles[at + k];
      }
    }
  }

  /**
   * Reads something of each of the cache's lines that the block takes, in the order of memory.
   *
   * <p>Eight columns are turned at a time, in steps of a row: lines between come in later, and what
   * is fetched ahead is of little use. Where rows of 30 features are in no cache of the core's own,
   * this saves 7 to 13 ns a row of 110 to 150; where they are, it costs nothing that shows.
   *
   * @return what was read: if nobody could look at it, nothing would be
   */
  private long fetch() {
    double[] values = doubles;
    int end = (firstRow + rows) * width;
    long read = 0;
    for (int k = firstRow * width; k < end; k += LINE) {
      read |= Double.doubleToRawLongBits(values[k]);
    }
    return read;
  }

  private float value(int row, int feature) {
    if (source != null) {
      return (float) source.feature(row, feature);
    }
    int at = row * width + feature;
    return floats != null ? floats[at] : (float) doubles[at];
  }

  /** Copies a row's features to {@code target[0, width)}. */
  void copyRow(int row, double[] target) {
    int from = (firstRow + row) * width;
    if (source != null) {
      source.copyFeatures(firstRow + row, target);
    } else if (floats != null) {
      for (int k = 0; k < width; k++) {
        target[k] = floats[from + k];
      }
    } else {
      System.arraycopy(doubles, from, target, 0, width);
    }
  }
}
