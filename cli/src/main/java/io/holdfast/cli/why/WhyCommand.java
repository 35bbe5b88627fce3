package io.holdfast.cli.why;

import static io.holdfast.cli.print.Table.figure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.holdfast.cli.ledger.WindowReports;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Interval;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.RisenEnvironment;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "why",
    description = "Says why the loss of a window rose, and for whom.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast why bikes@57",
      "  holdfast why bikes",
      "",
      "From the trainer's reports. Without a window, every one whose loss rose has a line, the"
          + " newest",
      "last. A file has the same by holdfast backtest.",
    })
public final class WhyCommand extends BaseCommand {
  private static final Pattern NAME =
      Pattern.compile("([^@/\\s]{1,100})(?:@(0|[1-9][0-9]{0,17}))?");

  @Parameters(
      paramLabel = "MODEL[@WINDOW]",
      description = "The model, and the number of one of its windows.")
  private String name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    Matcher matcher = NAME.matcher(name);
    CommandException.usageIf(
        !matcher.matches(), "a window is named MODEL@WINDOW, such as bikes@57: %s", name);
    Settings settings = config.settings();
    String model = settings.model(matcher.group(1)).name();
    NavigableMap<Long, WindowReport> reports = WindowReports.read(settings, model);
    if (matcher.group(2) == null) {
      List<Window> risen =
          reports.values().stream()
              .filter(report -> report.getReason() != null)
              .map(Window::of)
              .toList();
      output.print(new Risen(model, reports.size(), risen), WhyCommand::print);
      return;
    }
    WindowReport report = reports.get(Long.valueOf(matcher.group(2)));
    if (report == null) {
      throw reports.isEmpty()
          ? CommandException.failed("no window of %s was reported", model)
          : CommandException.failed(
              "window %s of %s is not among those reported: they are %d to %d",
              matcher.group(2), model, reports.firstKey(), reports.lastKey());
    }
    output.print(new One(model, Window.of(report)), WhyCommand::print);
  }

  /** A window and why its loss rose; the reason is null if it is not known to have risen. */
  record Window(
      long window,
      long rows,
      double loss,
      @JsonSerialize(converter = AsJson.class) @Nullable ReasonReport reason) {
    static Window of(WindowReport report) {
      return new Window(report.getWindow(), report.getRows(), report.getLoss(), report.getReason());
    }
  }

  /** As the schema has it. */
  static final class AsJson extends StdConverter<ReasonReport, JsonNode> {
    @Override
    public JsonNode convert(ReasonReport reason) {
      return Json.tree(reason);
    }
  }

  /** The windows that have a reason, of so many. */
  record Risen(String model, int windows, List<Window> risen) {}

  /** One window. */
  record One(String model, Window window) {}

  private static void print(Console console, Risen risen) {
    if (risen.risen().isEmpty()) {
      console.line(
          "The loss of %s is not shown to have risen in any of %d windows.",
          risen.model(), risen.windows());
      return;
    }
    Table table = new Table(true, "window", "why");
    for (Window window : risen.risen()) {
      ReasonReport reason = window.reason();
      if (reason != null) {
        table.line("" + window.window(), reason.getSentence());
      }
    }
    console.text(table.toString());
  }

  private static void print(Console console, One one) {
    Window window = one.window();
    ReasonReport reason = window.reason();
    if (reason == null) {
      console.line(
          "The loss of window %d of %s, %s, is not shown to have risen.",
          window.window(), one.model(), figure(window.loss()));
      return;
    }
    console.line("%s%n", reason.getSentence());
    console.text(parts(reason).toString());
    if (reason.getEnvironments().size() > 1) {
      console.line("");
      Table table = new Table("environment", "rows before", "rows", "rise", "from", "to");
      for (RisenEnvironment each : reason.getEnvironments()) {
        line(table, each.getRise(), each.getEnvironment(), each.getRowsBefore(), each.getRows());
      }
      console.text(table.toString());
    }
  }

  private static Table parts(ReasonReport reason) {
    Table table = new Table("part", "rise", "from", "to");
    line(table, reason.getRise(), "all");
    if (reason.getFeatures() != null && reason.getLabels() != null) {
      line(table, reason.getFeatures(), "other features");
      line(table, reason.getLabels(), "labels given the features");
    }
    return table;
  }

  private static void line(Table table, Interval interval, Object... first) {
    List<String> cells = new ArrayList<>();
    for (Object cell : first) {
      cells.add(String.valueOf(cell));
    }
    cells.add(Sentence.of("%+.4f", interval.getValue()));
    cells.add(Sentence.of("%+.4f", interval.getLow()));
    cells.add(Sentence.of("%+.4f", interval.getHigh()));
    table.line(cells);
  }
}
