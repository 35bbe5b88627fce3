package io.holdfast.cli.demo;

import static io.holdfast.cli.print.Table.figure;

import com.google.errorprone.annotations.FormatMethod;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.Foreground;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.options.Logging;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.report.Reports;
import io.holdfast.cli.report.WindowTable;
import io.holdfast.schemas.avro.WindowReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = "Runs everything in one process, on a stream that shifts.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast demo",
      "  holdfast demo --headless --rows 20000 --json",
      "",
      "Kafka, the scoring service, the trainer and a simulated stream: deliveries in six cities,",
      "whose hidden traffic drives them further and further apart, with labels that arrive late.",
      "The dashboard shows what is served and what it costs in each city.",
      "",
      "--headless streams as fast as the trainer keeps up, prints the result and ends. It ends"
          + " with",
      "0 only if the model learned: over the last quarter of the rows its loss, always measured",
      "before training, must be at least 30%% below that of the constant model, and at least 30%%",
      "below that of the first window; and every order must have exactly one score.",
    })
public final class DemoCommand extends BaseCommand {
  private static final long HEADLESS_ROWS = 20_000;
  private static final double INTERACTIVE_RATE = 500;
  private static final int DASHBOARD_PORT = 8080;

  @Option(
      names = "--headless",
      description = "Stream, print the result, end; no dashboard to look at.")
  private boolean headless;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Orders to stream (default: 20000 with --headless, no end without).")
  private @Nullable Long rows;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Orders a second; 0 is as fast as the trainer keeps up (default: 0 with --headless, 500"
              + " without).")
  private @Nullable Double rate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the stream (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Of the dashboard; 0 takes any free one (default: 8080; any with --headless).")
  private @Nullable Integer port;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Keep the data here (default: a temporary folder, removed at the end).")
  private @Nullable Path folder;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() throws IOException {
    Logging.logErrorsAlone();
    Console console = output.console();
    DemoRun.Plan plan = plan();
    DemoResult result;
    try (Foreground foreground = Foreground.open();
        Demo demo = Demo.start(folder, port())) {
      if (!headless && !output.given()) {
        introduce(demo, console);
      }
      result = new DemoRun(demo, plan, this::tell, foreground::stopping).run();
      if (!headless && !foreground.stopping()) {
        tell("All %d orders are through; the dashboard stays until Ctrl-C.", result.rows());
        foreground.await();
      }
    }
    output.print(result, DemoCommand::print);
    if (headless) {
      judge(result);
    }
  }

  private DemoRun.Plan plan() {
    long count = rows == null ? (headless ? HEADLESS_ROWS : Long.MAX_VALUE) : rows;
    CommandException.usageIf(count < 1, "--rows must be 1 or more: %d", count);
    double speed = rate == null ? (headless ? 0 : INTERACTIVE_RATE) : rate;
    CommandException.usageIf(
        !(speed >= 0 && speed < Double.POSITIVE_INFINITY), "--rate must be 0 or more: %s", speed);
    return new DemoRun.Plan(count, speed, seed);
  }

  private int port() {
    int wanted = port == null ? (headless ? 0 : DASHBOARD_PORT) : port;
    CommandException.usageIf(
        wanted < 0 || wanted > 65535, "--port must be from 0 to 65535: %d", wanted);
    return wanted;
  }

  private static void introduce(Demo demo, Console console) {
    console.line("Holdfast is up. What to look at:");
    console.line("  Dashboard  %s", demo.dashboard().resolve("/#/" + DemoModel.NAME));
    console.line(
        "             Losses: the constant model's rise as cities move apart, and fall as");
    console.line(
        "             they come closer, every 25,000 orders; what is served stays below from");
    console.line("             the first trained version on, within half a minute.");
    console.line(
        "             The story so far says it in words; Versions, what each learned from;");
    console.line("             Record, why an order has its score.");
    console.line("  Kafka      %s, with its data in %s", demo.bootstrapServers(), demo.folder());
    console.line("  Stream     deliveries: how many minutes will this order take?");
    console.line("Stop it with Ctrl-C.");
    console.line("");
  }

  private void tell(WindowReport window) {
    tell(
        "window %d: %d orders, loss %s (constant model %s)%s",
        window.getWindow(),
        window.getRows(),
        figure(window.getLoss()),
        figure(window.getConstantLoss()),
        window.getPublishedVersion() == null
            ? ""
            : ", version " + window.getPublishedVersion() + " published");
  }

  @FormatMethod
  private void tell(String text, @Nullable Object... arguments) {
    if (!output.given()) {
      output.console().line(text, arguments);
    }
  }

  private static void judge(DemoResult result) {
    if (result.rowsScored() != result.rows() || result.repeatedScores() > 0) {
      throw CommandException.failed(
          "%d orders were sent, %d have a score and %d scores are repeats",
          result.rows(), result.rowsScored(), result.repeatedScores());
    }
    if (!result.learned()) {
      throw CommandException.failed(
          "the model did not learn enough in %d windows: the last quarter's loss is %s, the"
              + " constant model's %s, the first window's %s (stream more --rows)",
          result.windows().size(),
          figure(result.lastQuarter().loss()),
          figure(result.lastQuarter().constantLoss()),
          result.windows().isEmpty() ? "-" : figure(result.windows().getFirst().getLoss()));
    }
  }

  private static void print(Console console, DemoResult result) {
    List<WindowReport> windows = result.windows();
    int shown = 3;
    if (windows.size() > 2 * shown) {
      console.line("%nFirst windows%n%s", WindowTable.of(windows.subList(0, shown)));
      var last = windows.subList(windows.size() - shown, windows.size());
      console.line("Last windows%n%s", WindowTable.of(last));
    } else {
      console.line("%n%s", WindowTable.of(windows));
    }
    console.line(
        "%d orders, %d scored, %d dead letters, %d versions published.",
        result.rows(),
        result.rowsScored(),
        result.deadLetters().values().stream().mapToLong(Long::longValue).sum(),
        result.versionsPublished());
    if (result.secondsToFirstVersion() != null) {
      console.line("First trained version after %.1f s.", result.secondsToFirstVersion());
    }
    if (!windows.isEmpty()) {
      console.line(
          "Last quarter: loss %s, constant model %s, %s.",
          figure(result.lastQuarter().loss()),
          figure(result.lastQuarter().constantLoss()),
          Reports.gain(result.lastQuarter()));
    }
  }
}
