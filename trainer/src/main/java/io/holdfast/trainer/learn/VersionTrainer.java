package io.holdfast.trainer.learn;

import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.ledger.HeldVersions;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Figures;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.drift.BinStability;
import io.holdfast.trainer.drift.DriftAssessment;
import io.holdfast.trainer.evaluate.ConstantModel;
import io.holdfast.trainer.policy.AutoPolicy;
import io.holdfast.trainer.policy.NextWindow;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.policy.UpdateContext;
import io.holdfast.trainer.policy.UpdatePolicy;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.strength.GammaSchedule;
import io.holdfast.trainer.strength.Ladder;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Trains the version after the tip. Owned by the training thread; keeps only reused arrays. */
final class VersionTrainer {
  private final ModelSettings settings;
  private final String programVersion;
  private final String trainingJson;
  private final UpdatePolicy policy;
  private final Workspace workspace = Workspace.rememberingRows();
  private final Figures.Builder metrics = new Figures.Builder();
  private final OffsetRanges replayed;

  /** The trainer's state before a window; {@code version} is the last version's number. */
  record Before(Standing standing, long version, ReplayBuffer replay, HeldVersions versions) {
    LedgerVersion tip() {
      return standing.tip();
    }
  }

  /**
   * What goes into a version beside its model.
   *
   * @param reference for later windows' drift; null if that is remembered rows
   * @param uncertainty how sure its scores are; null if that is not said
   * @param calibration what corrects its probabilities; null if nothing does
   */
  record Beside(
      @Nullable KeptReference reference,
      @Nullable Uncertainty uncertainty,
      @Nullable LearnedCalibration calibration) {}

  VersionTrainer(ModelSettings settings, String programVersion) {
    this.settings = settings;
    this.programVersion = programVersion;
    trainingJson = settings.trainingJson();
    policy = UpdatePolicy.of(settings);
    replayed = new OffsetRanges(settings.topics().examples());
  }

  /** Whether every window reads all of memory. */
  boolean readsMemory() {
    return !(policy instanceof AutoPolicy);
  }

  /** What closes the window after a version. */
  NextWindow nextWindow(LedgerVersion tip) {
    return policy instanceof AutoPolicy
        ? NextWindow.of(
            settings.window(),
            tip.manifest().getMetrics(),
            settings.booster().objective().classes() > 0)
        : NextWindow.of(settings.window().rows());
  }

  /** Trains a version, not yet judged by the gate. */
  TrainerEvent.Outcome train(
      Before before,
      Window window,
      WindowRows rows,
      DriftAssessment drift,
      Beside beside,
      InstantSource time) {
    if (rows.size() == 0) {
      return new TrainerEvent.Outcome.Kept("Every row of the window was kept out of training.");
    }
    if (settings.update().gate() == Gate.BETTER && rows.heldOut().isEmpty()) {
      return new TrainerEvent.Outcome.Kept(
          "No row of the window was kept out of training, so nothing could be compared.");
    }
    try {
      LedgerVersion tip = before.tip();
      GammaSchedule.Scheduled scheduled =
          GammaSchedule.of(settings, tip, rows, before.version() + 1);
      ModelSettings present = scheduled.settings();
      TrainingRun run =
          policy.train(
              new UpdateContext(
                  present,
                  tip.grown(),
                  tip.manifest().getMetrics(),
                  rows::features,
                  rows,
                  before.version() + 1,
                  lag(before, window),
                  drift,
                  kept(tip)),
              workspace);
      if (!run.finite()) {
        return new TrainerEvent.Outcome.Kept(
            "Training overflowed: the anchor loss was " + run.after().total() + " after it.");
      }
      Ladder ladder = Ladder.next(present, tip, run, rows.whole());
      note(before, run, window, rows);
      LedgerCodec.Encoded encoded =
          LedgerCodec.encode(
              draft(before, run, window, scheduled, ladder, beside.reference)
                  .withUncertainty(beside.uncertainty)
                  .withCalibration(beside.calibration));
      return new TrainerEvent.Outcome.Trained(published(before, encoded, time.instant()), run);
    } catch (IllegalArgumentException e) {
      // Rows that are usable one by one and not together, or a version beyond the ledger's limits.
      return new TrainerEvent.Outcome.Kept("Training came to nothing: " + e.getMessage() + ".");
    }
  }

  /** The bins of the tip, if new trees are grown on them. */
  private @Nullable KeptBins kept(LedgerVersion tip) {
    return settings.update().upkeep().keepBins()
        ? new KeptBins(tip.bins(), BinStability::stay)
        : null;
  }

  /** Begins the metrics of the next manifest. */
  private void note(Before before, TrainingRun run, Window window, WindowRows rows) {
    metrics.clear();
    run.write(metrics);
    metrics.put("window", (double) window.number());
    metrics.put("rows", run.rows().size());
    metrics.put("windowRows", window.rows().size());
    metrics.put("memoryRows", before.replay().size());
    if (settings.update().gate() == Gate.BETTER) {
      metrics.put("heldOutRows", rows.heldOut().size());
    }
    metrics.putAll(constant(before.tip(), run));
  }

  private LedgerCodec.Draft draft(
      Before before,
      TrainingRun run,
      Window window,
      GammaSchedule.Scheduled scheduled,
      Ladder ladder,
      @Nullable KeptReference reference) {
    metrics.putAll(ladder.metrics());
    metrics.putAll(scheduled.metrics());
    return new LedgerCodec.Draft(
        settings.name(),
        before.version() + 1,
        before.tip(),
        run.model(),
        scheduled.settings().booster().gamma(),
        OffsetRanges.of(settings.topics().examples(), window),
        List.of(),
        run.rows().environments(),
        run.seed(),
        trainingJson,
        metrics.build(),
        programVersion,
        new LedgerCodec.Extras(
            replayed.of(before.replay()),
            settings.update().gate() == Gate.BETTER ? settings.update().holdOut() : 0,
            ladder.rungs(),
            ladder.served(),
            new Kept(run.bins(), reference)));
  }

  /** The next window's baseline; that of the parent if there is no new tree. */
  private Map<String, Double> constant(LedgerVersion tip, TrainingRun run) {
    Objective objective = settings.booster().objective();
    return run.appendedTrees() == 0 && tip.number() > 0
        ? ConstantModel.read(objective, tip.manifest().getMetrics()).metrics()
        : ConstantModel.fitted(objective, run.rows()).metrics();
  }

  /** How many versions ago the median row of the window was served. */
  static long lag(Before before, Window window) {
    long[] lags =
        window.rows().stream()
            .mapToLong(row -> Math.max(0, before.version() - row.served().version()))
            .sorted()
            .toArray();
    return lags.length == 0 ? 0 : lags[lags.length / 2];
  }

  /** With the head that names the version, and the tombstones of what leaves the topic. */
  NewVersion published(Before before, LedgerCodec.Encoded encoded, Instant at) {
    LedgerVersion version = encoded.version();
    Standing after = before.standing().trained(version, settings.update().gate(), at);
    return new NewVersion(
        encoded,
        after,
        before.versions().tombstones(version.manifest(), after.head(), settings.retainVersions()));
  }
}
