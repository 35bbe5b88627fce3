package io.holdfast.boosting.numeric;

/**
 * The JDK's incubator module for vectors, without which everything works, too. Classes that name
 * its types are linked when their methods are called first, so callers ask here before. Stateless.
 */
public final class VectorModule {
  private static final boolean PRESENT =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  private VectorModule() {}

  /** Whether the JVM was started with {@code --add-modules jdk.incubator.vector}. */
  public static boolean present() {
    return PRESENT;
  }
}
