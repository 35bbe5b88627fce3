package io.holdfast.bench.peer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * LightGBM's interface in C, called without a wrapper that copies its arguments number by number.
 * To be used after {@link LightGbm#load}. Used by one thread.
 */
@SuppressWarnings("restricted") // calls into native code are meant
public final class LightGbmLibrary {
  /** What a prediction is of. */
  public enum Prediction {
    RAW_SCORE(1),
    LEAF(2);

    private final int code;

    Prediction(int code) {
      this.code = code;
    }
  }

  private static final int FLOAT32 = 0;
  private static final int FLOAT64 = 1;
  private static final int ROW_MAJOR = 1;
  private static final int ALL = -1;

  private final MethodHandle datasetCreate =
      function(
          "LGBM_DatasetCreateFromMat",
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          ADDRESS,
          ADDRESS,
          ADDRESS);
  private final MethodHandle datasetSetField =
      function("LGBM_DatasetSetField", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT);
  private final MethodHandle datasetFree = function("LGBM_DatasetFree", ADDRESS);
  private final MethodHandle boosterCreate =
      function("LGBM_BoosterCreate", ADDRESS, ADDRESS, ADDRESS);
  private final MethodHandle boosterUpdate =
      function("LGBM_BoosterUpdateOneIter", ADDRESS, ADDRESS);
  private final MethodHandle boosterUpdateCustom =
      function("LGBM_BoosterUpdateOneIterCustom", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  private final MethodHandle boosterFree = function("LGBM_BoosterFree", ADDRESS);
  private final MethodHandle boosterPredict =
      function(
          "LGBM_BoosterPredictForMat",
          ADDRESS,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          ADDRESS,
          ADDRESS,
          ADDRESS);
  private final MethodHandle lastError =
      Linker.nativeLinker()
          .downcallHandle(symbol("LGBM_GetLastError"), FunctionDescriptor.of(ADDRESS));

  private final Arena arena;
  private final MemorySegment handle;
  private final MemorySegment finished;
  private final MemorySegment length;

  /** Strings and results live as long as {@code arena}. */
  public LightGbmLibrary(Arena arena) {
    this.arena = arena;
    handle = arena.allocate(ADDRESS);
    finished = arena.allocate(JAVA_INT);
    length = arena.allocate(ValueLayout.JAVA_LONG);
  }

  /** A data set of a row-major matrix; binned like {@code reference}, or anew if that is NULL. */
  public MemorySegment newDataset(
      MemorySegment matrix, int rows, int width, String parameters, MemorySegment reference) {
    call(
        datasetCreate,
        matrix,
        FLOAT64,
        rows,
        width,
        ROW_MAJOR,
        arena.allocateFrom(parameters),
        reference,
        handle);
    return handle.get(ADDRESS, 0);
  }

  public void setLabels(MemorySegment dataset, MemorySegment labels, int rows) {
    call(datasetSetField, dataset, arena.allocateFrom("label"), labels, rows, FLOAT32);
  }

  public void setInitialScores(MemorySegment dataset, MemorySegment scores, int rows) {
    call(datasetSetField, dataset, arena.allocateFrom("init_score"), scores, rows, FLOAT64);
  }

  public void freeDataset(MemorySegment dataset) {
    call(datasetFree, dataset);
  }

  public MemorySegment newBooster(MemorySegment dataset, String parameters) {
    call(boosterCreate, dataset, arena.allocateFrom(parameters), handle);
    return handle.get(ADDRESS, 0);
  }

  /** Adds a tree. */
  public void update(MemorySegment booster) {
    call(boosterUpdate, booster, finished);
  }

  /** Adds a tree on these gradients and hessians, of 32 bits each. */
  public void update(MemorySegment booster, MemorySegment gradients, MemorySegment hessians) {
    call(boosterUpdateCustom, booster, gradients, hessians, finished);
  }

  public void freeBooster(MemorySegment booster) {
    call(boosterFree, booster);
  }

  /** Writes what all trees say of the rows of a matrix. */
  public void predict(
      MemorySegment booster,
      MemorySegment matrix,
      int rows,
      int width,
      String parameters,
      MemorySegment target) {
    predict(booster, matrix, rows, width, Prediction.RAW_SCORE, 0, ALL, parameters, target);
  }

  /** Writes the leaf of one tree of each row. */
  public void leaves(
      MemorySegment booster,
      MemorySegment matrix,
      int rows,
      int width,
      int tree,
      String parameters,
      MemorySegment target) {
    predict(booster, matrix, rows, width, Prediction.LEAF, tree, 1, parameters, target);
  }

  @SuppressWarnings("ParameterNumber") // those of the function
  private void predict(
      MemorySegment booster,
      MemorySegment matrix,
      int rows,
      int width,
      Prediction prediction,
      int first,
      int count,
      String parameters,
      MemorySegment target) {
    call(
        boosterPredict,
        booster,
        matrix,
        FLOAT64,
        rows,
        width,
        ROW_MAJOR,
        prediction.code,
        first,
        count,
        arena.allocateFrom(parameters),
        length,
        target);
  }

  private void call(MethodHandle function, Object... arguments) {
    if ((int) invoke(function, arguments) != 0) {
      MemorySegment message = (MemorySegment) invoke(lastError);
      throw new PeerException(message.reinterpret(Long.MAX_VALUE).getString(0).strip());
    }
  }

  @SuppressWarnings("IllegalCatch") // a method handle may throw anything
  private static Object invoke(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** A function that returns 0 if all went well. */
  private static MethodHandle function(String name, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(symbol(name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static MemorySegment symbol(String name) {
    return SymbolLookup.loaderLookup().findOrThrow(name);
  }
}
