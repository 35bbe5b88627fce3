package io.holdfast.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** A program in a JVM of its own that takes signals. Owned by one thread. */
public final class Node implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String HARD_LIMIT = "4096"; // less than any system's

  private final Process process;
  private final Path log;

  private Node(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts {@code main}, which writes to a new file {@code log}. */
  public static Node start(Path log, int megabytes, String main, Object... arguments) {
    return start(Build.current(), log, megabytes, main, arguments);
  }

  /** The same, of another build. */
  static Node start(Build build, Path log, int megabytes, String main, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xmx" + megabytes + "m",
            "-Dholdfast.faults.clock=" + clock(log),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            build.classPath(),
            NodeMain.class.getName(),
            main));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new Node(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has written that. */
  public Node awaitText(String text) {
    try {
      await().atMost(PATIENCE).until(() -> log().contains(text) || !process.isAlive());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(log(), e);
    }
    if (!log().contains(text)) {
      throw new AssertionError("it ended: " + log());
    }
    return this;
  }

  /** All that it has written. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** SIGKILL; returns when it has gone. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM; returns when it has ended, by SIGKILL if it does not by itself. */
  public void stop() {
    thaw(); // a frozen one would not hear of it
    process.toHandle().destroy(); // Process.destroy closes its input, too, at which it halts
    awaitEnd();
  }

  /** Its heap is filled from inside; returns when that has ended it. */
  public void exhaustMemory() {
    try {
      process.getOutputStream().write(0);
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitEnd();
    if (!log().contains("java.lang.OutOfMemoryError")) {
      throw new AssertionError("it ended by something else: " + log());
    }
  }

  /** SIGSTOP: it does nothing until {@link #thaw}. */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sets the clock that its Kafka clients go by, against the machine's. */
  public void setClock(Duration ahead) {
    try {
      Files.writeString(clock(log), String.valueOf(ahead.toMillis()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path clock(Path log) {
    return log.resolveSibling(log.getFileName() + ".clock");
  }

  /** How many file descriptors it has open. */
  public int descriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
      return (int) open.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its threads. */
  public int threads() {
    try {
      return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
          .filter(line -> line.startsWith("Threads:"))
          .mapToInt(line -> Integer.parseInt(line.substring(8).strip()))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of all that can be reached on its heap, after it has collected the rest. */
  public long liveHeap() {
    String last =
        Commands.output(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(process.pid()),
                "GC.class_histogram")
            .lines()
            .filter(line -> line.startsWith("Total"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(last.strip().replaceAll(".* ", ""));
  }

  /** It can open no more file descriptors than it has, until {@link #allowDescriptors}. */
  public void denyDescriptors() {
    limitDescriptors(String.valueOf(descriptors()));
  }

  /** Not even in place of one that is closed, until {@link #allowDescriptors}. */
  public void denyAnyDescriptor() {
    limitDescriptors("3");
  }

  /** As many as it could by its start. */
  public void allowDescriptors() {
    if (alive()) {
      limitDescriptors(HARD_LIMIT);
    }
  }

  private void limitDescriptors(String soft) {
    limit("nofile", soft);
  }

  /** Each write to a file is an I/O error, until {@link #allowWrites}. */
  public void denyWrites() {
    limit("fsize", "0");
  }

  /** As by its start. */
  public void allowWrites() {
    if (alive()) {
      limit("fsize", "unlimited");
    }
  }

  private void limit(String resource, String soft) {
    Commands.run("prlimit", "--pid=" + process.pid(), "--" + resource + "=" + soft + ":");
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("it did not end: " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
