package io.holdfast.bench.scoring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.holdfast.bench.peer.NativeCalls;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An ensemble as C: a function of nested ifs for each tree, compiled by {@code gcc -O3
 * -march=native}. Used by one thread.
 */
final class CompiledC {
  private final MethodHandle score;
  private final MethodHandle scores;
  private final Arena arena;

  @SuppressWarnings("restricted") // the benchmark is started with --enable-native-access
  private CompiledC(Path library, Arena arena) {
    this.arena = arena;
    SymbolLookup symbols = SymbolLookup.libraryLookup(library, arena);
    score = NativeCalls.function(symbols, "score", FunctionDescriptor.of(JAVA_DOUBLE, ADDRESS));
    scores =
        NativeCalls.function(
            symbols, "scores", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, ADDRESS));
  }

  /** Compiles a model of numeric features and one output; empty if there is no gcc. */
  static Optional<CompiledC> of(Model model, Arena arena) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("holdfast-bench");
    Path source = folder.resolve("ensemble.c");
    Path library = folder.resolve("ensemble.so");
    Files.writeString(source, source(model));
    String flags = "-O3 -march=native -shared -fPIC -o";
    try {
      Process compiler =
          new ProcessBuilder(("gcc " + flags + " " + library + " " + source).split(" "))
              .inheritIO()
              .start();
      if (compiler.waitFor() != 0) {
        throw new IOException("gcc failed on " + source + "; its messages are above");
      }
      return Optional.of(new CompiledC(library, arena));
    } catch (IOException e) {
      if (Files.exists(library)) {
        throw e;
      }
      return Optional.empty();
    } finally {
      Files.deleteIfExists(source);
      Files.deleteIfExists(library); // loaded by now
      Files.delete(folder);
    }
  }

  BlockScorer on(TestBench bench, int blockRows) {
    if (blockRows == 1) {
      MemorySegment[] rows = bench.nativeRows();
      return (from, _) -> one(rows[from]);
    }
    MemorySegment target = arena.allocate(JAVA_DOUBLE, blockRows);
    return (from, count) -> {
      block(bench.nativeRows(from, count), count, target);
      return target.getAtIndex(JAVA_DOUBLE, count - 1);
    };
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private double one(MemorySegment row) {
    try {
      return (double) score.invokeExact(row);
    } catch (Throwable e) {
      throw NativeCalls.failure(e);
    }
  }

  @SuppressWarnings("IllegalCatch") // what a method handle declares
  private void block(MemorySegment rows, int count, MemorySegment target) {
    try {
      scores.invokeExact(rows, (long) count, target);
    } catch (Throwable e) {
      throw NativeCalls.failure(e);
    }
  }

  private static String source(Model model) {
    var text = new StringBuilder();
    int trees = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        text.append("static double t").append(trees++).append("(const double *x) {\n");
        write(text, tree, tree.innerNodes() == 0 ? -1 : 0, segment.decay());
        text.append("}\n");
      }
    }
    text.append("double score(const double *x) {\ndouble s = ")
        .append(Double.toHexString(model.base().intercept(0)))
        .append(";\n");
    for (int tree = 0; tree < trees; tree++) {
      text.append("s += t").append(tree).append("(x);\n");
    }
    return text.append("return s;\n}\n")
        .append("void scores(const double *x, long rows, double *s) {\n")
        .append("for (long r = 0; r < rows; r++) s[r] = score(x + r * ")
        .append(model.features().size())
        .append(");\n}\n")
        .toString();
  }

  private static void write(StringBuilder text, Tree tree, int node, double decay) {
    if (node < 0) {
      double value = decay * tree.leafValue(-1 - node);
      text.append("return ").append(Double.toHexString(value)).append(";\n");
      return;
    }
    String feature = "x[" + tree.feature(node) + "]";
    String threshold = Double.toHexString(tree.threshold(node));
    text.append("if (")
        .append(
            tree.missingLeft(node)
                ? "!(" + feature + " > " + threshold + ")"
                : feature + " <= " + threshold)
        .append(") {\n");
    write(text, tree, tree.left(node), decay);
    text.append("} else {\n");
    write(text, tree, tree.right(node), decay);
    text.append("}\n");
  }
}
