package io.holdfast.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Runs what the system has programs for. Stateless. */
final class Commands {
  private static final int PATIENCE_SECONDS = 10;

  private Commands() {}

  /** Returns when it has ended well; else an IllegalStateException. */
  static void run(String... command) {
    String _ = output(command);
  }

  /** What it has written when it has ended well; else an IllegalStateException. */
  static String output(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
