package io.holdfast.cli.operate;

import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.Foreground;
import io.holdfast.cli.options.Logging;
import io.holdfast.cli.print.Console;
import io.holdfast.trainer.runtime.Trainer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast trainer}. */
@Command(
    name = "trainer",
    description = "Runs the trainer until it is stopped.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast trainer --config holdfast.yml",
      "",
      "Examples in, versions out; health and metrics over HTTP.",
      "Topics must be there: holdfast topics create. What happens is logged to standard error.",
    })
public final class TrainerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config = new ConfigOptions();

  @Override
  public Integer call() {
    Logging.tellWhatHappens();
    try (Foreground foreground = Foreground.openToStart();
        Trainer trainer = Trainer.start(config.settings())) {
      Console.of(spec).line("The trainer listens on %s. Stop it with Ctrl-C.", trainer.url());
      foreground.await();
    }
    return ExitCode.OK;
  }
}
