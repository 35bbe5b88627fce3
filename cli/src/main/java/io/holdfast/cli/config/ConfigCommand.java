package io.holdfast.cli.config;

import io.holdfast.cli.print.Json;
import io.holdfast.schemas.settings.keys.ConfigurationSchema;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "config",
    description = "Helps to write a configuration file.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "config needs to be told what to do: config schema");
  }

  @Command(
      name = "schema",
      description = "Prints the JSON schema of the configuration file, for editors.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast config schema > holdfast.schema.json",
        "",
        "An editor that speaks the YAML language server then completes and checks a file that",
        "begins with",
        "  # yaml-language-server: $schema=holdfast.schema.json",
      })
  void schema() {
    spec.commandLine().getOut().println(Json.pretty(ConfigurationSchema.tree()));
  }
}
