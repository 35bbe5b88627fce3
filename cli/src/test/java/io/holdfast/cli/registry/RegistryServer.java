package io.holdfast.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.settings.Registry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A real schema registry, Apicurio's, as a process of its own that keeps what it has over a
 * restart. Its archive is where {@code mvnw pre-integration-test} copies it to, or in Maven's
 * repository.
 */
final class RegistryServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path folder;
  private int port;
  private boolean began;
  private @Nullable Process process;

  /** Unpacks the program into {@code folder}; starts nothing. */
  RegistryServer(Path folder) throws IOException, InterruptedException {
    this.folder = Files.createDirectories(folder);
    Path archive = archive();
    assumeTrue(
        Files.isRegularFile(archive),
        "no schema registry to test with: ./mvnw pre-integration-test copies it to cli/target");
    Process tar =
        new ProcessBuilder("tar", "xzf", archive.toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(tar.exitValue()).isZero();
    port = freePort();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static Path archive() throws IOException {
    Path target = Path.of("target", "registry");
    if (Files.isDirectory(target)) {
      try (Stream<Path> files = Files.list(target)) {
        return files.findFirst().orElse(target);
      }
    }
    Path repository = Path.of(System.getProperty("user.home"), ".m2", "repository");
    Path versions = repository.resolve("io/apicurio/apicurio-registry-app");
    if (!Files.isDirectory(versions)) {
      return versions;
    }
    try (Stream<Path> files = Files.walk(versions)) {
      return files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElse(versions);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port + "/apis/ccompat/v7");
  }

  /**
   * Starts it and waits until it answers; at its first start by another port if its own was taken
   * meanwhile.
   */
  void start() throws IOException {
    Process running = run();
    for (int tries = 0; !answered(running); tries++) {
      assertThat(began || tries == 4).as("the registry ended").isFalse();
      port = freePort();
      running = run();
    }
    began = true;
  }

  /** Waits until it answers, or has ended. */
  private boolean answered(Process running) {
    await("the registry").atMost(PATIENCE).until(() -> !running.isAlive() || answers());
    return running.isAlive();
  }

  private Process run() throws IOException {
    Process running =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dapicurio.datasource.url=jdbc:h2:file:" + folder.resolve("data"),
                "-jar",
                "quarkus-run.jar")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log.txt").toFile())
            .start();
    process = running;
    return running;
  }

  private boolean answers() throws InterruptedException {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/subjects")).build();
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Kills it; what it has acknowledged stays. */
  void stop() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      running.onExit().join();
      process = null;
    }
  }

  /** Registers a schema, as a producer does. */
  int register(String subject, Schema schema) throws Exception {
    try (SchemaRegistry client = new SchemaRegistry(new Registry(List.of(url())), failure -> {})) {
      return client.register(subject, schema).id();
    }
  }

  /** All subjects, as JSON. */
  String subjects() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/subjects")).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Override
  public void close() {
    stop();
  }
}
