package io.holdfast.bench.peer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * LightGBM's interface in C, called without a wrapper that copies arguments number by number, after
 * {@link #load}. Data sets and boosters are to be freed by their makers. Used by one thread.
 */
public final class LightGbm {
  private static final String TEMPORARY = "java.io.tmpdir";
  private static final int FLOAT32 = 0;
  private static final int FLOAT64 = 1;
  private static final int ROW_MAJOR = 1;
  private static final int ALL = -1;
  private static final int RAW_SCORE = 1;
  private static final int LEAF = 2;

  private final MethodHandle predict = function("LGBM_BoosterPredictForMat", "ppiiiiiiippp");
  private final MethodHandle predictFast =
      function("LGBM_BoosterPredictForMatSingleRowFast", "pppp");
  private final MethodHandle update = function("LGBM_BoosterUpdateOneIter", "pp");
  private final MethodHandle updateCustom = function("LGBM_BoosterUpdateOneIterCustom", "pppp");

  private final Arena arena;
  private final MemorySegment parameters;
  private final MemorySegment handle;
  private final MemorySegment number;
  private final MemorySegment length;

  /**
   * LightGBM with parameters in its own notation: {@code name=value}, parted by spaces.
   *
   * @param arena of strings and results
   */
  public LightGbm(String parameters, Arena arena) {
    this.arena = arena;
    this.parameters = arena.allocateFrom(parameters);
    handle = arena.allocate(ADDRESS);
    number = arena.allocate(JAVA_INT);
    length = arena.allocate(JAVA_LONG);
  }

  /**
   * Loads the native library, to a folder of this process alone: in the common one a second process
   * would overwrite it under the first, which then crashes.
   */
  public static void load() throws IOException {
    String common = System.getProperty(TEMPORARY);
    Path own = Files.createTempDirectory("holdfast-lightgbm");
    System.setProperty(TEMPORARY, own.toString());
    try {
      LGBMBooster.loadNative();
    } finally {
      System.setProperty(TEMPORARY, common);
    }
    own.toFile().deleteOnExit(); // in reverse order: what it holds goes first
    try (Stream<Path> files = Files.list(own)) {
      files.forEach(file -> file.toFile().deleteOnExit());
    }
  }

  /** A loss, as a parameter. */
  public static String objective(Objective objective) {
    return switch (objective.name()) {
      case "squared" -> "objective=regression";
      case "logistic" -> "objective=binary";
      case "softmax" -> "objective=multiclass num_class=" + objective.classes();
      default -> throw new IllegalArgumentException("no LightGBM for " + objective.name());
    };
  }

  /** Which columns are categories, as a parameter; empty if there are none. */
  public static String categories(List<Feature> features) {
    String columns =
        IntStream.range(0, features.size())
            .filter(column -> features.get(column) instanceof Feature.Categorical)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return columns.isEmpty() ? "" : "categorical_feature=" + columns;
  }

  /** Trains so many rounds on rows; the raw scores of others, output by output. */
  public static double[][] scores(
      Rows train, String parameters, int rounds, int outputs, Rows... of) {
    try (Arena arena = Arena.ofConfined()) {
      var library = new LightGbm(parameters, arena);
      MemorySegment data = library.newDataset(NativeRows.of(train, arena), MemorySegment.NULL);
      MemorySegment booster = library.newBooster(data);
      for (int round = 0; round < rounds; round++) {
        library.update(booster);
      }
      double[][] scores = new double[of.length][];
      for (int k = 0; k < of.length; k++) {
        int rows = of[k].size();
        MemorySegment byRow = arena.allocate(JAVA_DOUBLE, (long) rows * outputs);
        library.predict(booster, NativeRows.of(of[k], arena), byRow);
        scores[k] = new double[rows * outputs];
        for (int at = 0; at < scores[k].length; at++) {
          scores[k][at] = byRow.getAtIndex(JAVA_DOUBLE, (long) (at % rows) * outputs + at / rows);
        }
      }
      library.freeBooster(booster);
      library.freeDataset(data);
      return scores;
    }
  }

  /** Labelled rows, binned like {@code reference}, or anew if that is NULL. */
  public MemorySegment newDataset(NativeRows rows, MemorySegment reference) {
    MethodHandle create = function("LGBM_DatasetCreateFromMat", "piiiippp");
    call(
        create,
        rows.matrix(),
        FLOAT64,
        rows.rows(),
        rows.width(),
        ROW_MAJOR,
        parameters,
        reference,
        handle);
    MemorySegment data = handle.get(ADDRESS, 0);
    set(data, "label", rows.labels(), rows.rows(), FLOAT32);
    return data;
  }

  /** The rows of a file, which LightGBM reads itself. */
  public MemorySegment newDataset(String file) {
    MethodHandle create = function("LGBM_DatasetCreateFromFile", "pppp");
    call(create, arena.allocateFrom(file), parameters, MemorySegment.NULL, handle);
    return handle.get(ADDRESS, 0);
  }

  /** Reads a file and writes its scores to another, a line a row. */
  public void predict(MemorySegment booster, String file, String target) {
    call(
        function("LGBM_BoosterPredictForFile", "ppiiiipp"),
        booster,
        arena.allocateFrom(file),
        1,
        0,
        0,
        ALL,
        parameters,
        arena.allocateFrom(target));
  }

  /** Scores to start from, output by output. */
  public void setInitialScores(MemorySegment dataset, MemorySegment scores, int count) {
    set(dataset, "init_score", scores, count, FLOAT64);
  }

  private void set(MemorySegment dataset, String name, MemorySegment data, int count, int type) {
    MethodHandle set = function("LGBM_DatasetSetField", "pppii");
    call(set, dataset, arena.allocateFrom(name), data, count, type);
  }

  public void freeDataset(MemorySegment dataset) {
    call(function("LGBM_DatasetFree", "p"), dataset);
  }

  public MemorySegment newBooster(MemorySegment dataset) {
    call(function("LGBM_BoosterCreate", "ppp"), dataset, parameters, handle);
    return handle.get(ADDRESS, 0);
  }

  /** A booster of a model in LightGBM's text format. */
  public MemorySegment newBooster(String model) {
    MethodHandle load = function("LGBM_BoosterLoadModelFromString", "ppp");
    call(load, arena.allocateFrom(model), number, handle);
    return handle.get(ADDRESS, 0);
  }

  /** The booster in LightGBM's text format. */
  public String text(MemorySegment booster) {
    MethodHandle save = function("LGBM_BoosterSaveModelToString", "piiilpp");
    long most = 1 << 26;
    MemorySegment text = arena.allocate(most);
    call(save, booster, 0, ALL, 0, most, length, text);
    return text.getString(0);
  }

  public int trees(MemorySegment booster) {
    call(function("LGBM_BoosterNumberOfTotalModel", "pp"), booster, number);
    return number.get(JAVA_INT, 0);
  }

  /** The trees of {@code model}, with leaf values fitted again to the data of {@code booster}. */
  public void refit(MemorySegment booster, MemorySegment model, int[] leaves, int rows) {
    call(function("LGBM_BoosterMerge", "pp"), booster, model);
    call(
        function("LGBM_BoosterRefit", "ppii"),
        booster,
        arena.allocateFrom(JAVA_INT, leaves),
        rows,
        leaves.length / rows);
  }

  /** Adds a tree. */
  public void update(MemorySegment booster) {
    call(update, booster, number);
  }

  /** Adds a tree on these gradients and hessians, of 32 bits each. */
  public void update(MemorySegment booster, MemorySegment gradients, MemorySegment hessians) {
    call(updateCustom, booster, gradients, hessians, number);
  }

  public void addValidation(MemorySegment booster, MemorySegment dataset) {
    call(function("LGBM_BoosterAddValidData", "pp"), booster, dataset);
  }

  /** The loss of one output's objective on the first validation rows. */
  public double validationLoss(MemorySegment booster) {
    MemorySegment loss = arena.allocate(JAVA_DOUBLE);
    call(function("LGBM_BoosterGetEval", "pipp"), booster, 1, number, loss);
    return loss.get(JAVA_DOUBLE, 0);
  }

  public void freeBooster(MemorySegment booster) {
    call(function("LGBM_BoosterFree", "p"), booster);
  }

  /** Writes the raw scores of rows, row by row. */
  public void predict(MemorySegment booster, NativeRows rows, MemorySegment target) {
    predict(booster, rows, RAW_SCORE, 0, ALL, target);
  }

  /** Writes the leaf of one tree of each row. */
  public void leaves(MemorySegment booster, NativeRows rows, int tree, MemorySegment target) {
    predict(booster, rows, LEAF, tree, 1, target);
  }

  /** Writes the leaves of all trees, row by row. */
  public void leaves(MemorySegment booster, NativeRows rows, MemorySegment target) {
    predict(booster, rows, LEAF, 0, ALL, target);
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private void predict(
      MemorySegment booster, NativeRows of, int what, int tree, int trees, MemorySegment target) {
    MemorySegment matrix = of.matrix();
    int rows = of.rows();
    int width = of.width();
    int status;
    try {
      status =
          (int)
              predict.invokeExact(
                  booster,
                  matrix,
                  FLOAT64,
                  rows,
                  width,
                  ROW_MAJOR,
                  what,
                  tree,
                  trees,
                  parameters,
                  length,
                  target);
    } catch (Throwable e) {
      throw NativeCalls.failure(e);
    }
    check(status);
  }

  /** What {@link #predictFast} asks for beforehand. */
  public MemorySegment fastConfig(MemorySegment booster, int width) {
    MethodHandle init = function("LGBM_BoosterPredictForMatSingleRowFastInit", "piiiiipp");
    call(init, booster, RAW_SCORE, 0, ALL, FLOAT64, width, parameters, handle);
    return handle.get(ADDRESS, 0);
  }

  /** Writes the raw score of one row. */
  @SuppressWarnings("IllegalCatch") // what a method handle declares
  public void predictFast(MemorySegment config, MemorySegment row, MemorySegment target) {
    int status;
    try {
      status = (int) predictFast.invokeExact(config, row, length, target);
    } catch (Throwable e) {
      throw NativeCalls.failure(e);
    }
    check(status);
  }

  private static void call(MethodHandle function, Object... arguments) {
    check((int) NativeCalls.call(function, arguments));
  }

  @SuppressWarnings("restricted") // as long as C's string
  private static void check(int status) {
    if (status != 0) {
      MethodHandle lastError =
          NativeCalls.function(
              SymbolLookup.loaderLookup(), "LGBM_GetLastError", FunctionDescriptor.of(ADDRESS));
      MemorySegment message = (MemorySegment) NativeCalls.call(lastError);
      throw new PeerException(message.reinterpret(Long.MAX_VALUE).getString(0).strip());
    }
  }

  /** A function that returns 0 if all went well. */
  private static MethodHandle function(String name, String parameters) {
    return NativeCalls.function(SymbolLookup.loaderLookup(), name, parameters);
  }
}
