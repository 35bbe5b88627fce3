package io.holdfast.cli.operate;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import java.net.URI;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "top",
    description = "Shows how the models of a running service are, again and again.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast top --config holdfast.yml",
      "  holdfast top --url http://scorer-1:8080 --once --json",
      "",
      "A line a model, the worst first: the version that serves, records scored a second, records",
      "that wait to be scored and for how long, examples that wait to be learned from, the loss of",
      "the newest windows beside the best constant's, and the environment that loses most. What is",
      "wrong stands below in a sentence. A service that wants a token gets that in HOLDFAST_TOKEN.",
      "Ctrl-C ends it.",
    })
public final class TopCommand extends BaseCommand {
  private static final double SAMPLE = 1;
  private static final String NEW_SCREEN = "\033[H\033[2J";

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The service (default: that of the configuration).")
  private @Nullable URI url;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "How often to look (default: ${DEFAULT-VALUE}).")
  private double every;

  @Option(names = "--once", description = "Look for a second, print that, and end.")
  private boolean once;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    CommandException.usageIf(
        !(every >= 0.1 && every <= 3_600), "--every must be 0.1 to 3600 seconds: %s", every);
    CommandException.usageIf(output.given() && !once, "--json is of one look: say --once, too");
    try (ServiceClient service = service()) {
      if (once) {
        TopTable table = look(service, SAMPLE);
        output.print(table, (console, shown) -> console.text(shown.text(colours())));
        return;
      }
      watch(service, console());
    } catch (ServiceClient.NoAnswerException e) {
      throw CommandException.failed("%s", e.getMessage());
    }
  }

  private ServiceClient service() {
    if (url != null) {
      CommandException.usageIf(
          url.getHost() == null || !String.valueOf(url.getScheme()).matches("https?"),
          "--url must be as http://127.0.0.1:8080: %s",
          url);
      return new ServiceClient(url);
    }
    var settings = config.settings();
    CommandException.usageIf(
        settings.service().port() == 0,
        "holdfast.service.port is 0, any free one: say with --url where the service is");
    return ServiceClient.of(settings);
  }

  /** Until it is ended; a service that does not answer may do so again. */
  private void watch(ServiceClient service, Console console)
      throws ServiceClient.NoAnswerException {
    JsonNode _ = service.get("/api/v1/status"); // if there is none at all, that is the answer
    while (!Thread.currentThread().isInterrupted()) {
      String shown;
      try {
        shown = look(service, every).text(colours());
      } catch (ServiceClient.NoAnswerException e) {
        shown = e.getMessage() + System.lineSeparator();
        pause(every);
      }
      console.text((Progress.terminal() ? NEW_SCREEN : "") + service + "\n" + shown);
    }
  }

  private static TopTable look(ServiceClient service, double seconds)
      throws ServiceClient.NoAnswerException {
    JsonNode before = service.get("/api/v1/models");
    long begin = System.nanoTime();
    pause(seconds);
    JsonNode now = service.get("/api/v1/models");
    double took = (System.nanoTime() - begin) / 1e9;
    return TopTable.of(before, now, service.get("/api/v1/status"), took);
  }

  private static void pause(double seconds) {
    long until = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
  }

  private static boolean colours() {
    return colours(System.getenv("NO_COLOR"), Progress.terminal());
  }

  /** As https://no-color.org has it. */
  static boolean colours(@Nullable String noColor, boolean terminal) {
    return terminal && (noColor == null || noColor.isEmpty());
  }
}
