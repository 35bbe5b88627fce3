package io.holdfast.bench;

import static io.holdfast.bench.report.MarkdownTable.count;
import static io.holdfast.bench.report.MarkdownTable.figure;

import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.MulticlassTrees;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * One tree a class and round, or one tree with a value a class in each leaf. A fifth of the
 * training rows, drawn from each environment, says when to stop.
 */
@Command(
    name = "classes",
    description = "Several classes by a tree each, and by trees with a value a class in each leaf.",
    mixinStandardHelpOptions = true)
final class ClassTreeChoice implements Callable<Integer> {
  private static final int PATIENCE = 20;

  @Spec CommandSpec spec;

  @Mixin DataOptions data;

  @Option(
      names = "--tasks",
      split = ",",
      defaultValue = "cover-softmax,wine-softmax",
      description = "What to learn (${DEFAULT-VALUE}).")
  List<String> tasks;

  @Option(
      names = "--rounds",
      defaultValue = "400",
      description = "Rounds at most (${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "Draws of test rows from each environment (${DEFAULT-VALUE}).")
  int seeds;

  @Option(
      names = "--gamma",
      defaultValue = "1",
      description = "Anchor strength of training (${DEFAULT-VALUE}).")
  double gamma;

  private record Measured(
      double loss, double accuracy, double rounds, double trees, double values, double seconds) {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    var table =
        new MarkdownTable(
            "task",
            "test rows",
            "trees",
            "loss",
            "right",
            "rounds",
            "trees",
            "leaf values",
            "seconds");
    for (Task task : Task.named(tasks)) {
      LabelledRows all = LabelledRows.read(data.folder(), task);
      Rows rows = Split.sample(all.rows(), data.quick ? 500 : data.rows, 1);
      List<Split> draws =
          IntStream.rangeClosed(1, data.quick ? 1 : seeds)
              .mapToObj(seed -> Split.stratified(rows, 0.75, seed))
              .toList();
      List<Split> environments =
          IntStream.range(0, rows.environments().size())
              .mapToObj(environment -> Split.leavingOut(rows, environment))
              .toList();
      for (MulticlassTrees trees : MulticlassTrees.values()) {
        add(table, task, "of every environment", trees, all.features(), draws);
        add(table, task, "environments left out", trees, all.features(), environments);
      }
    }
    out.print(table);
    out.flush();
    return 0;
  }

  private void add(
      MarkdownTable table,
      Task task,
      String kind,
      MulticlassTrees trees,
      List<Feature> features,
      List<Split> splits) {
    List<Measured> measured = new ArrayList<>();
    for (Split split : splits) {
      measured.add(measured(task, trees, features, split));
    }
    table.add(
        task.toString(),
        kind,
        trees == MulticlassTrees.PER_CLASS ? "one a class" : "vector leaves",
        figure(mean(measured, Measured::loss)),
        String.format(Locale.ROOT, "%.1f%%", 100 * mean(measured, Measured::accuracy)),
        count((long) mean(measured, Measured::rounds)),
        count((long) mean(measured, Measured::trees)),
        count((long) mean(measured, Measured::values)),
        String.format(Locale.ROOT, "%.1f", mean(measured, Measured::seconds)));
  }

  private static double mean(List<Measured> measured, ToDoubleFunction<Measured> figure) {
    return measured.stream().mapToDouble(figure).average().orElseThrow();
  }

  private Measured measured(Task task, MulticlassTrees trees, List<Feature> features, Split split) {
    var threads = ManagementFactory.getThreadMXBean();
    var settings =
        BoosterSettings.builder(task.objective())
            .gamma(gamma)
            .rounds(data.quick ? 3 : rounds)
            .multiclass(trees)
            .seed(1)
            .build();
    Split inner = Split.stratified(split.train(), 0.8, 1);
    var stopping = new EarlyStopping(inner.test(), new Criterion.Mean(), PATIENCE);
    long start = threads.getCurrentThreadCpuTime();
    var fit = new Booster(settings).fit(features, inner.train(), stopping, FitListener.NONE);
    double seconds = (threads.getCurrentThreadCpuTime() - start) / 1e9;
    Model model = fit.model();
    double[] scores = Scorer.of(model).scores(split.test());
    return new Measured(
        MeanLoss.of(model.objective(), split.test(), scores),
        accuracy(model, split.test(), scores),
        fit.bestRound(),
        model.trees(),
        leafValues(model),
        seconds);
  }

  private static double accuracy(Model model, Rows rows, double[] scores) {
    double[] one = new double[model.objective().outputs()];
    int right = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      right += model.objective().prediction(one) == rows.label(row) ? 1 : 0;
    }
    return (double) right / rows.size();
  }

  private static int leafValues(Model model) {
    int values = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        values += tree.leaves() * tree.outputs();
      }
    }
    return values;
  }
}
