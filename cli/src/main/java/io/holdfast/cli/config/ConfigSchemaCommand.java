package io.holdfast.cli.config;

import io.holdfast.cli.print.Json;
import io.holdfast.schemas.settings.keys.ConfigurationSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast config schema}. */
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
final class ConfigSchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(Json.pretty(Json.tree(ConfigurationSchema.tree())));
    return 0;
  }
}
