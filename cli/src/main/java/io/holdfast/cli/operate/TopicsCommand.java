package io.holdfast.cli.operate;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast topics}. */
@Command(
    name = "topics",
    description = "Creates the topics that a configuration needs.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = TopicsCreateCommand.class)
public final class TopicsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "topics needs to be told what to do: topics create");
  }
}
