package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainerCoreTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(1));

  private final Ledger ledger = new Ledger();
  private final List<TrainerEvent.Concluded> concluded = new ArrayList<>();

  @Test
  void versionZero_hasNoTrees_andScoresNothing() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));

    LedgerVersion zero = core.serving();
    assertThat(zero.number()).isZero();
    assertThat(zero.model().trees()).isZero();
    assertThat(zero.model().base().intercept(0)).isZero();
    assertThat(zero.manifest().getParentHash()).isNull();
    assertThat(zero.model().features()).extracting(Feature::name).containsExactly("x", "color");
    assertThat(ledger.head("m").orElseThrow().getReason()).isEqualTo(HeadReason.INITIAL);
  }

  @Test
  void versions_formAChain_withoutGaps() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    LedgerVersion zero = core.serving();
    feed(core, ExampleStream.rows(1, 200, 2));

    Digest parent = zero.hash();
    long number = 0;
    for (TrainerEvent.Concluded each : concluded) {
      LedgerVersion version = trained(each);
      assertThat(version.number()).isEqualTo(++number);
      assertThat(version.manifest().getParentHash().bytes()).isEqualTo(parent.bytes());
      assertThat(each.report().getWindow()).isEqualTo(number);
      assertThat(each.report().getPublishedVersion()).isEqualTo(number);
      parent = version.hash();
    }
    assertThat(number).isEqualTo(5);
    assertThat(ledger.serving("m").orElseThrow().hash()).isEqualTo(parent);
    assertThat(ledger.head("m").orElseThrow().getReason()).isEqualTo(HeadReason.TRAINED);
  }

  @Test
  void loss_ofTrainingRows_falls() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    feed(core, ExampleStream.rows(1, 80, 1));

    for (TrainerEvent.Concluded each : concluded) {
      Map<String, Double> metrics = trained(each).manifest().getMetrics();
      assertThat(metrics.get("anchorLossAfter")).isLessThan(metrics.get("anchorLossBefore"));
    }
  }

  @Test
  void decision_changesNothing_andIsTheSameTwice() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    List<LabelledRow> rows = ExampleStream.rows(1, 40, 1);
    rows.forEach(row -> assertThat(core.add(row)).isEmpty());
    Window window = core.completeWindow().orElseThrow();

    LedgerVersion before = core.serving();
    var first = core.decide(window, TIME);
    var second = core.decide(window, InstantSource.fixed(Instant.ofEpochSecond(99)));

    assertThat(core.serving()).isSameAs(before);
    assertThat(trained(second).hash()).isEqualTo(trained(first).hash());
  }

  @Test
  void version_ofTheSameWindow_doesNotDependOnTheOrderOfArrival() {
    List<LabelledRow> rows = ExampleStream.rows(3, 40, 3);
    List<LabelledRow> byPartition = new ArrayList<>();
    for (int partition = 2; partition >= 0; partition--) {
      int p = partition;
      rows.stream().filter(row -> row.position().partition() == p).forEach(byPartition::add);
    }
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    feed(core, rows);
    TrainerCore other = begun(ExampleStream.settings(Map.of()));
    feed(other, byPartition);

    assertThat(other.serving().hash()).isEqualTo(core.serving().hash());
  }

  /** Crash and resume equals never crashed: after every window, and in the midst of one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 39, 40, 41, 90, 130})
  void core_restoredFromLedgerAndLog_continuesBitForBit(int crashAfter) {
    ModelSettings settings = ExampleStream.settings(Map.of("gamma", "5", "drift.action", "report"));
    List<LabelledRow> log = ExampleStream.rows(5, 240, 3);
    TrainerCore undisturbed = begun(settings);
    feed(undisturbed, log);

    Ledger published = new Ledger();
    TrainerCore crashed = begun(settings, published);
    Progress progress = feed(crashed, published, log.subList(0, crashAfter));
    TrainerCore restored = new TrainerCore(settings, ExampleStream.framing());
    restored.resume(standing(published), published.versions("m"), progress);
    ModelManifest newest = published.versions("m").getLast();
    restored.remember(ReplayPlan.after(newest, progress), ExampleStream.source(log));
    feed(restored, published, log.stream().filter(row -> ahead(row, progress)).toList());

    assertThat(published.versions("m")).hasSize(7);
    assertThat(restored.serving().hash()).isEqualTo(undisturbed.serving().hash());
    assertThat(restored.serving().kept().reference()).isNotNull();
    assertThat(restored.progress()).isEqualTo(undisturbed.progress());
  }

  /** The rows of several small windows are compared together, wherever it went on. */
  @ParameterizedTest
  @CsvSource({"1,always", "89,always", "95,always", "170,always", "183,better", "262,better"})
  void core_ofSmallWindows_restored_comparesTheSameRows(int crashAfter, String gate) {
    ModelSettings settings =
        ExampleStream.settings(
            Map.of(
                "drift.action", "report",
                "window.rows", "10",
                "window.memoryRows", "80",
                "update.gate", gate));
    List<LabelledRow> log = ExampleStream.rows(5, 400, 3);
    feed(begun(settings), log);
    List<DriftReport> undisturbed = drift();
    assertThat(undisturbed.stream().filter(drift -> drift.getTests() > 0)).hasSizeBetween(2, 5);
    concluded.clear();

    Ledger published = new Ledger();
    Progress progress = feed(begun(settings, published), published, log.subList(0, crashAfter));
    TrainerCore restored = new TrainerCore(settings, ExampleStream.framing());
    restored.resume(standing(published), published.versions("m"), progress);
    restored.remember(
        ReplayPlan.after(published.versions("m").getLast(), progress), ExampleStream.source(log));
    feed(restored, published, log.stream().filter(row -> ahead(row, progress)).toList());
    assertThat(drift()).isEqualTo(undisturbed);
  }

  private List<DriftReport> drift() {
    return concluded.stream().map(each -> each.report().getDrift()).toList();
  }

  @Test
  void replay_isBounded_andItsWindowsAreInTheManifest() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    feed(core, ExampleStream.rows(1, 200, 1, 1));

    assertThat(core.memoryRows()).isEqualTo(60);
    ModelManifest last = trained(concluded.getLast()).manifest();
    assertThat(last.getMemory()).isEmpty();
    assertThat(last.getReplay())
        .containsExactly(
            new ReplayedWindow(List.of(range(80, 120)), List.of(new ReplayQuota("e0", 20))),
            new ReplayedWindow(List.of(range(120, 160)), List.of(new ReplayQuota("e0", 40))));
    assertThat(last.getWindow()).containsExactly(range(160, 200));
    assertThat(last.getMetrics())
        .containsEntry("rows", 100.0)
        .containsEntry("memoryRows", 60.0)
        .containsEntry("windowRows", 40.0)
        .containsEntry("window", 5.0);
    assertThat(core.progress().partitions()).isEqualTo(Map.of(0, new Progress.Reached(200, 200)));
  }

  @Test
  void memory_ofZeroRows_trainsOnTheWindowAlone() {
    TrainerCore core = begun(ExampleStream.settings(Map.of("window.memoryRows", "0")));
    feed(core, ExampleStream.rows(1, 80, 1));

    ModelManifest last = trained(concluded.getLast()).manifest();
    assertThat(last.getReplay()).isEmpty();
    assertThat(last.getMetrics()).containsEntry("rows", 40.0);
  }

  @Test
  void trees_overTheBudget_leaveOldestFirst() {
    TrainerCore core = begun(ExampleStream.settings(Map.of("update.maxTrees", "7")));
    feed(core, ExampleStream.rows(1, 200, 1));

    List<List<Digest>> segments = concluded.stream().map(each -> trained(each).segments()).toList();
    assertThat(concluded)
        .allSatisfy(each -> assertThat(trained(each).model().trees()).isLessThanOrEqualTo(7));
    assertThat(segments.get(2)).hasSize(2);
    assertThat(segments.get(2).getFirst()).isEqualTo(segments.get(1).getLast());
    assertThat(concluded.get(2).report().getDecision()).contains("tree budget: 1");
    assertThat(trained(concluded.get(2)).manifest().getMetrics())
        .containsEntry("segmentsDropped", 1.0);
  }

  @Test
  void categories_areOnlyEverAppended() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    feed(core, ExampleStream.rows(1, 240, 2));

    List<String> known = List.of();
    for (TrainerEvent.Concluded each : concluded) {
      var color = (Feature.Categorical) trained(each).model().features().get(1);
      assertThat(color.categories().subList(0, known.size())).isEqualTo(known);
      known = color.categories();
    }
    assertThat(known).containsExactly("red", "green", "blue");
  }

  @Test
  void categoriesThatFindNoRoom_areSaidOnce() {
    TrainerCore core =
        begun(ExampleStream.settings(Map.of("window.rows", "760", "window.memoryRows", "0")));
    List<LabelledRow> rows = new ArrayList<>();
    for (int i = 0; i < 2 * 760; i++) {
      byte[] record = ExampleStream.record(i % 7, "k" + (1_000 + i) + "x".repeat(994));
      rows.add(ExampleStream.row(new Position(0, i, 1_000 + i), record, i % 3, "e", 0));
    }
    feed(core, rows.subList(0, 760));
    assertThat(core.takeNotes())
        .containsExactly(
            "column color has more categories than a model holds (100,000, and 720,000 bytes of all"
                + " columns' categories together): 40 values of the others count as missing");
    feed(core, rows.subList(760, 1_520));
    assertThat(core.takeNotes()).isEmpty();
  }

  @Test
  void report_ofASmallWindow_hasTheFiguresComputedByHand() {
    TrainerCore core =
        begun(ExampleStream.settings(Map.of("window.rows", "4", "trees.minRows", "1")));
    List<LabelledRow> rows = new ArrayList<>();
    double[] labels = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < labels.length; i++) {
      rows.add(
          ExampleStream.row(
              new Position(0, i, i),
              ExampleStream.record(i, "red"),
              labels[i],
              i % 4 < 3 ? "a" : "b",
              labels[i] - i % 4));
    }
    feed(core, rows);

    WindowReport first = concluded.getFirst().report();
    // Served scores miss by 0, 1, 2 in a, by 3 in b; the constant of the first window is 0.
    assertThat(first.getLoss()).isCloseTo((0 + 1 + 4 + 9) / 8.0, within(1e-12));
    assertThat(first.getConstantLoss()).isCloseTo((1 + 4 + 9 + 16) / 8.0, within(1e-12));
    assertThat(first.getMetrics().get("rmse")).isCloseTo(Math.sqrt(14 / 4.0), within(1e-12));
    assertThat(first.getMetrics().get("mae")).isCloseTo(6 / 4.0, within(1e-12));
    assertThat(first.getEnvironments())
        .extracting(e -> e.getEnvironment())
        .containsExactly("a", "b");
    assertThat(first.getEnvironments().get(0).getLoss()).isCloseTo(5 / 6.0, within(1e-12));
    assertThat(first.getEnvironments().get(1).getLoss()).isCloseTo(9 / 2.0, within(1e-12));
    assertThat(first.getEnvironments().get(1).getConstantLoss()).isCloseTo(8, within(1e-12));
    assertThat(first.getRows()).isEqualTo(4);
    assertThat(first.getRanges()).containsExactly(range(0, 4));
    assertThat(first.getServedVersions()).containsExactly(0L);
    assertThat(first.getTreesAppended()).isEqualTo(3);
    assertThat(first.getAt()).isEqualTo(TIME.instant());

    // Version 1 was trained on the labels 1 to 4, whose mean is the second window's constant.
    WindowReport second = concluded.getLast().report();
    double constant = 2.5;
    double squares = 0;
    for (int i = 4; i < 8; i++) {
      squares += (labels[i] - constant) * (labels[i] - constant);
    }
    assertThat(second.getConstantLoss()).isCloseTo(squares / 8, within(1e-12));
    assertThat(second.getTreesTotal()).isEqualTo(6);
  }

  @Test
  void examples_thatCannotBeUsed_areCountedByReason_andNotLearnedFrom() {
    TrainerCore core = begun(ExampleStream.settings(Map.of("objective", "logistic")));
    byte[] good = ExampleStream.record(1, "red");
    byte[] cut = java.util.Arrays.copyOf(good, good.length - 1);
    assertThat(reason(core, 0, good, 2, 1, 0)).contains("BAD_LABEL");
    assertThat(reason(core, 1, good, Double.NaN, 1, 0)).contains("BAD_LABEL");
    assertThat(reason(core, 2, cut, 1, 1, 0)).contains("TRUNCATED");
    assertThat(reason(core, 3, new byte[] {1, 2}, 1, 1, 0)).contains("UNKNOWN_FRAMING");
    assertThat(reason(core, 4, good, 1, 0, 0)).contains("BAD_WEIGHT");
    assertThat(reason(core, 5, good, 1, 1, Double.NaN)).contains("BAD_SERVED_SCORE");
    core.refuse(new Position(0, 6, 6), Refusal.unreadableExample("for a test"));
    assertThat(reason(core, 7, good, 1, 1, 0)).isEmpty();

    var event = core.decide(core.openWindow().orElseThrow(), TIME);
    assertThat(event.report().getRows()).isEqualTo(1);
    assertThat(event.report().getUnusable())
        .isEqualTo(
            Map.of(
                "BAD_LABEL", 2L,
                "TRUNCATED", 1L,
                "UNKNOWN_FRAMING", 1L,
                "BAD_WEIGHT", 1L,
                "BAD_SERVED_SCORE", 1L,
                "UNREADABLE_EXAMPLE", 1L));
    assertThat(event.progress().partitions()).isEqualTo(Map.of(0, new Progress.Reached(8, 8)));
  }

  @Test
  void label_tooLargeForAFiniteLoss_isRefused() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));

    assertThat(reason(core, 0, ExampleStream.record(1, "red"), 1e200, 1, 0)).contains("BAD_LABEL");
  }

  @Test
  void window_withoutAUsableExample_isReportedAndCountsOn() {
    TrainerCore core =
        begun(ExampleStream.settings(Map.of("window.rows", "2", "window.maxRows", "2")));
    byte[] good = ExampleStream.record(1, "red");
    reason(core, 0, good, Double.NaN, 1, 0);
    reason(core, 1, good, Double.NaN, 1, 0);
    var event = core.decide(core.completeWindow().orElseThrow(), TIME);
    core.apply(event);

    assertThat(event.outcome()).isInstanceOf(TrainerEvent.Outcome.Kept.class);
    assertThat(event.report().getPublishedVersion()).isNull();
    assertThat(event.report().getLoss()).isNaN();
    assertThat(event.progress().window()).isEqualTo(1);
    assertThat(event.progress().version()).isZero();
    assertThat(core.openWindow()).isEmpty();
    assertThat(core.serving().number()).isZero();
  }

  @Test
  void gammaAndEnvironments_reachTheBooster() {
    List<LabelledRow> rows = ExampleStream.rows(1, 40, 1);
    feed(begun(ExampleStream.settings(Map.of("gamma", "1"))), rows);
    feed(begun(ExampleStream.settings(Map.of("gamma", "7"))), rows);

    ModelManifest plain = trained(concluded.getFirst()).manifest();
    ModelManifest anchored = trained(concluded.getLast()).manifest();
    assertThat(plain.getMetrics()).containsEntry("anchorPenaltyAfter", 0.0);
    assertThat(anchored.getMetrics().get("anchorPenaltyAfter")).isPositive();
    assertThat(anchored.getGamma()).isEqualTo(7);
    assertThat(anchored.getEnvironments()).containsExactlyInAnyOrder("e0", "e1");
  }

  @Test
  void seed_differsByModelAndVersion() {
    ModelSettings settings = ExampleStream.settings(Map.of());

    assertThat(TrainingRun.seed(settings, 1)).isNotEqualTo(TrainingRun.seed(settings, 2));
    assertThat(TrainingRun.seed(settings, 1))
        .isNotEqualTo(TrainingRun.seed(ExampleStream.settings(Map.of("seed", "2")), 1));
  }

  @Test
  void settings_thatDoNotFitTheServingVersion_areAMistake() {
    TrainerCore core = begun(ExampleStream.settings(Map.of()));
    LedgerVersion zero = core.serving();

    assertThatThrownBy(() -> resume(zero, Map.of("objective", "logistic")))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "holdfast.models.m.objective is logistic, but version 0 on the model topic was trained"
                + " with squared: put the setting back, or give the model a new name.");
    assertThatThrownBy(() -> resume(zero, Map.of("features.exclude", "x")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("features.exclude is x");
    assertThatThrownBy(() -> resume(zero, Map.of("features.include", "x")))
        .hasMessageContaining("the feature color");
    assertThatThrownBy(() -> resume(zero, Map.of("features.include", "x, color, z")))
        .hasMessageContaining("features.include is z");
    assertThatThrownBy(() -> resume(zero, Map.of("features.categorical", "x")))
        .hasMessageContaining("it as a number");
    resume(zero, Map.of("features.include", "x, color", "trees.rounds", "9", "gamma", "2"));
  }

  private static void resume(LedgerVersion serving, Map<String, String> changes) {
    new TrainerCore(ExampleStream.settings(changes), ExampleStream.framing())
        .resume(Standing.first(serving, Instant.EPOCH), List.of(serving.manifest()), Progress.NONE);
  }

  private TrainerCore begun(ModelSettings settings) {
    return begun(settings, ledger);
  }

  private static TrainerCore begun(ModelSettings settings, Ledger ledger) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    publish(begun.version(), ledger);
    core.apply(begun);
    return core;
  }

  private void feed(TrainerCore core, List<LabelledRow> rows) {
    feed(core, ledger, rows);
  }

  /** Feeds rows as the runtime does; gives the progress that was committed last. */
  private Progress feed(TrainerCore core, Ledger published, List<LabelledRow> rows) {
    for (LabelledRow row : rows) {
      assertThat(core.add(row)).isEmpty();
      Optional<Window> window = core.completeWindow();
      if (window.isPresent()) {
        TrainerEvent.Concluded event = core.decide(window.get(), TIME);
        if (event.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
          publish(trained.version(), published);
        }
        core.apply(event);
        concluded.add(event);
      }
    }
    return core.progress();
  }

  private static void publish(NewVersion version, Ledger ledger) {
    for (LedgerRecord record : version.records()) {
      assertThat(ledger.apply(record.key().toString(), record.value()))
          .isNotInstanceOf(Ledger.Event.Rejected.class);
    }
  }

  private static Optional<String> reason(
      TrainerCore core, long offset, byte[] record, double label, double weight, double served) {
    var row =
        new LabelledRow(
            new Position(0, offset, offset),
            record,
            label,
            weight,
            "",
            new Served(served, 0, Digest.of(new byte[0])));
    return core.add(row).map(Refusal::reason);
  }

  private static LedgerVersion trained(TrainerEvent.Concluded event) {
    return ((TrainerEvent.Outcome.Trained) event.outcome()).version().version();
  }

  private static boolean ahead(LabelledRow row, Progress progress) {
    Progress.Reached reached = progress.partitions().get(row.position().partition());
    return reached == null || row.position().offset() >= reached.position();
  }

  private static OffsetRange range(long from, long to) {
    return OffsetRange.newBuilder()
        .setTopic("m.examples")
        .setPartition(0)
        .setFrom(from)
        .setTo(to)
        .build();
  }

  private static Standing standing(Ledger ledger) {
    try {
      return Objects.requireNonNull(Standing.of(ledger, "m"));
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }
}
