package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.GateReport;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.LedgerAudit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.evaluate.PairedEvidence;
import io.holdfast.trainer.window.LabelledRow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What heads do to training, and gates to heads. */
class TrainerHeadsTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(1));

  private final Ledger ledger = new Ledger();
  private final LedgerAudit audit = new LedgerAudit();
  private final List<WindowReport> reports = new ArrayList<>();
  private List<LabelledRow> log = ExampleStream.rows(1, 400, 1);
  private long offset;
  private int fed;

  @Test
  void rollback_branchesFromTheVersionRolledBackTo() throws LedgerException {
    ModelSettings settings = ExampleStream.settings(Map.of());
    TrainerCore core = begun(settings);
    feed(core, 120);
    core = resumed(settings, core, new HeadChange.RolledBack(1));

    feed(core, 40);

    LedgerVersion four = core.tip();
    assertThat(four.number()).isEqualTo(4);
    assertThat(four.manifest().getParentVersion()).isEqualTo(1);
    assertThat(core.serving()).isEqualTo(four);
    assertThat(four.model().segments()).hasSize(2);
    assertClean();
  }

  @Test
  void pin_keepsWhatServes_whileTheTipMovesOn() throws LedgerException {
    ModelSettings settings = ExampleStream.settings(Map.of());
    TrainerCore core = begun(settings);
    feed(core, 80);
    core = resumed(settings, core, new HeadChange.Pinned(1));

    feed(core, 80);

    assertThat(core.serving().number()).isEqualTo(1);
    assertThat(core.tip().number()).isEqualTo(4);
    assertThat(core.tip().model().segments()).hasSize(4);
    assertThat(reports.getLast().getPublishedVersion()).isEqualTo(4);
    assertThat(reports.getLast().getTipVersion()).isEqualTo(4);
    assertThat(reports.getLast().getDecision()).endsWith("Version 1 is pinned and serves on.");

    core = resumed(settings, core, new HeadChange.Unpinned());
    assertThat(core.serving().number()).isEqualTo(4);
    assertClean();
  }

  @Test
  void shadow_staysWhatItIs_whileVersionsAreTrained() throws LedgerException {
    ModelSettings settings = ExampleStream.settings(Map.of());
    TrainerCore core = begun(settings);
    feed(core, 80);
    core = resumed(settings, core, new HeadChange.Shadowed(1));

    feed(core, 40);

    assertThat(core.serving().number()).isEqualTo(3);
    assertThat(ledger.shadow("m").orElseThrow().number()).isEqualTo(1);
    assertClean();
  }

  @Test
  void manualGate_movesTheTipAlone() throws LedgerException {
    ModelSettings settings = ExampleStream.settings(Map.of("update.gate", "manual"));
    TrainerCore core = begun(settings);
    feed(core, 120);

    assertThat(core.serving().number()).isZero();
    assertThat(core.tip().number()).isEqualTo(3);
    assertThat(ledger.head("m").orElseThrow().getReason()).isEqualTo(HeadReason.GATED);
    assertThat(reports.getLast().getDecision())
        .endsWith("It waits to be promoted, and version 0 serves on.");

    core = resumed(settings, core, new HeadChange.Promoted(2));
    feed(core, 40);
    assertThat(core.serving().number()).isEqualTo(2);
    assertThat(core.tip().number()).isEqualTo(4);
    assertThat(core.tip().manifest().getParentVersion()).isEqualTo(3);
    assertClean();
  }

  @Test
  void shadowThatIsToBe_isPromotedOnceItIsShownToBeBetter() throws LedgerException {
    log = ExampleStream.rows(1, 2_400, 1);
    ModelSettings settings = ExampleStream.settings(Map.of("update.gate", "manual"));
    TrainerCore core = begun(settings);
    feed(core, 120);
    core = resumed(settings, core, new HeadChange.Shadowed(3, 0.01));

    feed(core, 400);
    assertThat(core.serving().number()).as("five units of rows show nothing at 1 %").isZero();
    assertThat(reports.getLast().getDecision())
        .contains("The evidence that version 3 is better is ")
        .contains(" after 400 rows")
        .endsWith(", and 100.0 promotes it.");
    feed(core, 1_600);

    ModelHead head = ledger.head("m").orElseThrow();
    assertThat(head.getVersion()).isEqualTo(3);
    assertThat(HeadRules.tipVersion(head)).as("it grew from 3").isEqualTo(53);
    assertThat(head.getShadowVersion()).isNull();
    assertThat(head.getPromotion()).isNull();
    ModelHead promoted =
        ledger.history("m").stream()
            .filter(past -> past.getReason() == HeadReason.PROMOTED)
            .findFirst()
            .orElseThrow();
    assertThat(promoted.getBy()).isEqualTo("trainer");
    assertThat(promoted.getNote())
        .startsWith("better by evidence of 1")
        .contains("(error 0.01)")
        .contains(" rows its mean loss was lower by ");
    assertThat(reports)
        .extracting(WindowReport::getDecision)
        .filteredOn(decision -> decision.contains("Version 3 is promoted: better by evidence"))
        .hasSize(1);
    assertThat(core.progress().evidence()).isNull();
    assertClean();
  }

  @Test
  void shadowThatIsWorse_orAsGood_isNotPromoted() throws LedgerException {
    log = ExampleStream.rows(1, 2_400, 1);
    ModelSettings settings = ExampleStream.settings(Map.of("update.gate", "manual"));
    TrainerCore core = begun(settings);
    feed(core, 120);
    core = resumed(settings, core, new HeadChange.Promoted(3));
    core = resumed(settings, core, new HeadChange.Shadowed(1, 0.5));

    feed(core, 2_000);

    assertThat(core.serving().number()).isEqualTo(3);
    assertThat(Objects.requireNonNull(core.progress().evidence()).bets().value()).isLessThan(0.5);
    assertClean();
  }

  @Test
  void shadowThatIsToBePromoted_waitsWhileAnotherIsPinned() throws LedgerException {
    log = ExampleStream.rows(1, 2_400, 1);
    ModelSettings settings = ExampleStream.settings(Map.of("update.gate", "manual"));
    TrainerCore core = begun(settings);
    feed(core, 120);
    core = resumed(settings, core, new HeadChange.Pinned(0));
    core = resumed(settings, core, new HeadChange.Shadowed(3, 0.01));
    feed(core, 1_800);
    assertThat(core.serving().number()).isZero();
    assertThat(reports.getLast().getDecision()).endsWith("promotes it once nothing is pinned.");

    core = resumed(settings, core, new HeadChange.Unpinned());
    feed(core, 40);

    assertThat(core.serving().number()).isEqualTo(3);
    assertClean();
  }

  /** Nothing shadows: the newest version is held against what serves, window by window. */
  @Test
  void shownGate_letsVersionsServeThatAreShownToBeBetter() throws LedgerException {
    log = ExampleStream.rows(1, 2_400, 1);
    ModelSettings settings =
        ExampleStream.settings(Map.of("update.gate", "shown", "update.error", "0.02"));
    TrainerCore core = begun(settings);
    feed(core, 800);
    assertThat(core.serving().number()).isZero();
    assertThat(core.tip().number()).isEqualTo(20);
    assertThat(reports.getLast().getDecision())
        .contains("It waits to be promoted, and version 0 serves on. The evidence that version 19 ")
        .endsWith(", and 50.00 promotes it.");

    feed(core, 1_600);

    List<ModelHead> promoted =
        ledger.history("m").stream()
            .filter(head -> head.getReason() == HeadReason.PROMOTED)
            .toList();
    assertThat(promoted).isNotEmpty();
    assertThat(promoted.getFirst().getVersion()).isGreaterThan(20);
    assertThat(HeadRules.tipVersion(promoted.getFirst()))
        .as("trained on the rows that showed it")
        .isEqualTo(promoted.getFirst().getVersion() + 1);
    assertThat(core.serving().number()).isEqualTo(promoted.getLast().getVersion());
    assertThat(core.tip().number()).isEqualTo(60);
    assertClean();
  }

  @Test
  void evidence_beginsAnew_whenAnotherServesOrTheWishIsAnother() throws LedgerException {
    ModelSettings settings = ExampleStream.settings(Map.of("update.gate", "manual"));
    TrainerCore core = begun(settings);
    feed(core, 120);
    core = resumed(settings, core, new HeadChange.Shadowed(3, 0.01));
    feed(core, 80);
    assertThat(rows(core)).isEqualTo(80);

    core = resumed(settings, core, new HeadChange.Promoted(2));
    feed(core, 40);
    assertThat(rows(core)).isEqualTo(40);
    core = resumed(settings, core, new HeadChange.Noted());
    feed(core, 40);
    assertThat(rows(core)).isEqualTo(80);
    core = resumed(settings, core, new HeadChange.Shadowed(3, 0.02));
    feed(core, 40);
    assertThat(rows(core)).isEqualTo(40);
    core = resumed(settings, core, new HeadChange.Shadowed(3));
    feed(core, 40);
    assertThat(core.progress().evidence()).isNull();
  }

  private static long rows(TrainerCore core) {
    return Objects.requireNonNull(core.progress().evidence()).all().rows();
  }

  /** The promoted version is of another branch, so training goes on from it. */
  @Test
  void trainerThatBeginsAgainWithEveryWindow_promotesAndTrainsTheSame() throws LedgerException {
    ModelSettings settings = ExampleStream.settings(Map.of("update.gate", "manual"));
    TrainerHeadsTest other = new TrainerHeadsTest();
    TrainerCore undisturbed = branched(settings);
    TrainerCore disturbed = other.branched(settings);

    feed(undisturbed, 1_800);
    for (int window = 0; window < 45; window++) {
      disturbed = other.restarted(settings, disturbed);
      other.feed(disturbed, 40);
    }

    assertThat(ledger.history("m"))
        .isEqualTo(other.ledger.history("m"))
        .extracting(ModelHead::getReason)
        .contains(HeadReason.PROMOTED);
    assertThat(undisturbed.serving().number()).isEqualTo(3);
    assertThat(undisturbed.tip().hash()).isEqualTo(disturbed.tip().hash());
    assertThat(undisturbed.progress()).isEqualTo(disturbed.progress());
    assertThat(ledger.versions("m"))
        .extracting(ModelManifest::getParentVersion)
        .as("the first after the promotion")
        .filteredOn(parent -> parent == 3)
        .hasSize(1);
    assertClean();
  }

  /** Version 3 shadows, and training goes on from version 0. */
  private TrainerCore branched(ModelSettings settings) throws LedgerException {
    log = ExampleStream.rows(1, 2_400, 1);
    TrainerCore core = begun(settings);
    feed(core, 120);
    core = resumed(settings, core, new HeadChange.RolledBack(0));
    return resumed(settings, core, new HeadChange.Shadowed(3, 0.01));
  }

  @Test
  void betterGate_letsABetterVersionServe_andSaysWhatWasCompared() {
    ModelSettings settings =
        ExampleStream.settings(Map.of("update.gate", "better", "update.holdOut", "0.25"));
    TrainerCore core = begun(settings);
    feed(core, 120);

    assertThat(core.serving().number()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      GateReport gate = Objects.requireNonNull(reports.get(i).getGate());
      assertThat(gate.getPassed()).isTrue();
      assertThat(gate.getMargin()).isZero();
      assertThat(gate.getComparison().getVersion()).isEqualTo(i + 1);
      assertThat(gate.getComparison().getAgainst()).isEqualTo(i);
      assertThat(gate.getComparison().getRows()).isBetween(2L, 20L);
      assertThat(gate.getComparison().getLoss()).isLessThan(gate.getComparison().getAgainstLoss());
      assertThat(gate.getComparison().getEnvironments())
          .extracting(ComparedEnvironment::getEnvironment)
          .containsExactlyInAnyOrder("e0", "e1");
      assertThat(reports.get(i).getDecision()).contains("rows kept out of training");
    }
    ModelManifest newest = core.tip().manifest();
    assertThat(newest.getHeldOut()).isEqualTo(0.25);
    GateReport last = Objects.requireNonNull(reports.getLast().getGate());
    assertThat(newest.getMetrics().get("rows"))
        .isEqualTo(
            Objects.requireNonNull(newest.getMetrics().get("windowRows"))
                + Objects.requireNonNull(newest.getMetrics().get("memoryRows"))
                - last.getComparison().getRows());
    assertClean();
  }

  /** Labels that say the opposite of what they will say: what is learned from them is worse. */
  @Test
  void betterGate_keepsAWorseVersionBack_andTheRowsAreConsumed() {
    ModelSettings settings =
        ExampleStream.settings(
            Map.of(
                "update.gate", "better",
                "window.memoryRows", "0",
                "trees.rounds", "40",
                "trees.learningRate", "1",
                "trees.minRows", "1",
                "trees.maxLeaves", "30",
                "trees.lambda", "0"));
    TrainerCore core = begun(settings);
    List<LabelledRow> noise = noise();
    for (LabelledRow row : noise) {
      assertThat(core.add(row)).isEmpty();
      conclude(core);
    }

    List<WindowReport> kept =
        reports.stream().filter(report -> report.getPublishedVersion() == null).toList();
    assertThat(kept).isNotEmpty();
    for (WindowReport report : kept) {
      GateReport gate = Objects.requireNonNull(report.getGate());
      assertThat(gate.getPassed()).isFalse();
      assertThat(report.getDecision())
          .contains("is not published, for it is worse")
          .contains("(margin 0.0)");
    }
    assertThat(core.progress().window()).isEqualTo(reports.size());
    assertThat(ledger.versions("m")).hasSize(1 + reports.size() - kept.size());
    assertClean();
  }

  @Test
  void retention_leavesTheNewestAndWhatAHeadNames() throws LedgerException {
    ModelSettings settings =
        ExampleStream.settings(Map.of("retainVersions", "3", "update.maxTrees", "6"));
    TrainerCore core = begun(settings);
    feed(core, 80);
    core = resumed(settings, core, new HeadChange.Pinned(1));
    feed(core, 240);

    assertThat(ledger.versions("m"))
        .extracting(ModelManifest::getVersion)
        .containsExactly(1L, 6L, 7L, 8L);
    assertThat(ledger.version("m", 1)).isEqualTo(core.serving());
    assertThat(ledger.version("m", 8)).isEqualTo(core.tip());
    // Two segments a version under this budget, of 1 and of 5 to 8: all else is deleted.
    assertThat(Objects.requireNonNull(result().models().get("m")).segments()).isEqualTo(5);
    assertClean();
  }

  /** Rows whose labels have nothing to do with the record. */
  private List<LabelledRow> noise() {
    List<LabelledRow> noise = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      LabelledRow row = log.get(i);
      double label = log.get((i * 173 + 91) % log.size()).label();
      noise.add(
          new LabelledRow(row.position(), row.record(), label, 1, row.environment(), row.served()));
    }
    return noise;
  }

  private TrainerCore begun(ModelSettings settings) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    write(begun.version().records());
    core.apply(begun);
    return core;
  }

  private void feed(TrainerCore core, int rows) {
    for (int end = fed + rows; fed < end; fed++) {
      assertThat(core.add(log.get(fed))).isEmpty();
      conclude(core);
    }
  }

  private void conclude(TrainerCore core) {
    core.completeWindow()
        .ifPresent(
            window -> {
              TrainerEvent.Concluded concluded = core.decide(window, TIME);
              write(concluded.records());
              core.apply(concluded);
              reports.add(concluded.report());
            });
  }

  /** What a trainer finds that begins again after somebody changed the head. */
  private TrainerCore resumed(ModelSettings settings, TrainerCore before, HeadChange change)
      throws LedgerException {
    Optional<ModelHead> present = ledger.head("m");
    write(
        LedgerCodec.records(
            HeadRules.next(
                present.orElseThrow(),
                change,
                ledger.versionsOf("m"),
                settings.update().gate(),
                new HeadRules.Author("ada", "a test", Instant.EPOCH))));
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    List<ModelManifest> versions = ledger.versions("m");
    core.resume(Objects.requireNonNull(Standing.of(ledger, "m")), versions, before.progress());
    ModelManifest trained =
        versions.stream().max(Comparator.comparingLong(ModelManifest::getVersion)).orElseThrow();
    core.remember(ReplayPlan.after(trained, before.progress()), ExampleStream.source(log));
    return core;
  }

  /** A trainer that begins again with what is committed. */
  private TrainerCore restarted(ModelSettings settings, TrainerCore before) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    List<ModelManifest> versions = ledger.versions("m");
    PairedEvidence evidence = before.progress().evidence();
    Progress committed =
        before
            .progress()
            .with(
                evidence == null ? null : PairedEvidence.parse(evidence.toString()).orElseThrow(),
                before.progress().trials());
    try {
      core.resume(Objects.requireNonNull(Standing.of(ledger, "m")), versions, committed);
    } catch (LedgerException e) {
      throw new IllegalStateException(e);
    }
    core.remember(ReplayPlan.after(versions.getLast(), committed), ExampleStream.source(log));
    return core;
  }

  private void write(List<LedgerRecord> records) {
    for (LedgerRecord record : records) {
      assertThat(ledger.apply(record.key().toString(), record.value()))
          .isNotInstanceOf(Ledger.Event.Rejected.class);
      audit.apply(offset++, record.key().toString(), record.value());
    }
  }

  private LedgerAudit.Result result() {
    return audit.result();
  }

  private void assertClean() {
    assertThat(result().violations()).isEmpty();
  }
}
