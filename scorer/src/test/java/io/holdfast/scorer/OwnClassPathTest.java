package io.holdfast.scorer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program with the scorer and what it brings on its class path, and nothing else. */
class OwnClassPathTest {
  /** What the artifact brings, by its pom: Avro with its libraries beside our own. */
  private static final List<String> BROUGHT =
      List.of(
          "boosting/target/classes",
          "/holdfast-boosting-",
          "schemas/target/classes",
          "/holdfast-schemas-",
          "scorer/target/classes",
          "scorer/target/test-classes", // the program
          "/jspecify-",
          "/avro-1",
          "/jackson-core-",
          "/jackson-databind-",
          "/jackson-annotations-",
          "/commons-compress-",
          "/commons-io-",
          "/commons-codec-",
          "/commons-lang3-",
          "/slf4j-api-"); // Avro's own

  /** The program. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      ScoringModel model = ScoringModel.read(Orders.MODEL);
      for (var order : Orders.values()) {
        double[] row = model.row(Orders.record(Orders.schema(), order));
        System.out.println(model.score(row).prediction() + " " + model.score(order).prediction());
      }
    }
  }

  @TempDir Path folder;

  @Test
  void program_withoutKafkaServersOrLogging_scoresToTheBit() throws Exception {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> BROUGHT.stream().anyMatch(entry.replace('\\', '/')::contains))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(classPath).doesNotContain("kafka", "micronaut", "logback", "yaml", "netty");

    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-Dholdfast.root=" + System.getProperty("holdfast.root", ".."),
                "-cp",
                classPath,
                Program.class.getName())
            .redirectError(errors.toFile()) // where Avro's logging facade says that nobody logs
            .start();
    List<String> said = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();

    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(said)
        .containsExactlyElementsOf(
            Arrays.stream(Orders.predictions()).mapToObj(one -> one + " " + one).toList());
  }
}
