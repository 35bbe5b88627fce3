package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The trainer with objectives of several outputs, learned parameters, or anchors that are numbers.
 */
class ObjectivesTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(1));
  private static final int ROWS = 420;
  private static final int WINDOW = 60;

  /** Labels come so many rows after their records were scored: versions overlap in a window. */
  private static final int DELAY = 25;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objective=softmax,classes=3",
        "objective=softmax,classes=3,gamma=4",
        "objective=softmax,classes=3,trees.multiclass=perClass",
        "objective=ordinal,classes=4",
        "objective=ordinal,classes=4,link=probit,gamma=3",
        "objective=poisson,gamma=5",
        "objective=tweedie",
        "objective=gamma,gamma=3",
        "objective=beta",
        "objective=huber,delta=0.5,gamma=7",
        "objective=quantile,alpha=0.7",
        "objective=absolute",
        "objective=exponential",
        "objective=squared,base=linear,gamma=3",
        "objective=squared,trees.sampling.rows=0.6,trees.sampling.features=0.5,trees.lambda1=0.1",
        "objective=squared,gamma=7,anchors=a",
        "objective=softmax,classes=3,gamma=2,anchors=a,environment="
      })
  void trainer_learns_andARestartChangesNothing(String keys) {
    ModelSettings settings = settings(keys);
    Stream undisturbed = new Stream(settings);
    undisturbed.run(ROWS);

    Stream crashed = new Stream(settings);
    crashed.run(200);
    crashed.restart();
    crashed.run(ROWS);

    List<WindowReport> reports = undisturbed.reports;
    assertThat(reports).hasSize((ROWS - DELAY) / WINDOW);
    WindowReport last = reports.getLast();
    assertThat(last.getPublishedVersion()).as(last.getDecision()).isEqualTo(reports.size());
    assertThat(mean(reports, WindowReport::getLoss))
        .isLessThan(mean(reports, WindowReport::getConstantLoss));
    for (int i = 0; i < reports.size(); i++) {
      assertThat(undisturbed.losses.get(i)).isCloseTo(reports.get(i).getLoss(), within(1e-12));
    }
    assertThat(crashed.reports).isEqualTo(reports);
    assertThat(crashed.core.serving().hash()).isEqualTo(undisturbed.core.serving().hash());
    assertThat(crashed.core.serving().model()).isEqualTo(undisturbed.core.serving().model());
  }

  @Test
  void thresholds_moveFromVersionToVersion_andStayInOrder() throws Exception {
    Stream stream = new Stream(settings("objective=ordinal,classes=4"));
    stream.run(ROWS);

    List<Ordinal> learned = new ArrayList<>();
    for (int version = 0; version <= stream.reports.size(); version++) {
      Model model = stream.ledger.version("m", version).model();
      learned.add((Ordinal) model.objective());
    }
    assertThat(learned).doesNotHaveDuplicates();
    for (Ordinal each : learned) {
      for (int k = 1; k < each.thresholds().size(); k++) {
        assertThat(each.thresholds().above(k)).isGreaterThan(each.thresholds().above(k - 1));
      }
    }
    assertThat(stream.core.serving().manifest().getObjectiveParameters())
        .containsOnlyKeys("classes", "link", "theta1", "theta2", "theta3")
        .containsEntry("theta2", learned.getLast().thresholds().above(1));
  }

  @Test
  void precision_isLearned_andServed() {
    Stream stream = new Stream(settings("objective=beta"));
    stream.run(ROWS);

    Map<String, Double> parameters = stream.core.serving().manifest().getObjectiveParameters();
    assertThat(parameters).containsEntry("estimated", 1.0);
    assertThat(parameters.get("precision")).isGreaterThan(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "objective=softmax,classes=3",
        "objective=ordinal,classes=3",
        "objective=ordinal,classes=3,link=probit"
      })
  void constant_ofClasses_hasTheLossOfTheirFrequencies(String keys) {
    Stream stream = new Stream(settings(keys));
    stream.run(2 * WINDOW + DELAY);

    // The second window is compared with the frequencies in the first.
    int[] counts = new int[3];
    for (LabelledRow row : stream.rowsOf.get(0)) {
      counts[(int) row.label()]++;
    }
    double loss = 0;
    for (LabelledRow row : stream.rowsOf.get(1)) {
      loss -= Math.log(counts[(int) row.label()] / (double) WINDOW);
    }
    assertThat(stream.reports.get(1).getConstantLoss()).isCloseTo(loss / WINDOW, within(1e-9));
  }

  @Test
  void labels_thatTheObjectiveDoesNotTake_areRefusedByItsRule() {
    for (String[] wrong :
        new String[][] {
          {"objective=softmax,classes=3", "3", "whole numbers from 0 to 2"},
          {"objective=ordinal,classes=4", "1.5", "whole numbers from 0 to 3"},
          {"objective=poisson", "-1", "finite numbers of 0 or more"},
          {"objective=gamma", "0", "finite numbers above 0"},
          {"objective=beta", "1", "above 0 and below 1"}
        }) {
      Stream stream = new Stream(settings(wrong[0]));
      Optional<Refusal> refusal =
          stream.core.add(stream.row(0, Double.parseDouble(wrong[1]), new double[0]));

      assertThat(refusal.orElseThrow().reason()).isEqualTo("BAD_LABEL");
      assertThat(refusal.orElseThrow().message()).startsWith("labels must be " + wrong[2]);
    }
  }

  @Test
  void scoresOrAnchors_thatAreNotAsManyAsConfigured_areRefused() {
    Stream stream = new Stream(settings("objective=softmax,classes=3,anchors=a;b"));
    LabelledRow good = stream.row(0, 1, new double[] {1, 2});
    LabelledRow oneScore =
        new LabelledRow(good.position(), good.record(), 1, 1, "e0", good.anchors(), served(0.5));

    assertThat(stream.core.add(oneScore).orElseThrow())
        .isEqualTo(
            new Refusal("BAD_SERVED_SCORE", "served raw scores must be 3 finite numbers: [0.5]"));
    assertThat(stream.core.add(stream.row(1, 1, new double[] {1})).orElseThrow())
        .isEqualTo(
            new Refusal("BAD_ANCHOR", "anchors must be a finite number for each of a, b: [1.0]"));
    assertThat(stream.core.add(stream.row(2, 1, new double[] {1, Double.NaN})).orElseThrow())
        .extracting(Refusal::reason)
        .isEqualTo("BAD_ANCHOR");
    assertThat(stream.core.add(stream.row(3, 1, new double[] {1, 2}))).isEmpty();
  }

  @Test
  void anchors_thatTheSettingsNoLongerName_areOfNoInterest() {
    Stream stream = new Stream(settings("objective=squared"));

    assertThat(stream.core.add(stream.row(0, 1, new double[] {Double.NaN, 1}))).isEmpty();
  }

  @Test
  void continuousAnchors_reachTheBooster() {
    Stream plain = new Stream(settings("objective=squared,gamma=7,environment="));
    Stream anchored = new Stream(settings("objective=squared,gamma=7,anchors=a,environment="));
    plain.run(WINDOW + DELAY);
    anchored.run(WINDOW + DELAY);

    assertThat(plain.core.serving().manifest().getMetrics().get("anchorPenaltyAfter"))
        .isCloseTo(0, within(1e-5)); // one environment: its mean residual is 0 at the base
    assertThat(anchored.core.serving().manifest().getMetrics().get("anchorPenaltyAfter"))
        .isGreaterThan(0.1);
  }

  @Test
  void settings_ofOtherParameters_doNotFit() {
    Stream stream = new Stream(settings("objective=ordinal,classes=4"));
    stream.run(2 * WINDOW + DELAY);
    LedgerVersion serving = stream.core.serving();

    new TrainerCore(settings("objective=ordinal,classes=4"), ExampleStream.framing())
        .resume(Standing.first(serving, Instant.EPOCH), List.of(), Progress.NONE);
    assertThatThrownBy(
            () ->
                new TrainerCore(
                        settings("objective=ordinal,classes=4,link=probit"),
                        ExampleStream.framing())
                    .resume(Standing.first(serving, Instant.EPOCH), List.of(), Progress.NONE))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "holdfast.models.m.objective is ordinal classes 4 link probit, but version 2 on the"
                + " model topic was trained with ordinal classes 4 link logit: put the setting"
                + " back, or give the model a new name.");
  }

  @Test
  void trees_ofEachClass_countAgainstTheBudget() {
    Stream stream =
        new Stream(
            settings(
                "objective=softmax,classes=3,trees.multiclass=perClass,trees.rounds=2,update.maxTrees=13"));
    stream.run(ROWS);

    assertThat(stream.core.serving().model().trees()).isEqualTo(12);
    assertThat(stream.reports.getLast().getTreesAppended()).isEqualTo(6);
  }

  private static double mean(List<WindowReport> reports, ToDoubleFunction<WindowReport> figure) {
    return reports.stream().mapToDouble(figure).average().orElseThrow();
  }

  private static Served served(double... rawScores) {
    return new Served(rawScores, 0, io.holdfast.schemas.version.Digest.of(new byte[0]));
  }

  /** Keys and values; an empty value takes a key away, a semicolon stands for a comma. */
  private static ModelSettings settings(String keys) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "label", "label",
                "environment", "env",
                "labels.in", "topic",
                "trees.rounds", "6",
                "trees.learningRate", "0.3",
                "trees.minRows", "5",
                "trees.maxLeaves", "4",
                "update.policy", "append",
                "window.rows", "" + WINDOW,
                "window.memoryRows", "120"));
    for (String pair : keys.split(",", -1)) {
      String[] parts = pair.split("=", 2);
      values.put(parts[0], parts[1].replace(';', ','));
    }
    values.values().removeIf(String::isEmpty);
    return ModelSettings.of("m", values, key -> key);
  }

  /**
   * A stream as it would be lived through: each record is scored by the version that serves then,
   * its label comes later, and versions follow. The same from any place on, for the same seed.
   */
  private static final class Stream {
    private final ModelSettings settings;
    private final Ledger ledger = new Ledger();
    private final SplittableRandom random = new SplittableRandom(3);
    private final ArrayDeque<LabelledRow> waiting = new ArrayDeque<>();
    private final List<LabelledRow> log = new ArrayList<>();
    private final List<WindowReport> reports = new ArrayList<>();
    private final List<List<LabelledRow>> rowsOf = new ArrayList<>();

    /** Mean loss of each window's rows, by the objective of the version that served each. */
    private final List<Double> losses = new ArrayList<>();

    private final Map<Long, Objective> objectives = new TreeMap<>();
    private TrainerCore core;
    private int next;

    Stream(ModelSettings settings) {
      this.settings = settings;
      core = new TrainerCore(settings, ExampleStream.framing());
      TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
      publish(begun.version());
      core.apply(begun);
    }

    void run(int until) {
      for (; next < until; next++) {
        waiting.add(scored(next));
        if (waiting.size() > DELAY) {
          learn(waiting.removeFirst());
        }
      }
    }

    /** As after a crash: a new core, from the ledger, what was committed and the log. */
    void restart() {
      Progress progress = core.progress();
      core = new TrainerCore(settings, ExampleStream.framing());
      core.resume(standing(ledger), ledger.versions("m"), progress);
      Progress.Reached reached = Objects.requireNonNull(progress.partitions().get(0));
      core.remember(
          ReplayPlan.after(ledger.versions("m").getLast(), progress), ExampleStream.source(log));
      for (LabelledRow row : log.subList((int) reached.position(), log.size())) {
        assertThat(core.add(row)).isEmpty();
      }
    }

    private void learn(LabelledRow row) {
      log.add(row);
      assertThat(core.add(row)).isEmpty();
      Optional<Window> window = core.completeWindow();
      if (window.isPresent()) {
        TrainerEvent.Concluded event = core.decide(window.get(), TIME);
        rowsOf.add(window.get().rows());
        losses.add(
            window.get().rows().stream()
                .mapToDouble(
                    each ->
                        objective(each.served().version())
                            .loss(each.label(), each.served().rawScores()))
                .average()
                .orElseThrow());
        if (event.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
          publish(trained.version());
        }
        core.apply(event);
        reports.add(event.report());
      }
    }

    private Objective objective(long version) {
      Objective objective = objectives.get(version);
      if (objective == null) {
        throw new AssertionError("no version " + version);
      }
      return objective;
    }

    private void publish(NewVersion version) {
      for (LedgerRecord record : version.records()) {
        assertThat(ledger.apply(record.key().toString(), record.value()))
            .isNotInstanceOf(Ledger.Event.Rejected.class);
      }
      objectives.put(version.version().number(), version.version().model().objective());
    }

    private LabelledRow scored(int at) {
      double x = random.nextDouble();
      String color = random.nextInt(3) == 0 ? "red" : "blue";
      double anchor = random.nextGaussian();
      double mean = 2 * x + (color.equals("red") ? 1 : 0) + 0.2 * anchor;
      double noise = random.nextGaussian();
      double[] anchors = {anchor};
      return row(
          at,
          ExampleStream.record(x, color),
          label(mean, noise),
          settings.anchors().isEmpty() ? new double[0] : anchors);
    }

    /** A label that rises with {@code mean}, as the objective takes it. */
    private double label(double mean, double noise) {
      double seen = mean + 0.3 * noise;
      int classes = settings.booster().objective().classes();
      if (classes > 0) {
        return Math.clamp((long) Math.floor(seen * classes / 3), 0, classes - 1);
      }
      return switch (settings.booster().objective().name()) {
        case "poisson" -> Math.max(0, Math.rint(2 * seen));
        case "tweedie" -> Math.max(0, seen - 0.5);
        case "gamma" -> Math.exp(seen);
        case "beta" -> 1 / (1 + Math.exp(-seen));
        default -> seen;
      };
    }

    LabelledRow row(int at, double label, double[] anchors) {
      return row(at, ExampleStream.record(0.5, "red"), label, anchors);
    }

    private LabelledRow row(int at, byte[] record, double label, double[] anchors) {
      LedgerVersion serving = core.serving();
      return new LabelledRow(
          new Position(0, at, at),
          record,
          label,
          1,
          settings.environment() == null ? "" : "e" + at % 2,
          anchors,
          new Served(scores(serving.model(), record), serving.number(), serving.hash()));
    }

    private static double[] scores(Model model, byte[] record) {
      double[] features = new double[model.features().size()];
      double[] scores = new double[model.objective().outputs()];
      try {
        FeatureDecoder.compile(ExampleStream.SCHEMA, model.features()).decode(record, 10, features);
      } catch (MalformedRecordException e) {
        throw new AssertionError(e);
      }
      Scorer.of(model).score(features, scores);
      return scores;
    }
  }

  private static Standing standing(Ledger ledger) {
    try {
      return Objects.requireNonNull(Standing.of(ledger, "m"));
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }
}
