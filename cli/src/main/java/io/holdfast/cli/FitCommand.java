package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.learn.OfflineFit;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.settings.ModelSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast fit}. */
@Command(
    name = "fit",
    description = "Fits a model to a file, and evaluates it on others.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast fit --data train.csv --label price --objective squared --test test.csv",
      "  holdfast fit --data sales.csv.gz --label bought --environment region --gamma 7 \\",
      "      --objective logistic --rounds 100 --exclude id,note --out bought.model",
      "",
      "DATA is CSV with a header (gzipped if its name ends in .gz) or an Avro container file. An",
      "empty CSV field is a missing value. Columns of text are categories.",
    })
final class FitCommand implements Callable<Integer> {
  private static final int DEFAULT_MAX_TREES = 500;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DATA",
      description = "The rows to fit the model to.")
  private Path data;

  @Option(
      names = "--test",
      paramLabel = "DATA",
      description = "Rows to evaluate the fitted model on; may be given more than once.")
  private List<Path> tests = new ArrayList<>();

  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the model, for holdfast score.")
  private @Nullable Path out;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Path> paths = new ArrayList<>(List.of(data));
    paths.addAll(tests);
    List<DataFile> files = DataFile.openAll(paths, model.textColumns());
    ModelSettings settings = settings(files.getFirst());
    OfflineFit fitted;
    try (Progress progress = Progress.of("Fitting", settings.booster().rounds())) {
      fitted =
          OfflineFit.of(
              settings,
              files.getFirst(),
              (round, loss) -> {
                if (round > 0) {
                  progress.step();
                }
              });
    }
    List<OfflineFit.Test> results = new ArrayList<>();
    for (DataFile file : files.subList(1, files.size())) {
      results.add(fitted.test(file));
    }
    if (out != null) {
      OfflineModel.write(out, fitted, data, Version.number(), Clock.systemUTC());
    }
    Console console = Console.of(spec);
    if (json) {
      console.json(json(fitted, results));
    } else {
      console.out().print(text(fitted, results));
      console.out().flush();
    }
    return ExitCode.OK;
  }

  /**
   * The tree budget is for models that grow window by window; one fit is as long as it is asked.
   */
  private ModelSettings settings(DataFile file) {
    String rounds = model.get("trees.rounds");
    if (rounds != null && rounds.matches("[0-9]{3,5}")) {
      int budget = Math.max(DEFAULT_MAX_TREES, Integer.parseInt(rounds));
      model.set("update.maxTrees", String.valueOf(budget));
    }
    return model.settings("fit", file);
  }

  private ObjectNode json(OfflineFit fitted, List<OfflineFit.Test> tests) {
    ModelSettings settings = fitted.settings();
    ObjectNode node = Json.object();
    node.put("objective", settings.booster().objective().name());
    node.put("gamma", settings.booster().gamma());
    node.put("rows", fitted.training().rows().size());
    node.put("rowsWithoutLabel", fitted.training().withoutLabel());
    ArrayNode features = node.putArray("features");
    for (Feature feature : fitted.model().features()) {
      features.add(feature.name());
    }
    node.put("trees", fitted.model().trees());
    ArrayNode losses = node.putArray("anchorLoss");
    List<AnchorLoss> rounds = fitted.fit().losses();
    for (int round = 0; round < rounds.size(); round++) {
      ObjectNode loss = losses.addObject();
      loss.put("round", round);
      Json.put(loss, "base", rounds.get(round).base());
      Json.put(loss, "penalty", rounds.get(round).penalty());
      Json.put(loss, "total", rounds.get(round).total());
    }
    ArrayNode results = node.putArray("test");
    for (OfflineFit.Test test : tests) {
      ObjectNode result = results.addObject();
      result.put("file", test.file().path().toString());
      Evaluations.json(result, test.all());
      ArrayNode environments = result.putArray("environments");
      if (settings.environment() != null) {
        for (Evaluation evaluation : test.environments()) {
          Evaluations.json(
              environments.addObject().put("environment", evaluation.environment()), evaluation);
        }
      }
    }
    node.put("safeguards", fitted.fit().safeguards());
    node.put("out", out == null ? null : out.toString());
    return node;
  }

  private String text(OfflineFit fitted, List<OfflineFit.Test> tests) {
    List<AnchorLoss> rounds = fitted.fit().losses();
    StringBuilder text = new StringBuilder();
    text.append(fitted.model().trees()).append(" trees on ");
    text.append(fitted.training().rows().size()).append(" rows, ");
    text.append(fitted.model().features().size()).append(" features.\n\n");
    Table losses = new Table("round", "loss", "anchor penalty", "anchor loss");
    int step = Math.max(1, (rounds.size() - 1) / 10);
    for (int round = 0; round < rounds.size(); round++) {
      if (round % step == 0 || round == rounds.size() - 1) {
        AnchorLoss loss = rounds.get(round);
        losses.line(
            String.valueOf(round),
            Table.figure(loss.base()),
            Table.figure(loss.penalty()),
            Table.figure(loss.total()));
      }
    }
    text.append(losses);
    for (OfflineFit.Test test : tests) {
      text.append("\n").append(test.file().path()).append("\n");
      text.append(
          Evaluations.table(
              test.all(),
              fitted.settings().environment() == null ? List.of() : test.environments()));
    }
    if (out != null) {
      text.append("\nModel written to ").append(out).append("\n");
    }
    return text.toString();
  }
}
