package io.holdfast.service;

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

final class ServiceApplicationTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void noConfig_isAMistakeOfUse() {
    assertThat(run(Map.of())).isEqualTo(2);
    assertThat(errors())
        .containsExactly("usage: holdfast-service --config FILE (or set HOLDFAST_CONFIG)");
  }

  @Test
  void unknownArgument_isAMistakeOfUse() {
    assertThat(run(Map.of("HOLDFAST_CONFIG", "x.yml"), "--confg", "x.yml")).isEqualTo(2);
  }

  @Test
  void configThatIsNotThere_isSaidInOneSentence() {
    assertThat(run(Map.of(), "--config", folder.resolve("none.yml").toString())).isEqualTo(2);
    assertThat(errors()).singleElement().asString().contains("none.yml");
  }

  @Test
  void configFromTheEnvironment_isRead() throws IOException {
    Path config = Files.writeString(folder.resolve("bad.yml"), "holdfast: {modells: {}}");

    assertThat(run(Map.of("HOLDFAST_CONFIG", config.toString()))).isEqualTo(2);
    assertThat(errors()).anyMatch(line -> line.contains("modells"));
  }

  @Test
  void brokerThatDoesNotAnswer_isSaidInOneSentence() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            """
            kafka: {bootstrap.servers: "127.0.0.1:1"}
            holdfast:
              service: {stateDirectory: %s}
              models:
                bikes: {objective: squared, label: count}
            """
                .replace("%s", folder.toString()));

    assertThat(run(Map.of(), "--config", config.toString())).isEqualTo(1);
    assertThat(errors())
        .singleElement()
        .asString()
        .contains("127.0.0.1:1")
        .doesNotContain("Exception");
  }

  @Test
  void schemaFileThatIsNone_isAMistakeInTheConfiguration() throws IOException {
    Files.writeString(folder.resolve("ride.avsc"), "{\"type\": \"int\"}");
    Path config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            """
            kafka: {bootstrap.servers: "127.0.0.1:1"}
            holdfast:
              models:
                bikes: {objective: squared, label: count, schemas: [ride.avsc]}
            """);

    assertThat(run(Map.of(), "--config", config.toString())).isEqualTo(2);
    assertThat(errors()).singleElement().asString().contains("ride.avsc");
  }

  @Test
  void addressThatOthersReach_needsSomebodyWhoCanSayWhoTheyAre() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("open.yml"),
            """
            kafka: {bootstrap.servers: "127.0.0.1:1"}
            holdfast:
              service: {host: 0.0.0.0, stateDirectory: %s}
              security: {openReading: true}
              models:
                bikes: {objective: squared, label: count}
            """
                .replace("%s", folder.toString()));

    assertThat(run(Map.of(), "--config", config.toString())).isEqualTo(1);
    assertThat(errors())
        .singleElement()
        .asString()
        .startsWith("holdfast.service.host is 0.0.0.0, which others reach")
        .contains("holdfast.security.tokens");
  }

  private int run(Map<String, String> environment, String... arguments) {
    return ServiceApplication.PROGRAM.run(
        List.of(arguments),
        environment,
        new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }

  private List<String> errors() {
    return err.toString(UTF_8).lines().toList();
  }
}
