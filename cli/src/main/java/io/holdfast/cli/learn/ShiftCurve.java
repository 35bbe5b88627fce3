package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.StructuralStream;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.learn.OfflineTrainer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model loses by the strength of a shift: it is trained by the service's trainer on
 * structural equations whose shift has strength {@code learnedAt}, then scores {@code rows} rows
 * under each of {@code strengths}. Immutable.
 */
public record ShiftCurve(
    int rows, int environments, double learnedAt, List<Double> strengths, long seed) {
  public ShiftCurve {
    strengths = List.copyOf(strengths);
  }

  /** Mean losses by strength, in all and in the worst environment, and the last version. */
  public record Result(List<Double> losses, List<Double> worst, LedgerVersion last) {}

  /** Whether simulated labels suit an objective: real values, or two classes. */
  public static boolean takes(Objective objective) {
    return objective.classes() == 2 || (objective.classes() == 0 && objective.accepts(-1.5));
  }

  /** Trains a model, with labels that come at once, and measures it. */
  public Result of(ModelSettings settings, Runnable step) {
    Objective objective = settings.booster().objective();
    StructuralStream stream = stream(objective, learnedAt, seed);
    OfflineTrainer trainer = new OfflineTrainer(settings, stream.features(), 0);
    for (int row = 0; row < rows; row++) {
      SimulatedRow next = stream.next();
      trainer.next(
          next.features().clone(), next.label(), stream.environments().get(next.environment()));
      step.run();
    }
    LedgerVersion last = trainer.core().serving();
    Model model = last.model();
    List<Double> losses = new ArrayList<>();
    List<Double> worst = new ArrayList<>();
    for (double strength : strengths) {
      Rows test = drawn(objective, strength);
      double[] scores = Scorer.of(model).scores(test);
      losses.add(Evaluation.of(model.objective(), test, scores).loss());
      worst.add(
          Evaluation.byEnvironment(model.objective(), test, scores).stream()
              .mapToDouble(Evaluation::loss)
              .max()
              .orElse(Double.NaN));
    }
    return new Result(List.copyOf(losses), List.copyOf(worst), last);
  }

  private Rows drawn(Objective objective, double strength) {
    StructuralStream stream = stream(objective, strength, seed + 1);
    Rows.Builder builder = Rows.builder(stream.features().size()).expecting(rows);
    for (int row = 0; row < rows; row++) {
      SimulatedRow next = stream.next();
      builder.add(next.features(), next.label(), stream.environments().get(next.environment()));
    }
    return builder.build();
  }

  private StructuralStream stream(Objective objective, double strength, long by) {
    return objective.classes() == 2
        ? StructuralStream.binary(environments, row -> strength, by)
        : StructuralStream.regression(environments, row -> strength, by);
  }
}
