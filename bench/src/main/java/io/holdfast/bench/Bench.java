package io.holdfast.bench;

import io.holdfast.bench.capacity.CapacityCommand;
import io.holdfast.bench.defaults.DefaultsCommand;
import io.holdfast.bench.defaults.ParityCommand;
import io.holdfast.bench.files.FilesCommand;
import io.holdfast.bench.pipeline.FramingsCommand;
import io.holdfast.bench.pipeline.GapsCommand;
import io.holdfast.bench.pipeline.LatencyCommand;
import io.holdfast.bench.pipeline.ModelsCommand;
import io.holdfast.bench.pipeline.PipelineCommand;
import io.holdfast.bench.pipeline.StartCommand;
import io.holdfast.bench.pipeline.SwapCommand;
import io.holdfast.bench.pipeline.TrainerCommand;
import io.holdfast.bench.pipeline.VersionsCommand;
import io.holdfast.bench.pipeline.ViewersCommand;
import io.holdfast.bench.robust.GammasCommand;
import io.holdfast.bench.robust.RobustCommand;
import io.holdfast.bench.robust.RobustnessCommand;
import io.holdfast.bench.robust.ShiftCommand;
import io.holdfast.bench.scoring.ScoringCommand;
import io.holdfast.bench.streams.ContinuedCommand;
import io.holdfast.bench.streams.CoverageCommand;
import io.holdfast.bench.streams.ExpectedCommand;
import io.holdfast.bench.streams.PicturesCommand;
import io.holdfast.bench.streams.StreamsCommand;
import io.holdfast.bench.training.AnchorCostCommand;
import io.holdfast.bench.training.LossCommand;
import io.holdfast.bench.training.MemoryCommand;
import io.holdfast.bench.training.TrainingCommand;
import io.holdfast.cli.input.DataException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks' command line: {@code ./holdfast-bench training} and others. */
@Command(
    name = "holdfast-bench",
    description = "Measures Holdfast, side by side with its peers where there are any.",
    mixinStandardHelpOptions = true,
    subcommands = {
      FloorsCommand.class,
      TrainingCommand.class,
      DefaultsCommand.class,
      AnchorCostCommand.class,
      LossCommand.class,
      MemoryCommand.class,
      ScoringCommand.class,
      FilesCommand.class,
      ParityCommand.class,
      RobustnessCommand.class,
      ShiftCommand.class,
      PipelineCommand.class,
      FramingsCommand.class,
      LatencyCommand.class,
      TrainerCommand.class,
      VersionsCommand.class,
      StartCommand.class,
      SwapCommand.class,
      GapsCommand.class,
      ModelsCommand.class,
      ViewersCommand.class,
      CapacityCommand.class,
      StreamsCommand.class,
      ContinuedCommand.class,
      CoverageCommand.class,
      ExpectedCommand.class,
      PicturesCommand.class,
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
}
