package io.holdfast.cli.learn;

import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.evaluate.LabelRange;
import io.holdfast.boosting.evaluate.LabelsSoFar;
import io.holdfast.boosting.evaluate.StreamEvaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.evaluate.Tested;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.cli.coverage.ServedCoverage;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.measure.CalibrationGroups;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Promised;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Replays a stream through the trainer and the scorer without Kafka: each row is scored by the
 * version in force, its label arrives later, windows close and versions follow. Under gate {@code
 * manual} each version is promoted at once. Owned by one thread at a time; one use.
 */
public final class Backtest {
  private static final int FEWEST_LABELS = 100;

  /** Rows of the windowed figures. */
  public static final int NEWEST = 1_000;

  /** Weight of a row in the fading figures, of that of the next one. */
  public static final double FADING = 0.999;

  /*
   * What takes seconds on Kafka takes no time here: a version serves from the row after the one
   * whose label closed its window. So the figures are those of a trainer that always keeps up.
   * Labels go to the trainer as the service's join writes examples: in the order of their coming,
   * those without a label not at all. A topic has gaps besides, where transactions end, which is a
   * matter of time; manifests name offsets, so versions have the hashes of the trainer's own only if
   * examples are given the offsets that they have on its topic.
   *
   * Memory: the rows that wait for labels, the trainer's window and replay buffer, the reports.
   * The figures are sums.
   */
  private final DataFile file;
  private final ModelSettings settings;
  private final LabelDelay delay;
  private final long pointEvery;
  private final InstantSource time;
  private final LongUnaryOperator offsets;
  private final TrainerCore trainer;
  private final SingleObjectFraming framing;
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong(Waiting::due).thenComparingLong(one -> one.row.number()));
  private final StreamEvaluation stream;
  private final Expected expected = new Expected(NEWEST);
  private final Calibration calibration = new Calibration(NEWEST);
  private final CalibrationGroups reliability = new CalibrationGroups();
  private final LabelsSoFar labels;
  private final LabelRange labelRange = new LabelRange(FEWEST_LABELS);
  private final @Nullable ServedCoverage coverage;
  private final LaterRows judged;
  private final LaterRows quarter;
  private final List<WindowReport> windows = new ArrayList<>();
  private final List<Digest> hashes = new ArrayList<>();
  private final List<Point> points = new ArrayList<>();
  private final Map<String, Long> unusable = new TreeMap<>();
  private long tested;
  private long examples;
  private long withoutLabel;
  private long clipped;
  private long farBeyond;
  private long scored;
  private long byConstants;
  private @Nullable Serving serving;

  /** A row whose label comes at {@code due}, with baselines as they were when it was scored. */
  private record Waiting(
      long due,
      Row row,
      double label,
      Served served,
      Objective objective,
      double noChange,
      double constant,
      LaterRows.@Nullable Constant best,
      ServedCoverage.@Nullable Promised promised) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scored(double[] raw, ServedCoverage.@Nullable Promised promised, double spread) {}

  /**
   * A row, by number from 0, and when it comes: its number, or its time in ms, never decreasing.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(long number, long clock, byte[] body, RowFields.Said said) {}

  private record Serving(
      LedgerVersion version,
      Objective objective,
      Scorer scorer,
      FeatureDecoder decoder,
      @Nullable RowBounds bounds) {}

  /** Figures of all labelled rows, of the newest {@link #NEWEST}, and of all by fading weights. */
  public record Figures(StreamFigures cumulative, StreamFigures windowed, StreamFigures fading) {}

  /**
   * When so many labels had come: the figures, and what the newest {@link #NEWEST} scores make one
   * expect, corrected by the newest labels or not.
   */
  public record Point(
      long rows,
      Figures stream,
      SortedMap<String, Double> expected,
      SortedMap<String, Double> uncorrected) {}

  /** How it went; {@code byConstants} counts rows scored by a version without a tree or slope. */
  public record Outcome(
      List<WindowReport> windows,
      Figures stream,
      SortedMap<String, StreamFigures> environments,
      Judged judged,
      LastQuarter lastQuarter,
      List<Point> points,
      List<CalibrationGroups.Group> calibration,
      long withoutLabel,
      Map<String, Long> unusable,
      long rows,
      long byConstants,
      long clipped,
      long farBeyond,
      List<Digest> hashes,
      LedgerVersion last,
      ServedCoverage.@Nullable Result coverage) {}

  /**
   * Figures of the rows after a warm-up, the same rows for every model, and the losses of stretches
   * of them.
   */
  public record Judged(
      StreamFigures figures,
      SortedMap<String, StreamFigures> environments,
      List<Double> stretches) {
    /** Mean loss; infinite if it is not known. */
    public double loss() {
      return figures.byName().getOrDefault("loss", Double.POSITIVE_INFINITY);
    }
  }

  /**
   * On {@code rows} rows; no {@code levels} for no intervals; {@code offsets} are those of examples
   * in their topic, by number.
   */
  Backtest(
      DataFile file,
      ModelSettings settings,
      LabelDelay delay,
      long rows,
      long pointEvery,
      InstantSource time,
      LongUnaryOperator offsets,
      List<Double> levels) {
    this.file = file;
    this.settings = settings;
    this.delay = delay;
    this.pointEvery = pointEvery;
    this.time = time;
    this.offsets = offsets;
    Objective objective = settings.booster().objective();
    coverage = levels.isEmpty() ? null : new ServedCoverage(levels, objective);
    stream = new StreamEvaluation(objective.classes(), NEWEST, FADING);
    judged = new LaterRows(rows / 2, rows, objective, false);
    quarter = new LaterRows(rows - (rows + 3) / 4, rows, objective, true);
    labels = new LabelsSoFar(objective.classes() > 0);
    Schema schema = file.schema();
    long known = Fingerprint.of(schema);
    framing = new SingleObjectFraming(fingerprint -> fingerprint == known ? schema : null);
    trainer =
        new TrainerCore(
            settings.update().gate() == Gate.MANUAL ? settings.withGate(Gate.ALWAYS) : settings,
            framing);
    trainer.apply(trainer.begin(schema, time));
    hashes.add(trainer.tip().hash());
  }

  /** Scores the next row, after learning from the labels that have come by now. */
  void accept(Row row) {
    learnBefore(row.clock());
    Scored now = score(row);
    double[] raw = now.raw;
    Objective objective = serving().objective;
    expected.add(objective, raw);
    if (objective.classes() == 0 && labelRange.farBeyond(objective.prediction(raw))) {
      farBeyond++;
    }
    Double label = row.said().label();
    if (label == null) {
      withoutLabel++;
      return;
    }
    LedgerVersion by = trainer.serving();
    long after = delay.of(row.number(), row.said().environment(), settings.booster().seed());
    waiting.add(
        new Waiting(
            // After 0 rows is before the next one; at the same time is soon enough.
            row.clock() + after + (delay.timed() ? 0 : 1),
            row,
            label,
            new Served(raw, by.number(), by.hash(), promised(row, label, now)),
            objective,
            labels.last(),
            settings.booster().objective().classes() > 0 ? labels.commonest() : labels.mean(),
            quarter.constant(row.number()),
            now.promised));
  }

  /** Takes the labels that have not come; the stream is over. */
  Outcome finish() {
    learnBefore(Long.MAX_VALUE);
    trainer.openWindow().ifPresent(this::conclude);
    if (tested % pointEvery != 0) {
      addPoint();
    }
    return new Outcome(
        List.copyOf(windows),
        figures(),
        stream.byEnvironment(),
        new Judged(judged.figures(), judged.byEnvironment(), judged.stretches()),
        quarter.lastQuarter(LastQuarter.of(windows).windows()),
        List.copyOf(points),
        reliability.groups(),
        withoutLabel,
        unusable,
        scored,
        byConstants,
        clipped,
        farBeyond,
        List.copyOf(hashes),
        trainer.serving(),
        coverage == null ? null : coverage.result());
  }

  private void learnBefore(long clock) {
    for (Waiting next = waiting.peek();
        next != null && next.due() <= clock;
        next = waiting.peek()) {
      waiting.remove();
      test(next);
      learn(next);
    }
  }

  private Scored score(Row row) {
    Serving now = serving();
    double[] features = new double[now.version.model().features().size()];
    try {
      now.decoder.decode(row.body(), 0, features);
    } catch (MalformedRecordException e) {
      throw new DataException(
          "%s, row %d cannot be decoded: %s", file.name(), row.number() + 1, e.getMessage());
    }
    double[] raw = new double[now.scorer.outputs()];
    now.scorer.score(features, raw);
    scored++;
    Model model = now.version.model();
    clipped += model.base().clipped(features);
    byConstants += model.trees() == 0 && model.base().terms().isEmpty() ? 1 : 0;
    return new Scored(
        raw,
        coverage == null ? null : coverage.serve(model.features(), features, now.objective, raw),
        now.bounds == null ? 1 : now.bounds.spread(features, raw));
  }

  /** What the version that serves promised of the row, if it does. */
  private @Nullable Promised promised(Row row, double label, Scored now) {
    RowBounds bounds = serving().bounds;
    return bounds == null
        ? null
        : Promised.of(bounds, row.said().environment(), now.raw, now.spread, label);
  }

  private Serving serving() {
    LedgerVersion version = trainer.serving();
    Serving now = serving;
    if (now == null || now.version.number() != version.number()) {
      now =
          new Serving(
              version,
              version.objective(),
              now == null ? Scorer.of(version.model()) : Scorer.of(version.model(), now.scorer),
              FileRows.decoder(
                  file,
                  version.model().features(),
                  new FeatureDecoder.Rules(version.missingWords())),
              version.bounds());
      serving = now;
    }
    return now;
  }

  private void test(Waiting waited) {
    RowFields.Said said = waited.row.said();
    Tested row =
        Tested.of(
            waited.objective,
            waited.label,
            said.weight(),
            waited.served.rawScores(),
            waited.noChange,
            waited.constant);
    stream.add(row, said.environment());
    judged.add(waited.row.number(), row, said.environment(), null);
    quarter.add(waited.row.number(), row, said.environment(), waited.best);
    calibration.add(waited.objective, waited.label, waited.served.rawScores(), said.weight());
    if (coverage != null && waited.promised != null) {
      coverage.learn(said.environment(), waited.label, waited.promised);
    }
    reliability.add(waited.objective, waited.label, waited.served.rawScores(), said.weight());
    labels.arrive(waited.label);
    labelRange.arrive(waited.label);
    tested++;
    if (tested % pointEvery == 0) {
      addPoint();
    }
  }

  private void addPoint() {
    points.add(new Point(tested, figures(), expected.figures(calibration), expected.uncorrected()));
  }

  private Figures figures() {
    return new Figures(stream.cumulative(), stream.windowed(), stream.fading());
  }

  private void learn(Waiting waited) {
    Row row = waited.row;
    if (delay.timed()) { // numbers of rows say nothing about how fast labels come
      trainer.next(waited.due).ifPresent(this::conclude);
      trainer.next(waited.due);
    }
    Optional<Refusal> refusal =
        trainer.add(
            new LabelledRow(
                new Position(0, offsets.applyAsLong(examples++), row.clock()),
                framing.frame(file.schema(), row.body()),
                waited.label,
                row.said().weight(),
                row.said().environment(),
                row.said().anchors(),
                waited.served));
    refusal.ifPresent(one -> unusable.merge(one.reason(), 1L, Long::sum));
    trainer
        .provisional(time) // before the first window is full, a constant serves
        .ifPresent(
            constant -> {
              trainer.apply(constant);
              hashes.add(trainer.tip().hash());
            });
    trainer.completeWindow().ifPresent(this::conclude);
  }

  private void conclude(Window window) {
    TrainerEvent.Concluded concluded = trainer.decide(window, time);
    trainer.apply(concluded);
    if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained) {
      hashes.add(trainer.tip().hash());
    }
    windows.add(concluded.report());
  }
}
