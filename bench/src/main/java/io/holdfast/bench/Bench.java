package io.holdfast.bench;

import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The benchmarks' command line: {@code ./holdfast-bench training}, {@code ./holdfast-bench scorer}.
 */
@Command(
    name = "holdfast-bench",
    description = "Measures Holdfast, side by side with its peers where there are any.",
    mixinStandardHelpOptions = true,
    subcommands = {TrainingComparison.class, Bench.ScorerCommand.class})
public final class Bench {
  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Bench()).execute(arguments));
  }

  /** Runs the JMH benchmark of the scorers. */
  @Command(
      name = "scorer",
      description = "One row through the serving scorer and through the plain tree walk (JMH).",
      mixinStandardHelpOptions = true)
  static final class ScorerCommand implements Callable<Integer> {
    @Override
    public Integer call() throws RunnerException {
      new Runner(new OptionsBuilder().include(ScorerBenchmark.class.getName()).build()).run();
      return 0;
    }
  }
}
