package io.holdfast.exchange.lightgbm;

import static com.microsoft.ml.lightgbm.lightgbmlib.LGBM_BoosterFree;
import static com.microsoft.ml.lightgbm.lightgbmlib.LGBM_BoosterLoadModelFromString;
import static com.microsoft.ml.lightgbm.lightgbmlib.LGBM_BoosterPredictForMat;
import static com.microsoft.ml.lightgbm.lightgbmlib.LGBM_GetLastError;
import static com.microsoft.ml.lightgbm.lightgbmlib.delete_doubleArray;
import static com.microsoft.ml.lightgbm.lightgbmlib.doubleArray_getitem;
import static com.microsoft.ml.lightgbm.lightgbmlib.doubleArray_setitem;
import static com.microsoft.ml.lightgbm.lightgbmlib.double_to_voidp_ptr;
import static com.microsoft.ml.lightgbm.lightgbmlib.new_doubleArray;
import static com.microsoft.ml.lightgbm.lightgbmlib.new_int64_tp;
import static com.microsoft.ml.lightgbm.lightgbmlib.new_intp;
import static com.microsoft.ml.lightgbm.lightgbmlib.voidpp_handle;
import static com.microsoft.ml.lightgbm.lightgbmlib.voidpp_value;

import com.microsoft.ml.lightgbm.PredictionType;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_double;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_void;
import com.microsoft.ml.lightgbm.lightgbmlib;
import io.github.metarank.lightgbm4j.LGBMBooster;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * LightGBM itself, reading a text model: lightgbm4j 4.3.0 has room for two outputs a row, and
 * writes beyond it for more.
 */
public final class NativeLightGbm {
  private NativeLightGbm() {}

  /** What a model says of rows, row by row. */
  public static double[] predict(String model, double[][] rows, int outputs, PredictionType type) {
    try {
      LGBMBooster.loadNative();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int width = rows[0].length;
    var handle = voidpp_handle();
    check(LGBM_BoosterLoadModelFromString(model, new_intp(), handle));
    SWIGTYPE_p_void booster = voidpp_value(handle);
    SWIGTYPE_p_double matrix = new_doubleArray((long) rows.length * width);
    SWIGTYPE_p_double out = new_doubleArray((long) rows.length * outputs);
    try {
      for (int row = 0; row < rows.length; row++) {
        for (int column = 0; column < width; column++) {
          doubleArray_setitem(matrix, (long) row * width + column, rows[row][column]);
        }
      }
      check(
          LGBM_BoosterPredictForMat(
              booster,
              double_to_voidp_ptr(matrix),
              lightgbmlib.C_API_DTYPE_FLOAT64,
              rows.length,
              width,
              1,
              type.getType(),
              0,
              -1,
              "num_threads=1",
              new_int64_tp(),
              out));
      double[] predictions = new double[rows.length * outputs];
      for (int k = 0; k < predictions.length; k++) {
        predictions[k] = doubleArray_getitem(out, k);
      }
      return predictions;
    } finally {
      delete_doubleArray(matrix);
      delete_doubleArray(out);
      LGBM_BoosterFree(booster);
    }
  }

  private static void check(int code) {
    if (code != 0) {
      throw new IllegalStateException(LGBM_GetLastError());
    }
  }
}
