package io.holdfast.cli.fit;

import static io.holdfast.cli.print.Table.figure;

import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.learn.OfflineRefit;
import io.holdfast.cli.learn.OfflineTest;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.options.LeniencyOptions;
import io.holdfast.cli.options.Version;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "refit",
    description = "Keeps a model's trees and learns their leaf values again from a file.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast refit --model bought.model --data may.csv --out bought-may.model",
      "  holdfast refit --model bought.model --data may.csv --decay 0.5 --gamma 1 \\",
      "      --test june.csv --out bought-may.model --json",
      "",
      "Columns, learning rate and penalties are those that the model was fitted with. A leaf's"
          + " value",
      "becomes decay times the old one plus (1 - decay) times a step on the new rows; a leaf that"
          + " no",
      "row reaches keeps its value. The file written holds the old versions and the new one.",
    })
public final class RefitCommand extends BaseCommand {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The model, as holdfast fit --out or this command wrote it.")
  private Path model;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DATA",
      arity = "1..*",
      description =
          "The rows to learn leaf values from: a file or several, or - for standard input.")
  private List<DataSource> sources;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the refitted model.")
  private OutputFile out;

  @Option(
      names = "--decay",
      defaultValue = "0.5",
      paramLabel = "NUMBER",
      description = "How much of old values stays, from 0 to 1 (default: ${DEFAULT-VALUE}).")
  private double decay;

  @Option(
      names = "--gamma",
      paramLabel = "NUMBER",
      description =
          "Anchor strength of the steps: 1 is the plain refit as it was published (default: what"
              + " the model was fitted with).")
  private @Nullable Double gamma;

  @Option(
      names = "--test",
      paramLabel = "DATA",
      description = "Rows to evaluate the refitted model on; may be given more than once.")
  private List<DataSource> tests = new ArrayList<>();

  @Mixin private LeniencyOptions leniency = new LeniencyOptions();

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() throws IOException {
    CommandException.usageIf(!(decay >= 0 && decay <= 1), "--decay must be from 0 to 1: %s", decay);
    CommandException.usageIf(
        gamma != null && !(gamma >= 0 && gamma < Double.POSITIVE_INFINITY),
        "--gamma must be 0 or more, and finite: %s",
        gamma);
    LedgerVersion from = OfflineModel.read(model);
    ModelSettings settings = OfflineRefit.settings(from, model);
    ModelColumns columns =
        ModelColumns.toLearnFrom(from.model().features(), settings, leniency.leniency());
    List<HeldFile> files = new ArrayList<>();
    DataSource data = DataSource.of(sources);
    files.add(columns.open(data));
    tests.forEach(path -> files.add(columns.open(path)));
    double strength = gamma == null ? settings.booster().gamma() : gamma;
    OfflineRefit refit = OfflineRefit.of(settings, from, files.getFirst().file(), decay, strength);
    List<OfflineTest> results = new ArrayList<>();
    files
        .subList(1, files.size())
        .forEach(file -> results.add(OfflineTest.of(refit.model(), settings, file)));
    LedgerVersion written = OfflineModel.write(out, refit, model, data, Version.number());
    files.forEach(file -> output.console().notes(file.unseen().notes()));
    results.forEach(test -> output.console().notes(test.notes()));
    output.print(
        new Refitted(
            refit.model().objective().name(),
            written.number(),
            written.hash(),
            refit.from().hash(),
            refit.decay(),
            refit.gamma(),
            refit.training().rows().size(),
            refit.training().withoutLabel(),
            refit.model().trees(),
            refit.before(),
            refit.after(),
            results,
            refit.refitted().safeguards(),
            out,
            files.getFirst().unseen().counts()),
        RefitCommand::print,
        out);
  }

  /** What came of a refit: figures before and after are of the rows refitted to. */
  private record Refitted(
      String objective,
      long version,
      Digest hash,
      Digest parent,
      double decay,
      double gamma,
      int rows,
      long rowsWithoutLabel,
      int trees,
      Evaluation before,
      Evaluation after,
      List<OfflineTest> test,
      long safeguards,
      OutputFile out,
      Map<String, Long> unseenCategories) {}

  private static void print(Console console, Refitted refitted) {
    console.line(
        "%d trees refitted to %d rows: loss %s before, %s after.",
        refitted.trees(),
        refitted.rows(),
        figure(refitted.before().loss()),
        figure(refitted.after().loss()));
    console.text(Evaluations.text(refitted.test()));
    console.line("%nVersion %d written to %s", refitted.version(), refitted.out());
  }
}
