package io.holdfast.bench.scoring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.metarank.lightgbm4j.LGBMBooster;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * LightGBM's own predictors, called in C without a wrapper between: the single-row fast call with
 * its configuration made beforehand, and the batch call on one thread. Used by one thread.
 */
final class LightGbmPredictor {
  private static final int RAW_SCORE = 1;
  private static final int FLOAT64 = 1;
  private static final String PARAMETERS = "num_threads=1";

  private final MethodHandle fast;
  private final MethodHandle batch;
  private final MemorySegment booster;
  private final MemorySegment parameters;
  private final MemorySegment length;
  private final Arena arena;

  LightGbmPredictor(String model, Arena arena) throws IOException {
    LGBMBooster.loadNative();
    this.arena = arena;
    SymbolLookup library = SymbolLookup.loaderLookup();
    MethodHandle load =
        NativeCall.of(
            library,
            "LGBM_BoosterLoadModelFromString",
            NativeCall.status(ADDRESS, ADDRESS, ADDRESS));
    fast =
        NativeCall.of(
            library,
            "LGBM_BoosterPredictForMatSingleRowFast",
            NativeCall.status(ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    batch =
        NativeCall.of(
            library,
            "LGBM_BoosterPredictForMat",
            NativeCall.status(
                ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    parameters = arena.allocateFrom(PARAMETERS);
    length = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment handle = arena.allocate(ADDRESS);
    call(load, arena.allocateFrom(model), arena.allocate(JAVA_INT), handle);
    booster = handle.get(ADDRESS, 0);
  }

  Contender on(TestBench bench, int blockRows) {
    MemorySegment target = arena.allocate(JAVA_DOUBLE, blockRows);
    if (blockRows > 1) {
      return (from, count) -> {
        predictBatch(bench.nativeRows(from, count), count, bench.width, target);
        return target.getAtIndex(JAVA_DOUBLE, count - 1);
      };
    }
    MemorySegment config = fastConfig(bench.width);
    MemorySegment[] rows = new MemorySegment[bench.rows];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = bench.nativeRows(row, 1);
    }
    return (from, _) -> {
      predictFast(config, rows[from], target);
      return target.get(JAVA_DOUBLE, 0);
    };
  }

  private MemorySegment fastConfig(int width) {
    MethodHandle init =
        NativeCall.of(
            SymbolLookup.loaderLookup(),
            "LGBM_BoosterPredictForMatSingleRowFastInit",
            NativeCall.status(
                ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    MemorySegment config = arena.allocate(ADDRESS);
    call(init, booster, RAW_SCORE, 0, -1, FLOAT64, width, parameters, config);
    return config.get(ADDRESS, 0);
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private void predictFast(MemorySegment config, MemorySegment row, MemorySegment target) {
    try {
      check((int) fast.invokeExact(config, row, length, target));
    } catch (Throwable e) {
      throw NativeCall.failure(e);
    }
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private void predictBatch(MemorySegment rows, int count, int width, MemorySegment target) {
    try {
      check(
          (int)
              batch.invokeExact(
                  booster,
                  rows,
                  FLOAT64,
                  count,
                  width,
                  1,
                  RAW_SCORE,
                  0,
                  -1,
                  parameters,
                  length,
                  target));
    } catch (Throwable e) {
      throw NativeCall.failure(e);
    }
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private static void call(MethodHandle function, Object... arguments) {
    try {
      check((int) function.invokeWithArguments(arguments));
    } catch (Throwable e) {
      throw NativeCall.failure(e);
    }
  }

  private static void check(int status) {
    if (status != 0) {
      throw new IllegalStateException("a call of LightGBM must return 0: " + status);
    }
  }
}
