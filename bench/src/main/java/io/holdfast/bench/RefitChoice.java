package io.holdfast.bench;

import static io.holdfast.bench.report.MarkdownTable.change;
import static io.holdfast.bench.report.MarkdownTable.figure;

import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.RiskSummary;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafRefit;
import io.holdfast.boosting.leaf.LeafSettings;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Leaf values learned again from newer rows, by the published step and by the anchored one, against
 * the model as it was and against more trees: by the risk on an environment that none has seen.
 *
 * <p>Each cell is the change of the mean risk, and of the worst, against the model as it was.
 * Environments in order of time: trained on all before two, refitted on those two, tested on the
 * next. Others: each is tested on in turn; of the rest, from the next one round in a circle, one
 * half trains and the other refits.
 */
@Command(
    name = "refit",
    description = "Refits without and with the anchor, at several decays.",
    mixinStandardHelpOptions = true)
final class RefitChoice implements Callable<Integer> {
  private static final int WINDOW = 2; // environments
  private static final double[] DECAYS = {0.9, 0.5, 0};

  @Spec CommandSpec spec;

  @Mixin DataOptions data;

  @Option(
      names = "--tasks",
      split = ",",
      defaultValue =
          "bikes-squared,electricity-logistic,turbine-squared,weather-squared,cover-logistic",
      description = "What to learn (${DEFAULT-VALUE}).")
  List<String> tasks;

  @Option(
      names = "--rounds",
      defaultValue = "100",
      description = "Rounds of the first model (${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--more-rounds",
      defaultValue = "20",
      description = "Rounds that newer rows append instead of a refit (${DEFAULT-VALUE}).")
  int moreRounds;

  @Option(
      names = "--gammas",
      split = ",",
      defaultValue = "1,7",
      description = "Anchor strengths of training and of the anchored refit (${DEFAULT-VALUE}).")
  List<Double> gammas;

  /** Rows to train on first, newer ones, and an environment after or beside both. */
  private record Fold(Rows old, Rows recent, Rows unseen) {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<String> header =
        new ArrayList<>(
            List.of("task", "gamma", "tests", "mean, worst", moreRounds + " more rounds"));
    for (double decay : DECAYS) {
      header.add(String.format(Locale.ROOT, "refit %.1f", decay));
      header.add(String.format(Locale.ROOT, "anchored %.1f", decay));
    }
    var table = new MarkdownTable(header);
    for (Task task : Task.named(tasks)) {
      LabelledRows all = LabelledRows.read(data.folder(), task);
      Rows rows = Split.sample(all.rows(), data.quick ? 500 : data.rows, 1);
      for (double gamma : gammas) {
        add(table, task, gamma, all.features(), folds(rows, inTime(task, rows)));
      }
    }
    out.print(table);
    out.flush();
    return 0;
  }

  /** Whether environments follow each other, and not all stand at the same times. */
  private static boolean inTime(Task task, Rows rows) {
    if (!task.data().ordered()) {
      return false;
    }
    for (int row = 1; row < rows.size(); row++) {
      if (rows.environment(row) < rows.environment(row - 1)) {
        return false;
      }
    }
    return true;
  }

  private static List<Fold> folds(Rows rows, boolean inTime) {
    int environments = rows.environments().size();
    List<Fold> folds = new ArrayList<>();
    if (inTime && environments > WINDOW + 1) {
      for (int next = WINDOW + 1; next < environments; next++) {
        int first = next - WINDOW;
        int last = next;
        folds.add(fold(rows, e -> e < first, e -> e >= first && e < last, e -> e == last));
      }
      return folds;
    }
    int half = environments / 2;
    for (int tested = 0; tested < environments; tested++) {
      int left = tested;
      IntPredicate later = e -> (e - left + environments) % environments > half;
      folds.add(fold(rows, e -> e != left && !later.test(e), later, e -> e == left));
    }
    return folds;
  }

  private static Fold fold(Rows rows, IntPredicate old, IntPredicate recent, IntPredicate unseen) {
    return new Fold(chosen(rows, old), chosen(rows, recent), chosen(rows, unseen));
  }

  private static Rows chosen(Rows rows, IntPredicate environment) {
    return rows.subset(
        IntStream.range(0, rows.size())
            .filter(row -> environment.test(rows.environment(row)))
            .toArray());
  }

  private void add(
      MarkdownTable table, Task task, double gamma, List<Feature> features, List<Fold> folds) {
    List<double[]> risks = new ArrayList<>(); // of a model, by fold
    for (int fold = 0; fold < folds.size(); fold++) {
      List<Model> models = models(task, gamma, features, folds.get(fold));
      Rows unseen = folds.get(fold).unseen();
      for (int k = 0; k < models.size(); k++) {
        if (fold == 0) {
          risks.add(new double[folds.size()]);
        }
        Model model = models.get(k);
        risks.get(k)[fold] =
            MeanLoss.of(model.objective(), unseen, Scorer.of(model).scores(unseen));
      }
    }
    RiskSummary unused = RiskSummary.of(risks.getFirst());
    List<String> cells =
        new ArrayList<>(
            List.of(
                task.toString(),
                String.format(Locale.ROOT, "%.0f", gamma),
                Integer.toString(folds.size()),
                figure(unused.mean()) + ", " + figure(unused.worst())));
    for (double[] ofFolds : risks.subList(1, risks.size())) {
      RiskSummary summary = RiskSummary.of(ofFolds);
      cells.add(
          change(summary.mean(), unused.mean()) + ", " + change(summary.worst(), unused.worst()));
    }
    table.add(cells);
  }

  /** The model as it was, with more trees, and for each decay refitted without and with anchor. */
  private List<Model> models(Task task, double gamma, List<Feature> features, Fold fold) {
    var settings =
        BoosterSettings.builder(task.objective())
            .gamma(gamma)
            .rounds(data.quick ? 3 : rounds)
            .seed(1)
            .build();
    Model old = new Booster(settings).fit(features, fold.old()).model();
    List<Model> models = new ArrayList<>(List.of(old));
    var more = new Booster(settings.toBuilder().rounds(data.quick ? 3 : moreRounds).build());
    models.add(more.extend(old, features, fold.recent(), FitListener.NONE).model());
    var steps =
        new LeafSettings(
            settings.learningRate(),
            settings.penalties().lambda1(),
            settings.penalties().lambda2());
    for (double decay : DECAYS) {
      var refit = new LeafRefit(steps, List.of(), decay);
      var anchor = GroupMeans.ofEnvironments(fold.recent());
      models.add(refit.plain(old, fold.recent()).model());
      models.add(refit.anchored(old, fold.recent(), anchor, gamma).model());
    }
    return models;
  }
}
