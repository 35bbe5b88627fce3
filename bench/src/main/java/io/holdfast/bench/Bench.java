package io.holdfast.bench;

import io.holdfast.bench.defaults.DefaultsCommand;
import io.holdfast.bench.pipeline.LatencyCommand;
import io.holdfast.bench.pipeline.ModelsCommand;
import io.holdfast.bench.pipeline.PipelineCommand;
import io.holdfast.bench.pipeline.StartCommand;
import io.holdfast.bench.pipeline.SwapCommand;
import io.holdfast.bench.pipeline.TrainerCommand;
import io.holdfast.bench.pipeline.VersionsCommand;
import io.holdfast.bench.robust.GammasCommand;
import io.holdfast.bench.robust.RobustCommand;
import io.holdfast.bench.scoring.ScoringCommand;
import io.holdfast.bench.streams.GrowthCommand;
import io.holdfast.bench.streams.PicturesCommand;
import io.holdfast.bench.streams.PoliciesCommand;
import io.holdfast.bench.streams.StreamsCommand;
import io.holdfast.bench.training.AnchorCostCommand;
import io.holdfast.bench.training.LossCommand;
import io.holdfast.bench.training.MemoryCommand;
import io.holdfast.bench.training.TrainingCommand;
import io.holdfast.cli.data.DataException;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks' command line: {@code ./holdfast-bench training} and others. */
@Command(
    name = "holdfast-bench",
    description = "Measures Holdfast, side by side with its peers where there are any.",
    mixinStandardHelpOptions = true,
    subcommands = {
      TrainingCommand.class,
      DefaultsCommand.class,
      AnchorCostCommand.class,
      LossCommand.class,
      MemoryCommand.class,
      ScoringCommand.class,
      Bench.ScorerCommand.class,
      Parity.class,
      Robustness.class,
      ShiftCommand.class,
      PipelineCommand.class,
      LatencyCommand.class,
      TrainerCommand.class,
      VersionsCommand.class,
      StartCommand.class,
      SwapCommand.class,
      ModelsCommand.class,
      StreamsCommand.class,
      PicturesCommand.class,
      GrowthCommand.class,
      PoliciesCommand.class,
      RobustCommand.class,
      GammasCommand.class
    })
public final class Bench {
  private Bench() {}

  public static void main(String[] arguments) {
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "logback-holdfast-cli.xml"); // warnings only
    }
    System.exit(commandLine().execute(arguments));
  }

  /** The command line; what is wrong with a file of rows is said in one sentence. */
  static CommandLine commandLine() {
    return new CommandLine(new Bench())
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (!(failure instanceof DataException)) {
                throw failure;
              }
              command.getErr().println("holdfast-bench: " + failure.getMessage());
              return 1;
            });
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
