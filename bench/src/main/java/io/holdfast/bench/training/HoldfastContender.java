package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.SampleModels;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.trainer.drift.BinStability;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Holdfast, in the arrays of the window before. */
final class HoldfastContender implements Contender {
  private final WindowTask task;
  private final Booster booster;
  private final Model before;
  private final @Nullable KeptBins kept;
  private Model model;
  private double firstRound;

  /** With changed settings; if bins are kept, those of an earlier window of as many rows. */
  HoldfastContender(
      WindowTask task, boolean keepBins, UnaryOperator<BoosterSettings.Builder> change) {
    this.task = task;
    BoosterSettings settings = change.apply(settings(task)).build();
    booster = new Booster(settings, new Workspace());
    kept = keepBins ? new KeptBins(earlierBins(settings), BinStability::stay) : null;
    before =
        task.ensemble() == 0
            ? Booster.untrained(settings, task.features())
            : new Booster(settings.toBuilder().rounds(task.ensemble()).build())
                .fit(task.features(), task.before())
                .model();
    model = before;
  }

  static BoosterSettings.Builder settings(WindowTask task) {
    return SampleModels.settings(task.objective(), WindowTask.ROUNDS)
        .trees(
            new TreeLimits(WindowTask.LEAVES, 64, WindowTask.MIN_ROWS, WindowTask.MIN_HESSIAN, 0))
        .learningRate(WindowTask.LEARNING_RATE)
        .maxBins(WindowTask.MAX_BINS)
        .threads(task.threads());
  }

  private @Nullable Bins earlierBins(BoosterSettings settings) {
    return new Booster(settings.toBuilder().rounds(1).build())
        .extend(
            Booster.untrained(settings, task.features()),
            task.features(),
            new KeptBins(null, BinStability::stay),
            task.earlier(),
            FitListener.NONE)
        .bins();
  }

  @Override
  public Times run() {
    var listener =
        new FitListener() {
          @Override
          public void afterRound(int round, AnchorLoss loss) {
            if (round == 0) {
              firstRound = task.millis();
            }
          }
        };
    double start = task.millis();
    Fit fit =
        kept == null
            ? booster.extend(before, task.features(), task.window(), listener)
            : booster.extend(before, task.features(), kept, task.window(), listener);
    model = fit.model();
    double end = task.millis();
    return new Times(end - firstRound, end - start);
  }

  @Override
  public double testLoss() {
    return MeanLoss.of(model.objective(), task.test(), Scorer.of(model).scores(task.test()));
  }
}
