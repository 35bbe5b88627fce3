package io.holdfast.bench.scoring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.peer.NativeCalls;
import io.holdfast.bench.peer.XgBoost;
import io.holdfast.schemas.Sentence;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * XGBoost's in-place prediction, called in C without a wrapper between, on one thread, from floats,
 * which are its own format; the description of each block of rows is made beforehand. Used by one
 * thread.
 */
final class XgboostPredictor {
  private static final String CONFIG =
      """
      {"type":1,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false,\
      "missing":NaN,"cache_id":0}\
      """;

  private final SymbolLookup library = XgBoost.functions();
  private final MethodHandle predict = function("XGBoosterPredictFromDense", "ppppppp");
  private final MemorySegment booster;
  private final MemorySegment config;
  private final MemorySegment shape;
  private final MemorySegment dimensions;
  private final MemorySegment result;
  private final Arena arena;

  /** Loads a model in XGBoost's JSON format. */
  XgboostPredictor(String model, Arena arena) {
    this.arena = arena;
    MemorySegment handle = arena.allocate(ADDRESS);
    call(function("XGBoosterCreate", "plp"), MemorySegment.NULL, 0L, handle);
    booster = handle.get(ADDRESS, 0);
    call(
        function("XGBoosterLoadModelFromBuffer", "ppl"),
        booster,
        arena.allocateFrom(model),
        (long) model.getBytes(UTF_8).length);
    MethodHandle set = function("XGBoosterSetParam", "ppp");
    call(set, booster, arena.allocateFrom("nthread"), arena.allocateFrom("1"));
    config = arena.allocateFrom(CONFIG);
    shape = arena.allocate(ADDRESS);
    dimensions = arena.allocate(JAVA_LONG);
    result = arena.allocate(ADDRESS);
  }

  private MethodHandle function(String name, String parameters) {
    return NativeCalls.function(library, name, parameters);
  }

  BlockScorer on(TestBench bench, int blockRows) {
    MemorySegment[] blocks = new MemorySegment[bench.rows / blockRows];
    for (int k = 0; k < blocks.length; k++) {
      long address = bench.nativeFloats.address() + 4L * k * blockRows * bench.width;
      blocks[k] =
          arena.allocateFrom(
              Sentence.of(
                  "{\"data\":[%d,true],\"shape\":[%d,%d],\"typestr\":\"<f4\",\"version\":3}",
                  address, blockRows, bench.width));
    }
    return (from, count) -> predict(blocks[from / blockRows], count);
  }

  @SuppressWarnings({"IllegalCatch", "restricted"}) // what a handle declares; as many floats
  private double predict(MemorySegment rows, int count) {
    int status;
    try {
      status =
          (int)
              predict.invokeExact(
                  booster, rows, config, MemorySegment.NULL, shape, dimensions, result);
    } catch (Throwable e) {
      throw NativeCalls.failure(e);
    }
    check(status);
    MemorySegment scores = result.get(ADDRESS, 0).reinterpret(4L * count);
    return scores.getAtIndex(JAVA_FLOAT, count - 1);
  }

  private void call(MethodHandle function, Object... arguments) {
    check((int) NativeCalls.call(function, arguments));
  }

  @SuppressWarnings("restricted") // as long as C's string
  private void check(int status) {
    if (status != 0) {
      MethodHandle lastError =
          NativeCalls.function(library, "XGBGetLastError", FunctionDescriptor.of(ADDRESS));
      MemorySegment message = (MemorySegment) NativeCalls.call(lastError);
      throw new IllegalStateException(
          "a call of XGBoost must return 0: " + message.reinterpret(4096).getString(0));
    }
  }
}
