package io.holdfast.cli.operate;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.Foreground;
import io.holdfast.cli.options.Logging;
import io.holdfast.http.trace.Tracing;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that run a program until it is stopped. */
public final class ProgramCommands {
  private ProgramCommands() {}

  @Command(
      name = "service",
      description = "Runs the scoring service until it is stopped.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast service --config holdfast.yml",
        "",
        "Records in, scores out; late labels joined into examples; REST interface and dashboard.",
        "Topics must be there: holdfast topics create. What happens is logged to standard error.",
      })
  public static final class ServiceCommand extends BaseCommand {
    @Mixin private ConfigOptions config = new ConfigOptions();

    @Override
    protected void run() {
      Logging.tellWhatHappens();
      try (Foreground foreground = Foreground.openToStart();
          Tracing.Stop _ = Tracing.start("service", System.getenv());
          Service service = Service.start(config.settings())) {
        console().line("The service listens on %s. Stop it with Ctrl-C.", service.url());
        foreground.await();
      }
    }
  }

  @Command(
      name = "trainer",
      description = "Runs the trainer until it is stopped.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast trainer --config holdfast.yml",
        "",
        "Examples in, versions out; health and metrics over HTTP.",
        "Topics must be there: holdfast topics create. What happens is logged to standard error.",
      })
  public static final class TrainerCommand extends BaseCommand {
    @Mixin private ConfigOptions config = new ConfigOptions();

    @Override
    protected void run() {
      Logging.tellWhatHappens();
      try (Foreground foreground = Foreground.openToStart();
          Tracing.Stop _ = Tracing.start("trainer", System.getenv());
          Trainer trainer = Trainer.start(config.settings())) {
        console().line("The trainer listens on %s. Stop it with Ctrl-C.", trainer.url());
        foreground.await();
      }
    }
  }

  @Command(
      name = "broker",
      description = "Runs a single-node Kafka broker until it is stopped.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast broker --dir holdfast-data --port 9092",
        "",
        "For trying things out and for small installations: it listens on this machine only, holds",
        "one copy of everything, and keeps records until they are deleted. Started again on the"
            + " same",
        "folder, it has its data again.",
      })
  public static final class BrokerCommand extends BaseCommand {
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
    protected void run() {
      try (Foreground foreground = Foreground.open();
          var broker = EmbeddedBroker.start(folder, port)) {
        console()
            .line(
                "Kafka listens on %s, with its data in %s. Stop it with Ctrl-C.",
                broker.bootstrapServers(), folder);
        foreground.await();
      }
    }
  }
}
