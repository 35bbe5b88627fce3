package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
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
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.trainer.drift.BinStability;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Holdfast, in the arrays of the window before. */
final class HoldfastContender implements Contender {
  private final String name;
  private final Task task;
  private final Booster booster;
  private final Model before;
  private final Stopwatch watch;
  private final @Nullable KeptBins kept;
  private Model model;
  private double beforeFirstRound;

  HoldfastContender(String name, Task task, UnaryOperator<BoosterSettings.Builder> change) {
    this(name, task, false, change);
  }

  /** As above, and with the bins of an earlier window of as many rows if they are to be kept. */
  HoldfastContender(
      String name, Task task, boolean keepBins, UnaryOperator<BoosterSettings.Builder> change) {
    this.name = name;
    this.task = task;
    watch = new Stopwatch(task.threads());
    BoosterSettings settings =
        change
            .apply(
                BoosterSettings.builder(task.objective())
                    .gamma(1)
                    .rounds(task.rounds())
                    .learningRate(Task.LEARNING_RATE)
                    .trees(new TreeLimits(task.leaves(), 64, Task.MIN_ROWS, Task.MIN_HESSIAN, 0))
                    .penalties(Penalties.ridge(0))
                    .maxBins(Task.MAX_BINS)
                    .threads(task.threads())
                    .seed(1))
            .build();
    booster = new Booster(settings, new Workspace());
    kept = keepBins ? kept(settings) : null;
    before =
        task.ensemble() == 0 ? Booster.untrained(settings, task.features()) : ensemble(settings);
    model = before;
  }

  private Model ensemble(BoosterSettings settings) {
    BoosterSettings earlier = settings.toBuilder().rounds(task.ensemble()).build();
    return new Booster(earlier).fit(task.features(), task.before()).model();
  }

  private KeptBins kept(BoosterSettings settings) {
    var nothing = new KeptBins(null, BinStability::stay);
    Model untrained = Booster.untrained(settings, task.features());
    Bins found =
        new Booster(settings.toBuilder().rounds(1).build())
            .extend(untrained, task.features(), nothing, task.earlier(), FitListener.NONE)
            .bins();
    return new KeptBins(found, BinStability::stay);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Times run() {
    var listener =
        new FitListener() {
          @Override
          public void afterRound(int round, AnchorLoss loss) {
            if (round == 0) {
              beforeFirstRound = watch.millis();
            }
          }
        };
    watch.start();
    Fit fit =
        kept == null
            ? booster.extend(before, task.features(), task.window(), listener)
            : booster.extend(before, task.features(), kept, task.window(), listener);
    model = fit.model();
    double all = watch.millis();
    return new Times(all - beforeFirstRound, all);
  }

  @Override
  public double testLoss() {
    return MeanLoss.of(model.objective(), task.test(), Scorer.of(model).scores(task.test()));
  }

  @Override
  public void close() {}
}
