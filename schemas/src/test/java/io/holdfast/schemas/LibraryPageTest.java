package io.holdfast.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import io.holdfast.boosting.DocumentedCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on the page for library users does what the page says, without Kafka. */
class LibraryPageTest {
  private static final List<Path> CLASS_PATH =
      DocumentedCode.classPath(
          "boosting/target/classes",
          "holdfast-boosting-",
          "schemas/target/classes",
          "/jspecify-",
          "/error_prone_annotations-",
          "/avro-",
          "/commons-compress",
          "/commons-io",
          "/commons-codec",
          "/commons-lang3",
          "/jackson-",
          "/slf4j-api");
  private static final List<String> IMPORTS =
      List.of(
          "java.nio.file",
          "java.time",
          "java.util",
          "io.holdfast.boosting",
          "io.holdfast.boosting.ada",
          "io.holdfast.boosting.anchor",
          "io.holdfast.boosting.data",
          "io.holdfast.boosting.evaluate",
          "io.holdfast.boosting.explain",
          "io.holdfast.boosting.leaf",
          "io.holdfast.boosting.model",
          "io.holdfast.boosting.objective",
          "io.holdfast.boosting.scoring",
          "io.holdfast.boosting.select",
          "io.holdfast.boosting.split",
          "io.holdfast.boosting.tree",
          "io.holdfast.schemas.ledger");
  private static final String RESULT =
      """
      Map<String, Object> result = new HashMap<>();
      result.put("probability", probability);
      result.put("listened", progress.size() > best && progress.getLast() < progress.getFirst());
      result.put("stopped", stopped.model().trees() == best);
      result.put("along", protectedAlong.trees());
      result.put("gamma", chosen.gamma());
      result.put("accuracy", accuracy);
      result.put("regions", regions.size());
      result.put("longer", longer.trees());
      result.put("refreshed", refreshed.trees());
      result.put("unexplained", Math.abs(sum - raw));
      result.put("first", gains.entries().getFirst().feature());
      result.put("points", byAge.points().size());
      result.put("likely", likely);
      result.put("same", loaded.equals(model));
      Files.delete(file);
      return result;
      """;

  @TempDir Path folder;

  @Test
  void page_compiledAndRun_doesWhatItSays() {
    List<String> blocks = DocumentedCode.ofMarkdown(Path.of("../docs/library.md"));
    String program = String.join("\n", blocks) + RESULT;

    var result = (Map<?, ?>) DocumentedCode.run(IMPORTS, program, CLASS_PATH, folder);

    assertThat(result.get("probability")).asInstanceOf(DOUBLE).isBetween(0.5, 1.0);
    assertThat(result.get("listened")).isEqualTo(true);
    assertThat(result.get("stopped")).isEqualTo(true);
    assertThat(result.get("along")).isEqualTo(60);
    assertThat(result.get("accuracy")).asInstanceOf(DOUBLE).isBetween(0.7, 1.0);
    assertThat(result.get("gamma")).as("by the worst environment").isEqualTo(16.0);
    assertThat(result.get("regions")).isEqualTo(4);
    assertThat(result.get("longer")).isEqualTo(120);
    assertThat(result.get("refreshed")).isEqualTo(60);
    assertThat(result.get("unexplained")).asInstanceOf(DOUBLE).isCloseTo(0, within(1e-9));
    assertThat(result.get("first")).isIn("age", "channel");
    assertThat(result.get("points")).isEqualTo(20);
    assertThat(result.get("likely")).asInstanceOf(DOUBLE).isBetween(0.5, 1.0);
    assertThat(result.get("same")).isEqualTo(true);
    assertThat(CLASS_PATH).noneMatch(entry -> entry.toString().contains("kafka"));
  }
}
