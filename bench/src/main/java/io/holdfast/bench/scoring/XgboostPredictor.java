package io.holdfast.bench.scoring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * XGBoost's in-place prediction, called in C without a wrapper between, on one thread, from floats,
 * which are its own format; the description of each block of rows is made beforehand. Used by one
 * thread.
 */
final class XgboostPredictor {
  private static final String CONFIG =
      """
      {"type":1,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false,\
      "missing":NaN,"cache_id":0}""";

  private final MethodHandle lastError;
  private final MethodHandle predict;
  private final MemorySegment booster;
  private final MemorySegment config;
  private final MemorySegment shape;
  private final MemorySegment dimensions;
  private final MemorySegment result;
  private final Arena arena;

  @SuppressWarnings("restricted") // the benchmark is started with --enable-native-access
  private XgboostPredictor(Path file, String model, Arena arena) {
    this.arena = arena;
    SymbolLookup library = SymbolLookup.libraryLookup(file, arena);
    lastError = NativeCall.of(library, "XGBGetLastError", FunctionDescriptor.of(ADDRESS));
    MemorySegment handle = arena.allocate(ADDRESS);
    call(
        function(library, "XGBoosterCreate", ADDRESS, JAVA_LONG, ADDRESS),
        MemorySegment.NULL,
        0L,
        handle);
    booster = handle.get(ADDRESS, 0);
    MemorySegment text = arena.allocateFrom(model);
    call(
        function(library, "XGBoosterLoadModelFromBuffer", ADDRESS, ADDRESS, JAVA_LONG),
        booster,
        text,
        (long) model.getBytes(UTF_8).length);
    MethodHandle set = function(library, "XGBoosterSetParam", ADDRESS, ADDRESS, ADDRESS);
    call(set, booster, arena.allocateFrom("nthread"), arena.allocateFrom("1"));
    predict =
        function(
            library,
            "XGBoosterPredictFromDense",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    config = arena.allocateFrom(CONFIG);
    shape = arena.allocate(ADDRESS);
    dimensions = arena.allocate(JAVA_LONG);
    result = arena.allocate(ADDRESS);
  }

  /** Loads a model; empty where the library is not built for this machine. */
  static Optional<XgboostPredictor> of(String model, Arena arena) throws IOException {
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    String name = "/lib/linux/" + (arm ? "aarch64" : "x86_64") + "/libxgboost4j.so";
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    Path library = Files.createTempFile("holdfast-bench", ".so");
    try (InputStream in = XgboostPredictor.class.getResourceAsStream(name)) {
      if (in == null) {
        return Optional.empty();
      }
      Files.write(library, in.readAllBytes());
      return Optional.of(new XgboostPredictor(library, model, arena));
    } finally {
      Files.deleteIfExists(library); // loaded by now
    }
  }

  private static MethodHandle function(
      SymbolLookup library, String name, ValueLayout... parameters) {
    return NativeCall.of(library, name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  Contender on(TestBench bench, int blockRows) {
    MemorySegment[] blocks = new MemorySegment[bench.rows / blockRows];
    for (int k = 0; k < blocks.length; k++) {
      long address = bench.nativeFloats.address() + 4L * k * blockRows * bench.width;
      blocks[k] =
          arena.allocateFrom(
              String.format(
                  Locale.ROOT,
                  "{\"data\":[%d,true],\"shape\":[%d,%d],\"typestr\":\"<f4\",\"version\":3}",
                  address,
                  blockRows,
                  bench.width));
    }
    return (from, count) -> predict(blocks[from / blockRows], count);
  }

  @SuppressWarnings({"IllegalCatch", "restricted"}) // what a method handle declares; as above
  private double predict(MemorySegment rows, int count) {
    try {
      check(
          (int)
              predict.invokeExact(
                  booster, rows, config, MemorySegment.NULL, shape, dimensions, result));
    } catch (Throwable e) {
      throw NativeCall.failure(e);
    }
    MemorySegment scores = result.get(ADDRESS, 0).reinterpret(4L * count);
    return scores.getAtIndex(JAVA_FLOAT, count - 1);
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private void call(MethodHandle function, Object... arguments) {
    try {
      check((int) function.invokeWithArguments(arguments));
    } catch (Throwable e) {
      throw NativeCall.failure(e);
    }
  }

  @SuppressWarnings("restricted") // as above
  private void check(int status) throws Throwable {
    if (status != 0) {
      MemorySegment message = (MemorySegment) lastError.invokeExact();
      throw new IllegalStateException(
          "a call of XGBoost must return 0: " + message.reinterpret(4096).getString(0));
    }
  }
}
