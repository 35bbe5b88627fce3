package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "service --help",
        "-v service --help",
        "--verbose trainer --help",
        "--verbose=true trainer --help",
      })
  void programThatRunsForLong_afterOptionsToo_hasVectorsAndItsClassCache(String line)
      throws Exception {
    Ended ended = built("holdfast-vectors.aot", line);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("jdk.incubator.vector");
    assertThat(ended.out())
        .contains("-XX:AOTCache=" + folder.toRealPath().resolve("cli/target/holdfast-vectors.aot"))
        .contains("-XX:+ExitOnOutOfMemoryError"); // it would go on by halves
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor --help", "-v doctor --help"})
  void otherCommand_afterOptionsToo_hasTheCommandsClassCacheAndNoVectors(String line)
      throws Exception {
    Ended ended = built("holdfast.aot", line);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .contains("-XX:AOTCache=" + folder.toRealPath().resolve("cli/target/holdfast.aot"));
  }

  /** Runs what is built, with a class cache of that name, and has the JVM print its flags. */
  private Ended built(String cache, String line) throws IOException, InterruptedException {
    Path launcher = fresh("exit 1");
    Path target = Files.createDirectories(folder.resolve("cli/target"));
    Path ours = ROOT.resolve("cli/target").toAbsolutePath().normalize();
    Files.createSymbolicLink(target.resolve("lib"), ours.resolve("lib"));
    try (var jars = Files.newDirectoryStream(ours, "holdfast-cli-*.jar")) {
      for (Path jar : jars) {
        Files.copy(jar, target.resolve(jar.getFileName()));
      }
    }
    // The JVM goes on without a cache that is none.
    Files.writeString(target.resolve(cache), "no cache");
    Ended ended =
        run(
            launcher,
            Map.of("HOLDFAST_BUILD", "0", "HOLDFAST_JAVA_OPTS", "-XX:+PrintCommandLineFlags"),
            line.split(" ", -1));
    Files.delete(target.resolve("lib"));
    return ended;
  }

  @Test
  void mistake_isOneSentenceAndCodeTwo() throws Exception {
    Ended ended = run(launcher(), "fit", "--data=none.csv", "--roundz=3");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).startsWith("holdfast: ").doesNotContain("\tat ");
  }

  @Test
  void memoryThatIsNotEnough_isASentence() throws Exception {
    Path rows = TestFiles.write(folder.resolve("rows.csv"), 60_000, 1);
    String fit = " fit --data=" + rows + " --label=y --objective=squared --rounds=2 --out=m.hf";
    Ended ended = shell("HOLDFAST_JAVA_OPTS=-Xmx12m " + launcher() + fit);
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err())
        .startsWith("holdfast: not enough memory")
        .contains("HOLDFAST_JAVA_OPTS=-Xmx")
        .doesNotContain("\tat ");
  }

  @Test
  void output_thatNobodyReadsOn_endsQuietly_andOnAFullDiskIsASentence() throws Exception {
    Path rows = TestFiles.write(folder.resolve("rows.csv"), 20_000, 1);
    String fit = "fit --data=" + rows + " --label=y --objective=squared --exclude=id,yb --rounds=2";
    Path model = folder.resolve("m.hf");
    String score = launcher() + " score " + rows + " --model=" + model;
    assertThat(shell(launcher() + " " + fit + " --out=" + model).exitCode()).isZero();

    Ended piped = shell(score + " | head -n 2");
    assertThat(piped.out()).startsWith("row,prediction").hasLineCount(2);
    assertThat(piped.err()).isEmpty();
    assertThat(shell("{ " + score + "; echo $? >&3; } 3>code | head -n 2; cat code").out())
        .endsWith("\n141\n");

    Ended full = shell(score + " >/dev/full");
    assertThat(full.exitCode()).isEqualTo(1);
    assertThat(full.err())
        .isEqualTo("holdfast: standard output cannot be written: No space left on device\n");

    Ended appended = shell(score + " >>" + rows);
    assertThat(appended.exitCode()).isEqualTo(2);
    assertThat(appended.err()).contains("DATA names, and standard output goes there");
    assertThat(rows).content().hasLineCount(20_001);
  }

  @Test
  void output_toADescriptorOfTheProcess_standsWhereItWasWritten() throws Exception {
    Path rows = TestFiles.write(folder.resolve("rows.csv"), 60, 1);
    String fit = launcher() + " fit --data=" + rows + " --label=y --objective=squared --rounds=2";
    String model = folder.resolve("m.hf").toString();
    assertThat(shell(fit + " --exclude=id,yb --out=" + model).exitCode()).isZero();
    String score = launcher() + " score " + rows + " --model=" + model + " --out=";
    String all = "{ echo before; " + score + "/dev/stdout; " + score + "/dev/fd/3; echo after; }";
    assertThat(shell(all + " >all 3>three; cat all three").out().lines())
        .hasSize(2 + 61 + 61)
        .startsWith("before", "row,prediction,rawScore")
        .contains("after");
  }

  /** By a script, as this JVM may be unable to name such files itself. */
  @ParameterizedTest
  @ValueSource(strings = {"C", "en_US.ISO-8859-1", "nowhere.UTF-8"})
  void namesAndTexts_areUtf8_whateverTheLocale(String locale) throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("script"),
            """
            mkdir 'größe 标签' && cd 'größe 标签' || exit 9
            { echo 'farbe,größe,标签'
              i=0; while [ $i -lt 60 ]; do
                echo "grün,$i,$i"; echo "ocker,$i,$((i + 50))"; i=$((i + 1))
              done; } >zeilen_é.csv
            "$1" fit --data=zeilen_é.csv --label=标签 --objective=squared --rounds=5 --out=modèle --json
            "$1" score zeilen_é.csv --model=modèle --out=résultat && head -n 1 résultat
            "$1" explain zeilen_é.csv --model="$PWD/modèle"
            "$1" score fehlt_ü.csv --model=modèle
            cd .. && rm -r 'größe 标签'
            """);
    Ended ended =
        run(
            Path.of("/bin/sh"),
            Map.of("HOLDFAST_BUILD", "0", "LC_ALL", locale),
            script.toString(),
            launcher().toString());
    assertThat(ended.out())
        .contains("\"größe\"", "\"farbe\"", "\"modèle\"", "row,prediction", "größe");
    assertThat(ended.err()).contains("holdfast: there is no file fehlt_ü.csv");
    assertThat(ended.err() + ended.out()).doesNotContain("?", "\uFFFD", "\tat ");
  }

  private Ended shell(String line) throws IOException, InterruptedException {
    return run(Path.of("/bin/sh"), Map.of("HOLDFAST_BUILD", "0"), "-c", line);
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

  @Test
  void build_saysWhichModuleItIsAt_andLeavesOutputToTheCommand() throws Exception {
    Ended ended =
        run(
            fresh("ln -s 'BUILT/lib' cli/target/lib && cp 'BUILT'/holdfast-cli-*.jar cli/target"),
            Map.of("HOLDFAST_BUILD", "1", "HOLDFAST_CACHE", "0"),
            "--version");
    Files.deleteIfExists(folder.resolve("cli/target/lib"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).startsWith("holdfast ").hasLineCount(1);
    assertThat(ended.err().lines())
        .hasSize(3)
        .first()
        .asString()
        .startsWith("Building Holdfast (once");
    assertThat(ended.err()).endsWith("  [1/6] Holdfast\n  [2/6] Boosting\n");
    assertThat(folder.resolve("cli/target/build.log")).content().contains("Building jar");
  }

  @Test
  void build_thatFails_saysWhyAndWhereAllIs_andIsTriedAgain() throws Exception {
    Path launcher = fresh("echo '[ERROR] no room left'; exit 1");
    for (int time = 0; time < 2; time++) {
      Ended ended = run(launcher, Map.of("HOLDFAST_CACHE", "0"), "--version");
      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.out()).isEmpty();
      assertThat(ended.err())
          .contains("  [2/6] Boosting\n[ERROR] no room left\nholdfast: the build failed;")
          .endsWith(folder.toRealPath().resolve("cli/target/build.log") + "\n");
    }
  }

  /** A folder where nothing is built, and whose Maven ends with a command; BUILT is our target. */
  private Path fresh(String end) throws IOException {
    Files.createDirectory(folder.resolve(".mvn"));
    Files.copy(ROOT.resolve(".mvn/find-jdk.sh"), folder.resolve(".mvn/find-jdk.sh"));
    Path target = ROOT.resolve("cli/target").toAbsolutePath().normalize();
    Path maven =
        Files.writeString(
            folder.resolve("mvnw"),
            """
            #!/bin/sh
            echo '[INFO] Building Holdfast 0.1.0-SNAPSHOT                                   [1/6]'
            echo '[INFO] Building Holdfast :: Boosting 0.1.0-SNAPSHOT                       [2/6]'
            echo '[INFO] Building jar: boosting/target/holdfast-boosting.jar'
            """
                + end.replace("BUILT", target.toString())
                + "\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    return Files.copy(launcher(), folder.resolve("holdfast"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static Path launcher() {
    return ROOT.resolve("holdfast").toAbsolutePath().normalize();
  }

  private Ended run(Path launcher, String... arguments) throws IOException, InterruptedException {
    // The build is under way: it made the jars.
    return run(launcher, Map.of("HOLDFAST_BUILD", "0"), arguments);
  }

  private Ended run(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    // Runs are short: the optimising compiler took 72 of the 193 s of processor time of this class.
    builder.environment().put("HOLDFAST_TIER", "1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
