package io.holdfast.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.kafka.EmbeddedBroker;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The images without an engine: for each target of the Dockerfile a folder that holds only what its
 * COPY lines bring, where its ENTRYPOINT is run and its HEALTHCHECK asked, word by word. Only what
 * an image takes from its surroundings differs: ports, and the folders that are mounted.
 */
class ImagesIT {
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : started) {
      process.destroy();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void images_fromTheirOwnFoldersAlone_comeUpHealthy() throws Exception {
    int servicePort = freePort();
    int trainerPort = freePort();
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      Path config = config(servicePort, trainerPort);
      Map<String, String> variables =
          Map.of(
              "KAFKA_BOOTSTRAP_SERVERS",
              broker.bootstrapServers(),
              "HOLDFAST_CONFIG",
              config.toString());

      Process topics =
          start(
              image("cli"), List.of("topics", "create", "--config", config.toString()), variables);
      assertThat(topics.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(topics.exitValue()).as(Files.readString(folder.resolve("cli.log"))).isZero();

      Process service = start(image("service"), List.of(), variables);
      Process trainer = start(image("trainer"), List.of(), variables);
      awaitHealthy("service", "8080", servicePort);
      awaitHealthy("trainer", "8081", trainerPort);
      assertThat(service.isAlive()).isTrue();
      assertThat(trainer.isAlive()).isTrue();
    }
  }

  @Test
  void images_runAsAUserWithoutRights() throws IOException {
    for (String target : List.of("service", "trainer", "cli")) {
      assertThat(stage(target)).as("image %s", target).contains("USER 10001:10001");
    }
  }

  /**
   * As the RUN line makes it; the JVM that is told to insist on a cache ends if it does not fit.
   */
  @Test
  @Tag("long")
  void classCache_ofAnImage_fitsItsEntrypoint() throws Exception {
    Path image = image("service");
    List<String> program = withoutCache(words("ENTRYPOINT", stage("service")));
    List<String> making = new ArrayList<>();
    for (String part : List.of("deploy/class-cache", "cli/target", "deploy/config")) {
      making.add(ROOT.resolve(part).toAbsolutePath().normalize().toString());
    }
    making.addAll(program);
    Process made = run("class-cache", image, making);
    assertThat(made.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(made.exitValue()).as(Files.readString(folder.resolve("class-cache.log"))).isZero();

    List<String> insisting =
        new ArrayList<>(List.of("java", "-XX:AOTCache=classes.aot", "-XX:AOTMode=on"));
    insisting.addAll(program);
    Process usage = run("usage", image, insisting);
    assertThat(usage.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("usage.log"))).contains("usage: holdfast-service");
  }

  @Test
  void classCaches_areMadeWithTheFlagsOfTheirEntrypoints() throws IOException {
    for (String target : List.of("service", "trainer")) {
      String stage = stage(target);
      String made = stage.substring(stage.indexOf("/src/deploy/config"), stage.indexOf("\nUSER"));
      List<String> words =
          Pattern.compile("\\s+")
              .splitAsStream(made.replace("\\", "").replace("'", ""))
              .skip(1)
              .toList();
      assertThat(words).as(target).isEqualTo(withoutCache(words("ENTRYPOINT", stage)));
    }
  }

  private static List<String> withoutCache(List<String> entrypoint) {
    return entrypoint.stream()
        .skip(1)
        .filter(word -> !word.startsWith("-XX:AOTCache") && !word.startsWith("-Xlog"))
        .toList();
  }

  /** Runs a program in the image's folder, with this JDK first on the path and no configuration. */
  private Process run(String name, Path image, List<String> command) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    List<String> full = new ArrayList<>(command);
    if (full.getFirst().equals("java")) {
      full.set(0, Path.of(java, "java").toString());
    }
    ProcessBuilder builder = new ProcessBuilder(full).directory(image.toFile());
    builder.environment().merge("PATH", java, (path, ours) -> ours + File.pathSeparator + path);
    builder.environment().remove("HOLDFAST_CONFIG");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start();
    started.add(process);
    return process;
  }

  /** The working folder of an image: what its COPY lines bring, and nothing else. */
  private Path image(String target) throws IOException {
    Path image = Files.createDirectories(folder.resolve("image-" + target));
    Matcher copy =
        Pattern.compile("(?m)^COPY --from=build /src/(\\S+) (\\S+)$").matcher(stage(target));
    while (copy.find()) {
      Path to = Files.createDirectories(image.resolve(copy.group(2)));
      for (Path file : files(copy.group(1))) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    assertThat(image.resolve("lib")).isNotEmptyDirectory();
    return image;
  }

  /** The files that a COPY source stands for: all of a folder, or what a pattern matches. */
  private static List<Path> files(String source) throws IOException {
    Path path = ROOT.resolve(source);
    boolean whole = source.endsWith("/");
    PathMatcher matcher =
        FileSystems.getDefault().getPathMatcher("glob:" + (whole ? "*" : path.getFileName()));
    try (Stream<Path> files = Files.list(whole ? path : path.getParent())) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> matcher.matches(file.getFileName()))
          .filter(file -> !file.toString().endsWith("-tests.jar"))
          .toList();
    }
  }

  private Process start(Path image, List<String> arguments, Map<String, String> variables)
      throws IOException {
    String target = image.getFileName().toString().substring("image-".length());
    List<String> command = new ArrayList<>(words("ENTRYPOINT", stage(target)));
    assertThat(command.getFirst()).isEqualTo("java");
    command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(image.toFile());
    builder.environment().putAll(variables);
    File output = folder.resolve(target + ".log").toFile();
    Process process = builder.redirectErrorStream(true).redirectOutput(output).start();
    started.add(process);
    return process;
  }

  private void awaitHealthy(String target, String imagePort, int port) throws IOException {
    List<String> check =
        words("CMD", stage(target)).stream()
            .map(word -> word.replace("/" + imagePort + " ", "/" + port + " "))
            .toList();
    Path output = folder.resolve(target + ".log");
    await(target + " is healthy")
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              Process probe = new ProcessBuilder(check).redirectErrorStream(true).start();
              probe.getInputStream().readAllBytes();
              assertThat(probe.waitFor()).as(Files.readString(output)).isZero();
            });
  }

  private Path config(int servicePort, int trainerPort) throws IOException {
    Path config = Files.createDirectories(folder.resolve("config"));
    try (Stream<Path> files = Files.list(ROOT.resolve("deploy/config"))) {
      files.forEach(file -> copy(file, config.resolve(file.getFileName())));
    }
    Path tokens =
        Files.writeString(folder.resolve("tokens"), "me admin " + "0123456789abcdef".repeat(3));
    Path yaml = config.resolve("holdfast.yml");
    String text =
        Files.readString(yaml)
            .replace("port: 8080", "port: " + servicePort)
            .replace("port: 8081", "port: " + trainerPort)
            .replace("/run/secrets/tokens", tokens.toString())
            .replace("/holdfast/data", folder.resolve("data").toString());
    return Files.writeString(yaml, text);
  }

  private static void copy(Path from, Path to) {
    try {
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of one build stage of the Dockerfile. */
  private static String stage(String target) throws IOException {
    String dockerfile = Files.readString(ROOT.resolve("deploy/Dockerfile"));
    int from = dockerfile.indexOf(" AS " + target + "\n");
    assertThat(from).as("stage %s", target).isNotNegative();
    int to = dockerfile.indexOf("\nFROM ", from);
    return dockerfile.substring(from, to < 0 ? dockerfile.length() : to);
  }

  /** The words of an instruction in its JSON form. */
  private static List<String> words(String instruction, String stage) throws IOException {
    Matcher line = Pattern.compile("(?m)^\\s*" + instruction + " (\\[.*])$").matcher(stage);
    assertThat(line.find()).as("%s in %s", instruction, stage).isTrue();
    return List.of(new ObjectMapper().readValue(line.group(1), String[].class));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
