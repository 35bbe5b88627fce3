package io.holdfast.cli.operate;

import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.Foreground;
import io.holdfast.cli.options.Logging;
import io.holdfast.cli.print.Console;
import io.holdfast.service.Service;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast service}. */
@Command(
    name = "service",
    description = "Runs the scoring service until it is stopped.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast service --config holdfast.yml",
      "",
      "Records in, scores out; late labels joined into examples; REST interface and dashboard.",
      "Topics must be there: holdfast topics create. What happens is logged to standard error.",
    })
public final class ServiceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config = new ConfigOptions();

  @Override
  public Integer call() {
    Logging.tellWhatHappens();
    try (Foreground foreground = Foreground.openToStart();
        Service service = Service.start(config.settings())) {
      Console.of(spec).line("The service listens on %s. Stop it with Ctrl-C.", service.url());
      foreground.await();
    }
    return ExitCode.OK;
  }
}
