package io.holdfast.trainer.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.avro.GateReport;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.ledger.HeldVersions;
import io.holdfast.schemas.ledger.SettingsFit;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.trainer.drift.DriftAssessment;
import io.holdfast.trainer.drift.DriftFindings;
import io.holdfast.trainer.drift.DriftMonitor;
import io.holdfast.trainer.drift.ReferenceCurves;
import io.holdfast.trainer.drift.ReferenceUpkeep;
import io.holdfast.trainer.evaluate.CalibrationUpkeep;
import io.holdfast.trainer.evaluate.ConstantModel;
import io.holdfast.trainer.evaluate.HeldOutGate;
import io.holdfast.trainer.evaluate.Prequential;
import io.holdfast.trainer.evaluate.UncertaintyUpkeep;
import io.holdfast.trainer.evaluate.VersionLosses;
import io.holdfast.trainer.evaluate.VersionObjectives;
import io.holdfast.trainer.evaluate.VersionObjectives.ServedScores;
import io.holdfast.trainer.evaluate.WindowEvidence;
import io.holdfast.trainer.expect.Expectation;
import io.holdfast.trainer.expect.Outlook;
import io.holdfast.trainer.expect.Trials;
import io.holdfast.trainer.policy.NextWindow;
import io.holdfast.trainer.reason.WindowReason;
import io.holdfast.trainer.rows.RowReader;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.ReplayLimits;
import io.holdfast.trainer.window.RowPriority;
import io.holdfast.trainer.window.Window;
import io.holdfast.trainer.window.WindowCutter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One model's trainer without Kafka: it decides, and the caller publishes. Owned by one thread.
 *
 * <p>The sequence of calls, live and in a backtest:
 *
 * <pre>{@code
 * TrainerCore core = new TrainerCore(settings, framing);
 * var begun = core.begin(recordSchema, time);        // or core.resume(...), after a restart
 * publish(begun);
 * core.apply(begun);
 * for (LabelledRow row : rows) {                     // in offset order within each partition
 *   core.add(row).ifPresent(refusal -> deadLetter(row, refusal));
 *   core.provisional(time).ifPresent(constant -> {     // only before the first window
 *     publish(constant);
 *     core.apply(constant);
 *   });
 *   Optional<Window> window = core.completeWindow();
 *   if (window.isPresent()) {
 *     var concluded = core.decide(window.get(), time);
 *     publish(concluded);
 *     core.apply(concluded);                         // core.tip() is the new version now
 *   }
 * }
 * }</pre>
 *
 * <p>Versions are a function of the settings, the record schema and the rows of the windows and the
 * replay buffer, not of the time or how rows were handed over.
 */
public final class TrainerCore {
  /*
   * Beside rows, what the trainer knows of the past stands in the tip's manifest, such as the next
   * window's baseline. A restart restores the replay buffer from the log.
   */
  private final ModelSettings settings;
  private final Framing framing;
  private final String programVersion;
  private final WindowCutter cutter;
  private final VersionObjectives objectives = new VersionObjectives();
  private final VersionTrainer training;
  private ReplayBuffer replay;
  private Progress progress = Progress.NONE;
  private final RowPriority holdOut;
  private final HeldVersions versions = new HeldVersions();
  private NextWindow nextWindow = NextWindow.of(1);
  private @Nullable Standing standing;
  private @Nullable RowReader reader;
  private @Nullable ReferenceCurves reference;

  public TrainerCore(ModelSettings settings, Framing framing) {
    this(settings, framing, ProgramVersion.VALUE);
  }

  /** With versions that say that {@code programVersion} trained them. */
  public TrainerCore(ModelSettings settings, Framing framing, String programVersion) {
    this.settings = settings;
    this.framing = framing;
    this.programVersion = programVersion;
    training = new VersionTrainer(settings, programVersion);
    cutter = new WindowCutter(settings.window());
    holdOut = RowPriority.of(settings, "holdOut");
    replay =
        ReplayBuffer.empty(ReplayLimits.of(settings.window()), RowPriority.of(settings, "replay"));
  }

  /**
   * Decides version 0: no trees, raw score 0, features by the record schema.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if the settings do not fit the schema
   */
  public TrainerEvent.Begun begin(Schema recordSchema, InstantSource time) {
    return begin(RecordLayout.features(settings, recordSchema), time);
  }

