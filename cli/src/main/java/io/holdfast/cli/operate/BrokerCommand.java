package io.holdfast.cli.operate;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.Foreground;
import io.holdfast.cli.print.Console;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast broker}. */
@Command(
    name = "broker",
    description = "Runs a single-node Kafka broker until it is stopped.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast broker --dir holdfast-data --port 9092",
      "",
      "For trying things out and for small installations: it listens on this machine only, holds",
      "one copy of everything, and keeps records until they are deleted. Started again on the same",
      "folder, it has its data again.",
    })
public final class BrokerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      defaultValue = "holdfast-data",
      description = "Where the data is (default: ${DEFAULT-VALUE}).")
  private Path folder;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9092",
      description = "The port to listen on; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Override
  public Integer call() {
    try (Foreground foreground = Foreground.open();
        var broker = EmbeddedBroker.start(folder, port)) {
      Console.of(spec)
          .line(
              "Kafka listens on %s, with its data in %s. Stop it with Ctrl-C.",
              broker.bootstrapServers(), folder);
      foreground.await();
    }
    return ExitCode.OK;
  }
}
