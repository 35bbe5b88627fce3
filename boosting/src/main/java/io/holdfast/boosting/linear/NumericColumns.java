package io.holdfast.boosting.linear;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import java.util.ArrayList;
import java.util.List;

/**
 * The numeric features that vary: their mean and deviation, and the range they are clipped to.
 * Those {@code leftOut} vary and have no column all the same.
 */
record NumericColumns(List<Column> columns, List<Integer> leftOut) {
  /*
   * A line goes on for ever, and what was learned does not: values are clipped at EXTRAPOLATION times
   * the observed range beyond its ends, or at its ends where scores are the logs of predictions.
   *
   * No single row is to set the slope. Where one holds more than a part of a feature's variance, the
   * feature is winsorised: its largest values, or its smallest, count as the next to them, until no
   * row holds more. (Of m rows at one end none holds more than 1/m, so these are few steps.) Logs of
   * predictions are exponentiated: of theirs the part is a tenth, or 10 over the number of rows; else
   * it is a half, which is an error of measurement rather than a long tail. Where nothing is left that
   * varies, as of a number that is 0 but for a few rows, the feature is used as it is, or left out for
   * logs of predictions.
   */
  static final double EXTRAPOLATION = 0.5;
  private static final double CONSTANT = 1e-12; // deviation, as a part of the largest value
  private static final double SMALLEST = 1e-40; // deviation
  private static final double MOST = 0.5; // of the variance, held by one row
  private static final double MOST_OF_LOGS = 0.1;
  private static final double MOST_OF_FEW = 10; // the same, over the number of rows
  private static final int STEPS = 64;

  NumericColumns {
    columns = List.copyOf(columns);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * A feature's column.
   *
   * @param feature its place among features
   * @param mean of the clipped values, by weight
   * @param scale their deviation
   * @param fitted what the values of these rows are clipped to
   * @param range what the values of all rows are clipped to; the same for these rows
   */
  record Column(int feature, double mean, double scale, InputRange fitted, InputRange range) {
    /** A value in units of the deviation; 0 where there is none. */
    double standardised(double value) {
      return LinearTerm.usable(value) ? (fitted.clip(value) - mean) / scale : 0;
    }
  }

  /** The numeric features of these rows; {@code logs} if scores are the logs of predictions. */
  static NumericColumns of(Rows rows, List<Feature> features, boolean logs) {
    double most = Math.max(logs ? MOST_OF_LOGS : MOST, MOST_OF_FEW / rows.size());
    double extrapolation = logs ? 0 : EXTRAPOLATION;
    List<Column> columns = new ArrayList<>();
    List<Integer> leftOut = new ArrayList<>();
    for (int feature = 0; feature < features.size(); feature++) {
      if (!(features.get(feature) instanceof Feature.Numeric)) {
        continue;
      }
      Moments all = Moments.of(rows, feature, InputRange.EVERYTHING);
      if (!all.varies()) {
        continue;
      }
      Moments clipped = winsorised(rows, feature, all, most);
      if (clipped.varies() || !logs) {
        Moments used = clipped.varies() ? clipped : all;
        columns.add(column(feature, used, all.range(), extrapolation));
      } else {
        leftOut.add(feature);
      }
    }
    return new NumericColumns(columns, leftOut);
  }

  private static Column column(
      int feature, Moments moments, InputRange seen, double extrapolation) {
    InputRange fitted = moments.range();
    double more = extrapolation * (fitted.high() - fitted.low());
    double low = fitted.low() > seen.low() ? fitted.low() : fitted.low() - more;
    double high = fitted.high() < seen.high() ? fitted.high() : fitted.high() + more;
    var range = new InputRange(InputRange.EVERYTHING.clip(low), InputRange.EVERYTHING.clip(high));
    return new Column(feature, moments.mean(), moments.deviation(), fitted, range);
  }

  /** The values clipped until no row holds more than a part of their variance. */
  private static Moments winsorised(Rows rows, int feature, Moments all, double most) {
    Moments now = all;
    for (int step = 0; step < STEPS && now.varies(); step++) {
      boolean low = now.below() > most * now.sum();
      boolean high = now.above() > most * now.sum();
      if (!low && !high) {
        return now;
      }
      InputRange inner = inner(rows, feature, now.range());
      double from = low ? inner.low() : now.range().low();
      double to = high ? inner.high() : now.range().high();
      now = Moments.of(rows, feature, new InputRange(Math.min(from, to), to));
    }
    return Moments.NONE;
  }

  /** The range without its smallest and its largest value; those themselves if it has no others. */
  private static InputRange inner(Rows rows, int feature, InputRange range) {
    double low = range.high();
    double high = range.low();
    for (int row = 0; row < rows.size(); row++) {
      double value = rows.feature(row, feature);
      if (LinearTerm.usable(value) && !range.excludes(value)) {
        low = value > range.low() ? Math.min(low, value) : low;
        high = value < range.high() ? Math.max(high, value) : high;
      }
    }
    return low <= high ? new InputRange(low, high) : new InputRange(high, high);
  }

  /**
   * The moments of a feature's clipped values, by weight.
   *
   * @param range from the smallest to the largest
   * @param sum of the squared distances from the mean
   * @param below the largest part of the sum that one row below the mean holds
   * @param above the same above it
   */
  private record Moments(
      InputRange range, double mean, double deviation, double sum, double below, double above) {
    static final Moments NONE = new Moments(InputRange.EVERYTHING, 0, 0, 0, 0, 0);

    static Moments of(Rows rows, int feature, InputRange clip) {
      double weights = 0;
      double sum = 0;
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int row = 0; row < rows.size(); row++) {
        double value = rows.feature(row, feature);
        if (LinearTerm.usable(value)) {
          double clipped = clip.clip(value);
          sum += rows.weight(row) * clipped;
          weights += rows.weight(row);
          low = Math.min(low, clipped);
          high = Math.max(high, clipped);
        }
      }
      if (!(weights > 0)) {
        return NONE;
      }
      InputRange range = new InputRange(low, high);
      double mean = sum / weights;
      double squares = 0;
      double below = 0;
      double above = 0;
      for (int row = 0; row < rows.size(); row++) {
        double value = rows.feature(row, feature);
        if (LinearTerm.usable(value)) {
          double clipped = range.clip(value);
          double part = rows.weight(row) * (clipped - mean) * (clipped - mean);
          squares += part;
          if (clipped < mean) {
            below = Math.max(below, part);
          } else {
            above = Math.max(above, part);
          }
        }
      }
      double deviation = StrictMath.sqrt(squares / weights);
      return new Moments(range, mean, deviation, squares, below, above);
    }

    boolean varies() {
      return deviation > Math.max(SMALLEST, CONSTANT * Math.abs(mean));
    }
  }
}
