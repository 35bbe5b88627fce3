package io.holdfast.bench;

import static io.holdfast.bench.report.MarkdownTable.figure;

import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.StructuralStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Risk against the strength of a simulated shift, by gamma. */
@Command(
    name = "shift",
    description =
        "Learns from structural equations under a shift of one strength and measures the loss under"
            + " others, by gamma: in all, and in the worst environment.",
    mixinStandardHelpOptions = true)
final class ShiftCommand implements Callable<Integer> {
  private static final long TRAINING = 1;
  private static final long TESTING = 2;

  @Spec CommandSpec spec;

  @Option(
      names = "--rows",
      defaultValue = "20000",
      description = "Rows learned from, and of each test (${DEFAULT-VALUE}).")
  int rows;

  @Option(
      names = "--learned-at",
      defaultValue = "1",
      description = "The strength that is learned from (${DEFAULT-VALUE}).")
  double learnedAt;

  @Option(
      names = "--strengths",
      split = ",",
      defaultValue = "0,0.5,1,1.5,2,3,4",
      description = "The strengths that are measured (${DEFAULT-VALUE}).")
  List<Double> strengths;

  @Option(
      names = "--gammas",
      split = ",",
      defaultValue = "1,2,4,8,16",
      description = "Anchor strengths (${DEFAULT-VALUE}).")
  List<Double> gammas;

  @Option(
      names = "--environments",
      defaultValue = "5",
      description = "Environments of the shift (${DEFAULT-VALUE}).")
  int environments;

  @Option(
      names = "--rounds",
      defaultValue = "100",
      description = "Rounds of every gamma (${DEFAULT-VALUE}).")
  int rounds;

  @Option(names = "--binary", description = "Classes rather than a real response.")
  boolean binary;

  @Override
  public Integer call() {
    Objective objective = binary ? new Logistic() : new Squared();
    Rows learned = simulated(learnedAt, TRAINING);
    List<Model> models = new ArrayList<>();
    for (double gamma : gammas) {
      BoosterSettings settings =
          BoosterSettings.builder(objective).gamma(gamma).rounds(rounds).seed(1).build();
      models.add(
          new Booster(settings).fit(stream(learnedAt, TRAINING).features(), learned).model());
    }
    MarkdownTable all = table();
    MarkdownTable worst = table();
    for (double strength : strengths) {
      Rows test = simulated(strength, TESTING);
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
    PrintWriter out = spec.commandLine().getOut();
    out.print("\nLoss by strength of the shift, learned at " + learnedAt + "\n\n" + all);
    out.print("\nThe same in the worst environment\n\n" + worst);
    out.flush();
    return 0;
  }

  private MarkdownTable table() {
    List<String> header = new ArrayList<>(List.of("strength"));
    gammas.forEach(gamma -> header.add("gamma " + gamma));
    return new MarkdownTable(header);
  }

  private Rows simulated(double strength, long seed) {
    StructuralStream stream = stream(strength, seed);
    Rows.Builder builder = Rows.builder(stream.features().size());
    for (int row = 0; row < rows; row++) {
      SimulatedRow next = stream.next();
      builder.add(next.features(), next.label(), 1, stream.environments().get(next.environment()));
    }
    return builder.build();
  }

  private StructuralStream stream(double strength, long seed) {
    return binary
        ? StructuralStream.binary(environments, row -> strength, seed)
        : StructuralStream.regression(environments, row -> strength, seed);
  }
}
