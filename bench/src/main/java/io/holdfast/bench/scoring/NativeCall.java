package io.holdfast.bench.scoring;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Looks C functions up. Stateless. */
final class NativeCall {
  private NativeCall() {}

  @SuppressWarnings("restricted") // the benchmark is started with --enable-native-access
  static MethodHandle of(SymbolLookup library, String name, FunctionDescriptor type) {
    return Linker.nativeLinker()
        .downcallHandle(
            library
                .find(name)
                .orElseThrow(() -> new IllegalStateException("the library must have " + name)),
            type);
  }

  static FunctionDescriptor status(MemoryLayout... parameters) {
    return FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters);
  }

  /** What a handle throws is a bug of ours: C functions do not throw. */
  static IllegalStateException failure(Throwable cause) {
    return new IllegalStateException("a native call failed", cause);
  }
}
