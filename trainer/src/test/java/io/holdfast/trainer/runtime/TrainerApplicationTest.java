package io.holdfast.trainer.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerApplicationTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void start_withoutAConfiguration_isAMistakeOfUse() {
    assertThat(run(List.of(), Map.of())).isEqualTo(2);
    assertThat(run(List.of("--config"), Map.of("HOLDFAST_CONFIG", "x"))).isEqualTo(2);
    assertThat(run(List.of("x", "y"), Map.of())).isEqualTo(2);
    assertThat(err.toString(UTF_8).lines())
        .hasSize(3)
        .allMatch("usage: holdfast-trainer --config FILE (or set HOLDFAST_CONFIG)"::equals);
  }

  @Test
  void start_withAnUnknownKey_saysSoInOneSentence() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("c.yaml"),
            "holdfast: { models: { m: { objective: squared, label: y, gama: 7 } } }");

    assertThat(run(List.of("--config", file.toString()), Map.of())).isEqualTo(2);
    assertThat(err.toString(UTF_8).lines())
        .singleElement()
        .asString()
        .contains("holdfast.models.m.gama");
  }

  @Test
  void start_withAFileThatIsNotThere_namesIt() {
    String file = folder.resolve("absent.yaml").toString();

    assertThat(run(List.of(), Map.of("HOLDFAST_CONFIG", file))).isEqualTo(2);
    assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains("absent.yaml");
  }

  @Test
  void start_withoutABroker_saysWhereItLooked() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("c.yaml"),
            """
            kafka: { bootstrap.servers: '127.0.0.1:1' }
            holdfast: { models: { m: { objective: squared, label: y } } }
            """);

    assertThat(run(List.of("--config", file.toString()), Map.of())).isEqualTo(1);
    assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains("127.0.0.1:1");
  }

  private int run(List<String> arguments, Map<String, String> environment) {
    var out = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    return TrainerApplication.PROGRAM.run(
        arguments, environment, out, new PrintStream(err, true, UTF_8));
  }
}
