package io.holdfast.cli.print;

import java.io.Console;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on standard error, if a person watches a terminal. Owned by one thread. */
public final class Progress implements AutoCloseable {
  private static volatile boolean off;

  private final @Nullable ProgressBar bar;

  private Progress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Shows none in this process. */
  public static void turnOff() {
    off = true;
  }

  /** A task of {@code total} steps; -1 if nobody knows how many. */
  public static Progress of(String task, long total) {
    if (off || !terminal()) {
      return new Progress(null);
    }
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis((int) Duration.ofMillis(250).toMillis())
            .setConsumer(new ConsoleProgressBarConsumer(System.err))
            .build());
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal
  public static boolean terminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  public void step() {
    if (bar != null) {
      bar.step();
    }
  }

  public void step(int steps) {
    if (bar != null) {
      bar.stepBy(steps);
    }
  }

  public void at(long done, long total) {
    if (bar != null) {
      bar.maxHint(total);
      bar.stepTo(done);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
