package io.holdfast.cli.fit;

import static io.holdfast.cli.print.Table.figure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.HeldOut;
import io.holdfast.cli.learn.OfflineFit;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.learn.OfflineTest;
import io.holdfast.cli.learn.Recipe;
import io.holdfast.cli.learn.Recipe.Robustly;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.FitDefaults;
import io.holdfast.cli.options.FoldOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.options.LeniencyOptions;
import io.holdfast.cli.options.ModelOptions;
import io.holdfast.cli.options.ModelledFile;
import io.holdfast.cli.options.ValidationOptions;
import io.holdfast.cli.options.Version;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.cli.validate.CrossValidation;
import io.holdfast.cli.validate.FoldSplit;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "fit",
    description = "Fits a model to a file, and evaluates it on others.",
    customSynopsis = {
      "@|bold holdfast fit|@ --data=DATA --label=COLUMN --objective=NAME [FLAGS]",
      "       @|bold holdfast fit|@ --data=DATA --config=FILE [--model=NAME] [FLAGS]",
    },
    modelTransformer = ModelOptions.Flags.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast fit --data sales.csv --label won --objective logistic --environment region"
          + " --cv time:5",
      "DATA is CSV, JSON Lines, Avro or Parquet, gzipped or not, or"
          + " 'topic://NAME?from=TIME&to=TIME'.",
    })
