package io.holdfast.bench.robust;

import static io.holdfast.bench.report.MarkdownTable.figure;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Risk against the strength of a simulated shift, by gamma. */
@Command(
    name = "shift",
    description =
        "Learns from structural equations under a shift of one strength and measures the loss under"
            + " others, by gamma: in all, and in the worst environment.")
public final class ShiftCommand extends BenchCommand {
  private static final double LEARNED_AT = 1;
  private static final double[] STRENGTHS = {0, 0.5, 1, 1.5, 2, 3, 4};
  private static final double[] GAMMAS = {1, 2, 4, 8, 16};

  @Option(names = "--rows", description = "Rows learned from, and of each test (${DEFAULT-VALUE}).")
  int rows = 20_000;

  @Override
  protected void run(PrintWriter out) {
    StructuralRows learned = StructuralRows.squared(5, LEARNED_AT, 1, rows);
    List<Model> models = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("strength"));
    for (double gamma : GAMMAS) {
      var settings =
          BoosterSettings.builder(new Squared()).gamma(gamma).rounds(100).seed(1).build();
      models.add(new Booster(settings).fit(learned.features(), learned.rows()).model());
      header.add("gamma " + gamma);
    }
    var all = new MarkdownTable(header);
    var worst = new MarkdownTable(header);
    for (double strength : STRENGTHS) {
      Rows test = StructuralRows.squared(5, strength, 2, rows).rows();
      List<String> losses = new ArrayList<>(List.of("" + strength));
      List<String> worstLosses = new ArrayList<>(List.of("" + strength));
      for (Model model : models) {
        double[] scores = Scorer.of(model).scores(test);
        losses.add(figure(Evaluation.of(model.objective(), test, scores).loss()));
        worstLosses.add(
            figure(
                Evaluation.byEnvironment(model.objective(), test, scores).stream()
                    .mapToDouble(Evaluation::loss)
                    .max()
                    .orElse(Double.NaN)));
      }
      all.add(losses);
      worst.add(worstLosses);
    }
    out.print("\nLoss by strength of the shift, learned at " + LEARNED_AT + "\n\n" + all);
    out.print("\nThe same in the worst environment\n\n" + worst);
  }
}