  public TrainerEvent.Begun begin(List<Feature> features, InstantSource time) {
    Check.that(standing == null, "model %s has begun already", settings.name());
    Model model = Booster.untrained(settings.booster(), features);
    var draft =
        LedgerCodec.Draft.first(
            settings.name(),
            model,
            settings.booster().gamma(),
            settings.booster().seed(),
            settings.trainingJson(),
            programVersion);
    LedgerCodec.Encoded encoded = LedgerCodec.encode(draft);
    return new TrainerEvent.Begun(
        new NewVersion(encoded, Standing.first(encoded.version(), time.instant()), List.of()));
  }

  /**
   * Continues a model that has versions, before any row is added.
   *
   * @param versions all versions that the model topic holds: some may have served rows to come
   * @throws io.holdfast.schemas.settings.SettingsException if the settings no longer fit the model
   */
  public void resume(Standing standing, List<ModelManifest> versions, Progress progress) {
    Check.that(this.standing == null, "model %s has begun already", settings.name());
    SettingsFit.check(settings, standing.tip());
    objectives.add(versions);
    versions.forEach(this.versions::add);
    stand(standing);
    this.progress = progress;
    TreeMap<Integer, Long> positions = new TreeMap<>();
    progress
        .partitions()
        .forEach((partition, reached) -> positions.put(partition, reached.position()));
    cutter.resume(progress.window(), progress.time(), positions);
  }

  /** Restores the replay buffer, after {@link #resume}, from what the log still holds. */
  public void remember(ReplayPlan plan, RowSource log) {
    replay = plan.restore(replay, cuts -> usable(log.read(cuts).rows()));
  }

  /** The rows that can be learned from. */
  public List<LabelledRow> usable(List<LabelledRow> rows) {
    RowReader judge = reader();
    return rows.stream().filter(row -> judge.judge(row).isEmpty()).toList();
  }

  /**
   * Tells when the next example was written, in milliseconds since 1970. Gives a window that ends
   * before it, because the log was quiet for {@code minInterval}: conclude and apply it, and ask
   * again. Windows are not held back where no times are told.
   */
  public Optional<Window> next(long time) {
    if (cutter.completeBefore(time)) {
      return Optional.of(cutter.window());
    }
    cutter.at(time);
    return Optional.empty();
  }

  /** The window that ends if no example comes for long; the same until it is concluded. */
  public Optional<Window> fullWindow() {
    return cutter.full() ? Optional.of(cutter.window()) : Optional.empty();
  }

  /**
   * Takes the next example of its partition.
   *
   * @return why it cannot be used, if so; it is counted either way
   */
  public Optional<Refusal> add(LabelledRow row) {
    Optional<Refusal> refusal = reader().judge(row);
    if (refusal.isPresent()) {
      refuse(row.position(), refusal.get());
    } else {
      checkOpen();
      Objective served = objectives.of(row.served().version(), tip().objective());
      cutter.add(row, nextWindow.lost(served.uncalibrated(), row));
    }
    return refusal;
  }

  /** Counts what could not be read as an example. */
  public void refuse(Position position, Refusal refusal) {
    checkOpen();
    cutter.refuse(position, refusal);
  }

  /** The window, once it is complete; the same until it is concluded and applied. */
  public Optional<Window> completeWindow() {
    return cutter.complete() ? Optional.of(cutter.window()) : Optional.empty();
  }

  /**
   * The window of all that was added, complete or not; empty if nothing was. Add nothing before it
   * is concluded and applied.
   */
  public Optional<Window> openWindow() {
    return cutter.examples() > 0 ? Optional.of(cutter.window()) : Optional.empty();
  }

  /** A constant to serve until the first window is full, if it is due; ask after each row. */
  public Optional<TrainerEvent.Provisional> provisional(InstantSource time) {
    if (progress.window() > 0
        || cutter.complete()
        || !ColdStart.due(settings, tip(), cutter.rows(), nextWindow.fewest())) {
      return Optional.empty();
    }
    Window rows = cutter.window();
    return constant(rows, time)
        .map(version -> new TrainerEvent.Provisional(version, rows.rows().size()));
  }