public final class FitCommand extends BaseCommand implements ModelOptions.Command {
  private static final int LINES = 10;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DATA",
      arity = "1..*",
      description = "The rows to fit to; - is standard input.")
  private List<DataSource> sources;

  @Option(
      names = "--test",
      paramLabel = "DATA",
      description = "Rows to evaluate the fitted model on; may be given more than once.")
  private List<DataSource> tests = new ArrayList<>();

  @Option(
      names = "--cv",
      paramLabel = "HOW",
      description = "Validate by folds, too: time:5, or environment to leave each out.")
  private @Nullable String cv;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the model, for holdfast score, explain and refit.")
  private @Nullable OutputFile out;

  @Option(
      names = "--group-dro",
      paramLabel = "STEP",
      description = "Weigh environments by what they lose, by this after a round.")
  private @Nullable Double groupDro;

  @Option(
      names = "--worst-leaves",
      paramLabel = "TURNS",
      description = "Move leaf values for the environment that loses most, after training.")
  private @Nullable Integer worstLeaves;

  @Option(
      names = "--coverage",
      paramLabel = "SHARE,...",
      description = "With --out: how often labels are to be within bounds of scores.")
  private @Nullable String coverage;

  @Mixin private ConfigOptions config = new ConfigOptions();
  @Mixin private LeniencyOptions leniency = new LeniencyOptions();

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private JsonOption output = new JsonOption();

  private final ModelOptions flags =
      new ModelOptions(Group.COLUMNS, Group.OBJECTIVE, Group.ANCHOR, Group.TREES, Group.START);

  @ArgGroup(validate = false, order = 100, heading = "%nWhen to stop:%n")
  private ValidationOptions validation = new ValidationOptions();

  @Override
  protected void run() throws IOException {
    FitDefaults defaults = new FitDefaults(flags);
    defaults.take(validation.given());
    validation.keepOut(flags);
    if (coverage != null) {
      flags.set(ModelKeys.COVERAGE.path(), coverage);
    }
    DataSource data = DataSource.of(sources);
    ModelledFile input = ModelledFile.of("fit", data, flags, config, defaults::raiseTreeBudget);
    ModelSettings settings = input.settings();
    HeldOut heldOut = validation.heldOut(settings);
    FoldSplit split = cv == null ? null : FoldOptions.split(cv, settings);
    CommandException.usageIf(
        split != null && heldOut != null,
        "--cv and --validation or --hold-out both hold rows out: leave one out (--stop-after ends"
            + " the fits of --cv)");
    Recipe recipe = Recipe.of(settings, robustly(settings, heldOut));
    boolean timed = split != null && split.byTime();
    var files = new OfflineFit.Files(input.file(), tests, heldOut, leniency.leniency(), timed);
    OfflineFit fitted = fit(recipe, files);
    CrossValidation folds = split == null ? null : validate(split, recipe, input.file(), fitted);
    if (out != null) {
      OfflineModel.write(out, fitted, data, Version.number());
    }
    output.console().notes(input.notes());
    output.console().notes(fitted.notes());
    output.console().notes(leftOut(fitted));
    output.print(
        Fitted.of(fitted, folds, out),
        (console, result) -> print(console, result, fitted.choice()),
        out);
  }

  private static OfflineFit fit(Recipe recipe, OfflineFit.Files files) {
    int rounds = recipe.settings().booster().rounds();
    try (Progress progress = Progress.of("Fitting", rounds)) {
      return OfflineFit.of(
          recipe,
          files,
          new Recipe.Watch(
              (trained, trainings) ->
                  progress.at((long) trained * rounds, (trainings + 1L) * rounds),
              (round, loss) -> {
                if (round > 0) {
                  progress.step();
                }
              }));
    }
  }

  private static CrossValidation validate(
      FoldSplit split, Recipe recipe, DataFile file, OfflineFit fitted) {
    List<Feature> features = fitted.model().features();
    try (Progress progress = Progress.of("Validating", split.folds())) {
      return CrossValidation.of(split, recipe, features, fitted.training(), progress::step);
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  private Robustly robustly(ModelSettings settings, @Nullable HeldOut heldOut) {
    Double step = groupDro;
    Integer turns = worstLeaves;
    if (step == null && turns == null) {
      return new Robustly.AsSet();
    }
    if (step != null && turns != null) {
      throw CommandException.usage("--group-dro and --worst-leaves are two ways: take one");
    }
    String flag = step != null ? "--group-dro" : "--worst-leaves";
    if (settings.environment() == null) {
      throw CommandException.usage(
          "%s is about environments: name their column with --environment", flag);
    }
    if (!settings.strength().ladder().isEmpty()) {
      throw CommandException.usage(
          "--ladder finds leaf values for gammas, and %s others: take one", flag);
    }
    if (step != null) {
      if (!(step >= 0 && step < Double.POSITIVE_INFINITY)) {
        throw CommandException.usage("--group-dro must be 0 or more, and finite: %s", step);
      }
      if (heldOut != null || settings.booster().holdOut() != null) {
        throw CommandException.usage(
            "--group-dro grows all rounds, so nothing can tell when to stop: leave that out");
      }
      return new Robustly.GroupDro(step);
    }
    if (turns == null || turns < 1) {
      throw CommandException.usage("--worst-leaves must be at least 1: %s", turns);
    }
    return new Robustly.WorstLeaves(turns);
  }

  @Override
  public ModelOptions modelOptions() {
    return flags;
  }

  /** What came of a fit; {@code gammaBy} and {@code gammaTrials} are null if gamma was given. */
  private record Fitted(
      String objective,
      Map<String, Double> objectiveParameters,
      double gamma,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String gammaBy,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<GammaChoice.Trial> gammaTrials,
      int rows,
      long rowsWithoutLabel,
      List<String> features,
      int trees,
      int bestRound,
      List<Round> anchorLoss,
      List<Double> validationLoss,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable CrossValidation crossValidation,
      List<OfflineTest> test,
      List<String> linearLeftOut,
      long safeguards,
      List<String> notes,
      @Nullable OutputFile out) {
    static Fitted of(OfflineFit fitted, @Nullable CrossValidation folds, @Nullable OutputFile out) {
      ModelSettings settings = fitted.settings();
      Fit fit = fitted.fit();
      GammaChoice choice = fitted.choice();
      List<Round> rounds = new ArrayList<>();
      fit.losses().forEach(loss -> rounds.add(new Round(rounds.size(), loss)));
      return new Fitted(
          settings.booster().objective().name(),
          new TreeMap<>(fitted.model().objective().parameters()),
          settings.booster().gamma(),
          choice == null
              ? null
              : settings.strength().by() instanceof Criterion.Worst ? "worst" : "mean",
          choice == null ? null : choice.trials(),
          fitted.training().rows().size(),
          fitted.training().withoutLabel(),
          fitted.model().features().stream().map(one -> ColumnName.of(one.name())).toList(),
          fitted.model().trees(),
          fit.bestRound(),
          rounds,
          fit.validationLosses(),
          folds,
          fitted.tests(),
          fit.leftOut(),
          fit.safeguards(),
          fitted.notes(),
          out);
    }
  }

  private record Round(int round, @JsonUnwrapped AnchorLoss loss) {}

  private static List<String> leftOut(OfflineFit fitted) {
    return fitted.fit().leftOut().stream()
        .map(
            name ->
                Sentence.of(
                    "%s has no slope of its own in the linear base, or not for all its"
                        + " categories: too few rows tell of it (trees see it all the same)",
                    name))
        .toList();
  }

  private static void print(Console console, GammaChoice choice, @Nullable String by) {
    if (choice.trials().isEmpty()) {
      console.line("gamma 1, for there are too few environments to leave any out and choose.%n");
      return;
    }
    Table table = new Table("gamma", "worst environment left out", "mean of those left out");
    for (GammaChoice.Trial trial : choice.trials()) {
      table.line(figure(trial.gamma()), figure(trial.worst()), figure(trial.mean()));
    }
    console.line(
        "%s%nExcess losses. Chosen by the %s: gamma %s%s%n",
        table, by, figure(choice.gamma()), cost(choice));
  }

  private static String cost(GammaChoice choice) {
    GammaChoice.Trial chosen = choice.chosen().orElseThrow();
    GammaChoice.Trial least = choice.leastMean().orElseThrow();
    return least.gamma() == chosen.gamma()
        ? ", which loses least in the mean too."
        : Sentence.of(
            ". In the mean it loses %s, where gamma %s loses %s.",
            figure(chosen.mean()), figure(least.gamma()), figure(least.mean()));
  }

  private static void print(Console console, Fitted fitted, @Nullable GammaChoice choice) {
    if (choice != null) {
      print(console, choice, fitted.gammaBy());
    }
    console.line(
        "%d trees on %d rows, %d features.%n",
        fitted.trees(), fitted.rows(), fitted.features().size());
    console.text(losses(fitted).toString());
    if (!fitted.validationLoss().isEmpty()) {
      console.line(
          "%nOf %d rounds the first %d are kept: there the validation loss is lowest.",
          fitted.anchorLoss().size() - 1, fitted.bestRound());
    }
    if (fitted.crossValidation() != null) {
      console.text(Evaluations.text(fitted.crossValidation()));
    }
    console.text(Evaluations.text(fitted.test()));
    if (fitted.out() != null) {
      console.line("%nModel written to %s", fitted.out());
    }
  }

  /** A line for every tenth of the rounds, and for the best. */
  private static Table losses(Fitted fitted) {
    boolean validated = !fitted.validationLoss().isEmpty();
    List<String> header =
        new ArrayList<>(List.of("round", "loss", "anchor penalty", "anchor loss"));
    if (validated) {
      header.add("validation loss");
    }
    Table table = new Table(header);
    int last = fitted.anchorLoss().size() - 1;
    int step = Math.max(1, last / LINES);
    for (Round round : fitted.anchorLoss()) {
      int number = round.round();
      if (number % step == 0 || number == last || number == fitted.bestRound()) {
        List<String> cells = new ArrayList<>(List.of(String.valueOf(number)));
        AnchorLoss loss = round.loss();
        List.of(loss.base(), loss.penalty(), loss.total())
            .forEach(figure -> cells.add(figure(figure)));
        if (validated) {
          cells.add(figure(fitted.validationLoss().get(number)));
        }
        table.line(cells);
      }
    }
    return table;
  }
}
