package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in package documentation compile and run, with the engine's own jars alone. */
class PackageDocsTest {
  private static final Path PACKAGES = Path.of("src/main/java/io/holdfast/boosting");
  private static final List<Path> ENGINE =
      DocumentedCode.classPath(
          "boosting/target/classes", "/jspecify-", "/error_prone_annotations-");
  private static final List<String> IMPORTS =
      List.of(
          "java.util",
          "io.holdfast.boosting",
          "io.holdfast.boosting.ada",
          "io.holdfast.boosting.data",
          "io.holdfast.boosting.model",
          "io.holdfast.boosting.objective",
          "io.holdfast.boosting.scoring");

  @TempDir Path folder;

  @Test
  void boosting_example_isFiveLinesThatPredict() {
    String example = example("package-info.java");
    assertThat(example.lines()).hasSize(5);
    Object likely = DocumentedCode.run(IMPORTS, example + "\nreturn likely;", ENGINE, folder);
    assertThat((double) likely).isBetween(0.5, 1.0);
  }

  @Test
  void adaBoost_example_predicts() {
    String given =
        """
        List<Feature> features = List.of(new Feature.Numeric("x"));
        Rows.Builder builder = Rows.builder(1);
        for (int k = 0; k < 20; k++) {
          builder.add(new double[] {k}, k < 12 ? 0 : 1);
        }
        Rows rows = builder.build();
        double[] row = {15};
        """;
    String example = given + example("ada/package-info.java");
    Object likely = DocumentedCode.run(IMPORTS, example + "\nreturn likely;", ENGINE, folder);
    assertThat((double) likely).isGreaterThan(0.9);
  }

  private static String example(String file) {
    List<String> blocks = DocumentedCode.ofJavadoc(PACKAGES.resolve(file));
    assertThat(blocks).hasSize(1);
    return blocks.getFirst();
  }
}
