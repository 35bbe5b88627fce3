package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.evaluate.LabelsSoFar;
import io.holdfast.boosting.evaluate.StreamEvaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.evaluate.Tested;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A stream replayed without Kafka, through the trainer and the scorer that run on it: each row is
 * scored by the version that serves when it comes, its label arrives some rows later, windows close
 * and versions follow. Under the gate {@code manual}, where nobody is there to promote a version,
 * each is promoted at once. Owned by one thread; one run each.
 */
public final class Backtest {
  /** How many rows the windowed figures are of. */
  public static final int NEWEST = 1_000;

  /** What a row weighs in the fading figures when the next one comes. */
  public static final double FADING = 0.999;

  /*
   * What takes seconds on Kafka takes no time here: a version serves from the row after the one
   * whose label closed its window. So the figures are those of a trainer that always keeps up.
   */
  private final DataFile file;
  private final ModelSettings settings;
  private final int delay;
  private final InstantSource time;
  private final TrainerCore trainer;
  private final SingleObjectFraming framing;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final StreamEvaluation stream;
  private final LabelsSoFar labels;
  private final List<WindowReport> windows = new ArrayList<>();
  private final Map<String, Long> unusable = new TreeMap<>();
  private final Rows.Builder scored = Rows.builder(1);
  private final List<Objective> objectives = new ArrayList<>();
  private final KeptScores rawScores;
  private long withoutLabel;
  private @Nullable Serving serving;

  /**
   * A row whose label has not come.
   *
   * @param objective of the version that scored it
   * @param noChange the newest label that had come then
   * @param constant the commonest class then, or the mean label
   */
  private record Waiting(LabelledRow row, Objective objective, double noChange, double constant) {}

  /** What scores: a version laid out for its record schema. */
  private record Serving(LedgerVersion version, Scorer scorer, FeatureDecoder decoder) {}

  /**
   * How it went.
   *
   * @param windows the windows' reports, the last of them shorter if rows were left over
   * @param all over all labelled rows
   * @param environments the same by environment
   * @param cumulative figures of the stream, of all rows that could be learned from
   * @param windowed the same of the newest {@link #NEWEST}
   * @param fading the same of all, each row weighing {@link #FADING} of the next
   * @param withoutLabel rows that were scored and have no label
   * @param unusable rows that could not be learned from, by reason
   * @param last the version that serves at the end
   */
  public record Outcome(
      List<WindowReport> windows,
      Evaluation all,
      List<Evaluation> environments,
      StreamFigures cumulative,
      StreamFigures windowed,
      StreamFigures fading,
      long withoutLabel,
      Map<String, Long> unusable,
      LedgerVersion last) {}

  /**
   * A backtest.
   *
   * @param delay how many rows later a label arrives; 0 before the next row
   */
  public Backtest(DataFile file, ModelSettings settings, int delay, InstantSource time) {
    this.file = file;
    this.settings = settings;
    this.delay = delay;
    this.time = time;
    Objective objective = settings.booster().objective();
    rawScores = new KeptScores(objective.outputs());
    stream = new StreamEvaluation(objective.classes(), NEWEST, FADING);
    labels = objective.classes() > 0 ? LabelsSoFar.ofClasses() : LabelsSoFar.ofValues();
    Schema schema = file.schema();
    long known = Fingerprint.of(schema);
    framing = new SingleObjectFraming(fingerprint -> fingerprint == known ? schema : null);
    trainer =
        new TrainerCore(
            settings.update().gate() == Gate.MANUAL ? settings.withGate(Gate.ALWAYS) : settings,
            framing);
  }

  /**
   * Runs it.
   *
   * @param afterRow told of each row
   */
  public Outcome run(Runnable afterRow) {
    trainer.apply(trainer.begin(file.schema(), time));
    RowFields fields = RowFields.of(settings, file.schema());
    try (RowCursor cursor = file.open()) {
      long row = 0;
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        score(row, body, fields.read(body, cursor), cursor);
        while (!waiting.isEmpty() && waiting.getFirst().row().position().offset() <= row - delay) {
          learn(waiting.removeFirst());
        }
        row++;
        afterRow.run();
      }
    }
    while (!waiting.isEmpty()) {
      learn(waiting.removeFirst());
    }
    trainer.openWindow().ifPresent(this::conclude);
    return outcome();
  }

  private void score(long row, byte[] body, RowFields.Said said, RowCursor at) {
    Serving now = serving();
    double[] features = new double[now.version.model().features().size()];
    FileRows.decode(now.decoder, body, features, at);
    double[] raw = new double[now.scorer.outputs()];
    now.scorer.score(features, raw);
    if (said.label() == null) {
      withoutLabel++;
      return;
    }
    rawScores.add(raw);
    objectives.add(now.version.model().objective());
    scored.add(new double[] {0}, said.label(), said.weight(), said.environment());
    var labelled =
        new LabelledRow(
            new Position(0, row, row),
            framing.frame(file.schema(), body),
            said.label(),
            said.weight(),
            said.environment(),
            said.anchors(),
            new Served(raw, now.version.number(), now.version.hash()));
    Objective objective = now.version.model().objective();
    double constant = objective.classes() > 0 ? labels.commonest() : labels.mean();
    waiting.add(new Waiting(labelled, objective, labels.last(), constant));
  }

  private Serving serving() {
    LedgerVersion version = trainer.serving();
    Serving now = serving;
    if (now == null || now.version.number() != version.number()) {
      now =
          new Serving(
              version,
              Scorer.of(version.model()),
              FileRows.decoder(file, version.model().features(), null));
      serving = now;
    }
    return now;
  }

  private void learn(Waiting waited) {
    Optional<Refusal> refusal = trainer.add(waited.row);
    if (refusal.isPresent()) {
      unusable.merge(refusal.get().reason(), 1L, Long::sum);
    } else {
      test(waited);
    }
    trainer.completeWindow().ifPresent(this::conclude);
  }

  private void test(Waiting waited) {
    double label = waited.row.label();
    double[] raw = waited.row.served().rawScores();
    double prediction = waited.objective.prediction(raw);
    boolean probability = waited.objective.binary();
    stream.add(
        new Tested(
            label,
            probability ? (prediction > 0.5 ? 1 : 0) : prediction,
            waited.objective.loss(label, raw),
            waited.noChange,
            waited.constant));
    labels.arrive(label);
  }

  private void conclude(Window window) {
    TrainerEvent.Concluded concluded = trainer.decide(window, time);
    trainer.apply(concluded);
    windows.add(concluded.report());
  }

  private Outcome outcome() {
    Rows rows = scored.build();
    double[] scores = rawScores.byOutput();
    return new Outcome(
        List.copyOf(windows),
        Evaluation.of(objectives, rows, scores),
        Evaluation.byEnvironment(objectives, rows, scores),
        stream.cumulative(),
        stream.windowed(),
        stream.fading(),
        withoutLabel,
        unusable,
        trainer.serving());
  }
}
