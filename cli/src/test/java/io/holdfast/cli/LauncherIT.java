package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script and what it starts, in a process of its own, as a user runs it. */
class LauncherIT {
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));

  @TempDir Path folder;

  private record Ended(int exitCode, String out, String err) {}

  @Test
  void version_throughASymbolicLinkFromAnotherFolder_works() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("hf"), launcher());
    Ended ended = run(link, "--version");
    Files.delete(link);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).startsWith("holdfast ");
    assertThat(ended.err()).isEmpty();
  }

  @Test
  void mistake_isOneSentenceAndCodeTwo() throws Exception {
    Ended ended = run(launcher(), "fit", "--data=none.csv", "--roundz=3");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).startsWith("holdfast: ").doesNotContain("\tat ");
  }

  @Test
  void demo_headless_learnsAndSaysSoAsJsonAlone() throws Exception {
    Ended ended = run(launcher(), "demo", "--headless", "--rows=6000", "--json");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).isEmpty();
    JsonNode result = new ObjectMapper().readTree(ended.out());
    assertThat(result.get("rows").asInt()).isEqualTo(6000);
    assertThat(result.get("rowsScored").asInt()).isEqualTo(6000);
    assertThat(result.get("repeatedScores").asInt()).isZero();
    assertThat(result.get("deadLetters")).isEmpty();
    assertThat(result.get("learned").asBoolean()).isTrue();
    assertThat(result.at("/lastQuarter/margin").asDouble())
        .isGreaterThan(result.get("requiredMargin").asDouble());
    assertThat(result.get("versionsPublished").asInt()).isEqualTo(result.get("windows").size());
    assertThat(result.get("windows").size()).isGreaterThanOrEqualTo(5);
    assertThat(result.get("secondsToFirstVersion").asDouble()).isPositive();
    assertThat(result.at("/windows/0/environments").size()).isEqualTo(6);
  }

  @Test
  void demo_tooShortToLearn_failsAndSaysWhy() throws Exception {
    Ended ended = run(launcher(), "demo", "--headless", "--rows=1500", "--json");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err()).contains("did not learn enough").contains("stream more --rows");
    assertThat(new ObjectMapper().readTree(ended.out()).get("learned").asBoolean()).isFalse();
  }

  private static Path launcher() {
    return ROOT.resolve("holdfast").toAbsolutePath().normalize();
  }

  private Ended run(Path launcher, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("HOLDFAST_BUILD", "0"); // the build is under way: it made the jars
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