  /** The constant of least loss on rows, as the version after the tip. */
  public Optional<NewVersion> constant(Window rows, InstantSource time) {
    return ColdStart.draft(settings, programVersion, tip(), progress.version() + 1, rows)
        .map(LedgerCodec::encode)
        .map(encoded -> training.published(before(), encoded, time.instant()));
  }

  /**
   * Evaluates what was served in the window, trains on it and the replay buffer, and asks the gate.
   * Changes nothing here; may take seconds.
   */
  public TrainerEvent.Concluded decide(Window window, InstantSource time) {
    Instant begin = time.instant();
    Prequential prequential = null;
    GateReport gate = null;
    Comparison shadowed = null;
    Outlook outlook = null;
    ReasonReport reason = null;
    DriftFindings drift = DriftFindings.NONE;
    Promotion asked = promotion(window, null);
    TrainerEvent.Outcome outcome =
        new TrainerEvent.Outcome.Kept("No example of the window could be used.");
    if (!window.rows().isEmpty()) {
      WindowRows rows = rows(window);
      ServedScores served = objectives.served(window.rows(), tip());
      ConstantModel constant =
          ConstantModel.read(settings.booster().objective(), tip().manifest().getMetrics());
      prequential =
          Prequential.of(window.rows(), rows.whole(), served, constant, settings.classes());
      shadowed = shadowed(window, rows.whole(), prequential);
      asked = promotion(window, rows.whole());
      WindowEvidence evidence = evidence(rows, served);
      drift = DriftMonitor.look(settings, evidence);
      outcome = train(window, rows, evidence, drift, time);
      reason = WindowReason.of(settings, window, rows, objectives, tip());
      long seed = settings.booster().seed() + window.number();
      outlook = Expectation.of(rows, past -> objectives.served(past, tip()), seed);
      if (outcome instanceof TrainerEvent.Outcome.Trained trained
          && settings.update().gate() == Gate.BETTER) {
        gate = judged(trained.version().version(), rows);
        outcome =
            gate.getPassed() ? outcome : new TrainerEvent.Outcome.Kept(HeldOutGate.refusal(gate));
      }
    }
    Instant end = time.instant();
    Standing then =
        outcome instanceof TrainerEvent.Outcome.Trained trained
            ? trained.version().standing()
            : standing();
    Standing promoted = asked.promoted(then, versions, settings.update().gate(), end);
    Standing after = promoted == null ? then : promoted;
    var findings =
        new Reports.Findings(
            prequential,
            outlook == null ? null : outlook.report(progress.trials()),
            gate,
            shadowed,
            drift,
            reason,
            outcome,
            asked.sentence(after),
            after);
    WindowReport report = Reports.of(settings, window, findings, begin, end);
    return new TrainerEvent.Concluded(
        window,
        outcome,
        report,
        progress.after(window, outcome, cutter.time(), asked.left(after), tried(outlook, report)),
        promoted);
  }

  private Trials tried(@Nullable Outlook outlook, WindowReport report) {
    Trials before = progress.trials();
    return outlook == null ? before : before.plus(outlook, report.getMetrics());
  }

  private GateReport judged(LedgerVersion version, WindowRows rows) {
    return HeldOutGate.judge(
        version,
        standing().replaceable(),
        framing,
        rows.heldOut(),
        rows.heldOutRows(),
        settings.update().margin());
  }

  private Promotion promotion(Window window, @Nullable Rows labelled) {
    return Promotion.of(
        settings.update(), standing(), progress.evidence(), framing, window.rows(), labelled);
  }

  /** Trains on the replay buffer and the window without a gate. */
  public TrainerEvent.Outcome retrain(Window window, InstantSource time) {
    WindowRows rows = rows(window);
    ServedScores served = objectives.served(window.rows(), tip());
    WindowEvidence evidence = evidence(rows, served);
    return train(window, rows, evidence, DriftMonitor.look(settings, evidence), time);
  }

  private WindowRows rows(Window window) {
    return new WindowRows(reader(), tip(), replay, window, this::heldOut, training.readsMemory());
  }

  private WindowEvidence evidence(WindowRows rows, ServedScores served) {
    return new WindowEvidence(tip(), reference(), rows, served.scores());
  }

