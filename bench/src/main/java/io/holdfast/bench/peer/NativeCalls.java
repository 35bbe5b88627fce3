package io.holdfast.bench.peer;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Functions in C. */
public final class NativeCalls {
  private NativeCalls() {}

  @SuppressWarnings("restricted") // the benchmark is started with --enable-native-access
  public static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
  }

  /** One that returns an int; {@code p} is a pointer, {@code i} an int, {@code l} a long. */
  public static MethodHandle function(SymbolLookup library, String name, String parameters) {
    MemoryLayout[] layouts =
        parameters
            .chars()
            .mapToObj(
                code ->
                    switch (code) {
                      case 'p' -> ValueLayout.ADDRESS;
                      case 'i' -> ValueLayout.JAVA_INT;
                      default -> ValueLayout.JAVA_LONG;
                    })
            .toArray(MemoryLayout[]::new);
    return function(library, name, FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
  }

  /** Calls a function of which time does not matter: its arguments are boxed. */
  @SuppressWarnings("IllegalCatch") // what a method handle declares
  public static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** What a handle throws is a bug of ours: C functions do not throw. */
  public static IllegalStateException failure(Throwable cause) {
    return new IllegalStateException("a native call failed", cause);
  }
}
