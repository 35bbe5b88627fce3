package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A JVM of our own class path and flags that answers one line for each line it is told. It ends
 * when its standard input does, so none outlives this one. Owned by one thread.
 */
final class ChildJvm implements AutoCloseable {
  private static final String ANSWER = "@ ";

  private final Process process;
  private final BufferedWriter in;
  private final BufferedReader out;

  private ChildJvm(Process process) {
    this.process = process;
    this.in = process.outputWriter(UTF_8);
    this.out = process.inputReader(UTF_8);
  }

  /** Starts {@code main}, with the flags of the launcher. */
  static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-XX:AOT") && !flag.startsWith("-agent"))
        .forEach(command::add);
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx1g");
    command.add("-Dlogback.configurationFile=logback-holdfast-bench.xml");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(Arrays.asList(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Says a line and waits for the answer to it. */
  String ask(String line) throws IOException {
    in.write(line);
    in.newLine();
    in.flush();
    return answer();
  }

  /** The next answer; what else the JVM prints is passed over. */
  String answer() throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
    }
    throw new IOException("a JVM of the benchmark ended early: its messages are above");
  }

  /** In the child: what it says to the words of a line. */
  @FunctionalInterface
  interface Answer {
    String to(String[] words) throws IOException;
  }

  /** In the child: says that it is ready and answers lines until its standard input ends. */
  static void serve(String ready, Answer answer) throws IOException {
    reply(ready);
    var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      reply(answer.to(line.split(" ", -1)));
    }
  }

  /** In the child: an error ends it, whatever other threads do. */
  static void endOnError() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          error.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
  }

  static void reply(String text) {
    System.out.println(ANSWER + text);
    System.out.flush();
  }

  @Override
  public void close() {
    try {
      in.close();
      process.waitFor();
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }
}