  private TrainerEvent.Outcome train(
      Window window,
      WindowRows rows,
      WindowEvidence evidence,
      DriftFindings drift,
      InstantSource time) {
    DriftAssessment assessed = DriftMonitor.assess(settings, drift, window.rows().size());
    VersionTrainer.Before before = before();
    LearnedCalibration calibration = CalibrationUpkeep.next(settings, tip(), rows);
    long lag = VersionTrainer.lag(before, window);
    var beside =
        new VersionTrainer.Beside(
            ReferenceUpkeep.next(settings, evidence, drift),
            UncertaintyUpkeep.next(settings, tip(), calibration, rows, lag),
            calibration);
    return training.train(before, window, rows, assessed, beside, time);
  }

  /** The tip's reference; its curves are kept while versions keep it. */
  @SuppressWarnings("ReferenceEquality") // sketches are immutable: a version keeps them by identity
  private @Nullable ReferenceCurves reference() {
    KeptReference kept = tip().kept().reference();
    if (kept == null) {
      reference = null;
    } else if (reference == null || reference.sketches() != kept.sketches()) {
      reference = new ReferenceCurves(kept.sketches());
    }
    return reference;
  }

  private boolean heldOut(Position position) {
    return settings.update().gate() == Gate.BETTER
        && holdOut.within(settings.update().holdOut(), position);
  }

  /** Takes a published event into the state. */
  public void apply(TrainerEvent event) {
    switch (event) {
      case TrainerEvent.Begun begun -> take(begun.version());
      case TrainerEvent.Provisional constant -> {
        progress = progress.with(constant.version().version());
        take(constant.version());
      }
      case TrainerEvent.Concluded concluded -> {
        Check.that(
            concluded.window().cuts().equals(cutter.cuts()),
            "window %s was concluded on other rows than it has now",
            concluded.window().number());
        Window window = concluded.window();
        progress = concluded.progress();
        cutter.next();
        switch (concluded.outcome()) {
          case TrainerEvent.Outcome.Trained trained -> {
            replay = replay.published(window.cuts(), window.rows());
            take(trained.version());
          }
          case TrainerEvent.Outcome.Kept kept ->
              replay = replay.unpublished(window.cuts(), window.rows());
        }
        if (concluded.promoted() != null) {
          stand(concluded.promoted());
        }
      }
    }
  }

  public Standing standing() {
    if (standing == null) {
      throw new IllegalStateException("model " + settings.name() + " has no version yet");
    }
    return standing;
  }

  public LedgerVersion serving() {
    return standing().serving();
  }

  public LedgerVersion tip() {
    return standing().tip();
  }

  public Progress progress() {
    return progress;
  }

  /** How many rows the replay buffer holds. */
  public int memoryRows() {
    return replay.size();
  }

  private @Nullable Comparison shadowed(Window window, Rows labelled, Prequential served) {
    LedgerVersion shadow = standing().shadow();
    return shadow == null
        ? null
        : VersionLosses.shadow(shadow, framing, window.rows(), labelled, served).orElse(null);
  }

  private VersionTrainer.Before before() {
    return new VersionTrainer.Before(standing(), progress.version(), replay, versions);
  }

  private void take(NewVersion published) {
    LedgerVersion version = published.version();
    objectives.add(version.number(), version.objective());
    versions.add(version.manifest());
    for (LedgerRecord tombstone : published.tombstones()) {
      if (tombstone.key() instanceof LedgerKey.VersionKey gone) {
        versions.remove(gone.version());
      }
    }
    stand(published.standing());
  }

  private void stand(Standing next) {
    standing = next;
    nextWindow = training.nextWindow(next.tip());
    cutter.aim(nextWindow.fewest(), nextWindow.most(), nextWindow.lost());
    if (reader == null) { // features keep their order and kinds; only categories are added
      reader = new RowReader(settings, framing, next.tip().model().features());
    }
  }

  /** Notes about the rows, each given once. */
  public List<String> takeNotes() {
    return reader == null ? List.of() : reader.takeNotes();
  }

  private RowReader reader() {
    if (reader == null) {
      throw new IllegalStateException("model " + settings.name() + " has no version yet");
    }
    return reader;
  }

  private void checkOpen() {
    Check.that(
        !cutter.complete(), "model %s must conclude its window before more rows", settings.name());
  }
}
