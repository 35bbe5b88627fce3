package io.holdfast.boosting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Reads the reference vectors, which are not part of the repository. They are in the folder that
 * the system property {@code holdfast.golden} names (relative to the repository), else in {@code
 * golden} under {@code holdfast.shared}. Tests of a file that is not there are skipped, and say so.
 */
public final class GoldenFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  private GoldenFiles() {}

  /** The tests made of a file, or a single skipped one if the file is not there. */
  public static Stream<DynamicTest> tests(
      String file, Function<JsonNode, Stream<DynamicTest>> testsOf) {
    Path path = folder().resolve(file);
    if (!Files.isReadable(path)) {
      String message = "no reference vectors at " + path + " (set -Dholdfast.golden=FOLDER)";
      return Stream.of(DynamicTest.dynamicTest(message, () -> Assumptions.abort(message)));
    }
    try (InputStream in = open(file)) {
      return testsOf.apply(JSON.readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The tests made of each file whose name begins so, or a single skipped one if there is no such
   * file.
   */
  public static Stream<DynamicTest> testsOfAll(
      String prefix, Function<JsonNode, Stream<DynamicTest>> testsOf) {
    List<String> files = names().stream().filter(name -> name.startsWith(prefix)).toList();
    return files.isEmpty()
        ? tests(prefix + "*.json", testsOf)
        : files.stream().flatMap(file -> tests(file, testsOf));
  }

  /** The names of all files of vectors, in order; empty if there is no folder. */
  public static List<String> names() {
    if (!Files.isDirectory(folder())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The entries of an array. */
  public static Stream<JsonNode> entries(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /** A file's bytes. */
  public static InputStream open(String file) throws IOException {
    return Files.newInputStream(folder().resolve(file));
  }

  private static Path folder() {
    Path root = Path.of(System.getProperty("holdfast.root", ".."));
    String golden = System.getProperty("holdfast.golden");
    if (golden != null && !golden.isBlank()) {
      return root.resolve(golden).normalize();
    }
    String shared = System.getProperty("holdfast.shared", "../shared");
    return root.resolve(shared).resolve("golden").normalize();
  }
}
