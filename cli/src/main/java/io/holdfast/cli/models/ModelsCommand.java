package io.holdfast.cli.models;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "models",
    description = "Shows the versions on the model topic and sets which of them serves.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ModelsListCommand.class,
      ModelsShowCommand.class,
      ModelsDiffCommand.class,
      ModelsExportCommand.class,
      ModelsHistoryCommand.class,
      HeadCommands.Rollback.class,
      HeadCommands.Pin.class,
      HeadCommands.Unpin.class,
      HeadCommands.Shadow.class,
      ModelsCompareCommand.class,
      HeadCommands.Promote.class,
      HeadCommands.Rung.class,
      ModelsImportCommand.class,
      ModelsVerifyCommand.class,
      ModelsReplayCommand.class,
      ModelsRebuildCommand.class,
      ModelsForgetCommand.class,
    },
    footer = {"", "A version is named MODEL@VERSION; MODEL alone is the one that serves."})
public final class ModelsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "models needs to be told what to do: " + String.join(", ", spec.subcommands().keySet()));
  }
}
