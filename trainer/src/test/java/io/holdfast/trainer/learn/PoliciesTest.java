package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.simulate.PublishedStream;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.window.LabelledRow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(7));

  /** Crash and resume equals never crashed, with windows large and small. */
  @ParameterizedTest
  @CsvSource({
    "append, 40, 90",
    "decay, 40, 130",
    "refit, 40, 90",
    "replace, 40, 161",
    "auto, 40, 130",
    "auto, 3, 100",
    "auto, 1, 117",
    "append, 1, 33"
  })
  void core_restoredUnderAPolicy_continuesBitForBit(String policy, int window, int crashAfter)
      throws LedgerException {
    ModelSettings settings =
        ExampleStream.settings(
            Map.of("update.policy", policy, "window.rows", "" + window, "gamma", "5"));
    List<LabelledRow> log = ExampleStream.rows(5, 240, 3);
    Ledger ledger = new Ledger();
    TrainerCore undisturbed = begun(settings, ledger);
    feed(undisturbed, ledger, log);

    Ledger published = new Ledger();
    TrainerCore crashed = begun(settings, published);
    feed(crashed, published, log.subList(0, crashAfter));
    TrainerCore restored = restored(settings, published, crashed.progress(), log);
    feed(restored, published, rest(log, crashed.progress()));

    assertThat(restored.tip().hash()).isEqualTo(undisturbed.tip().hash());
    assertThat(restored.tip().number()).isEqualTo(undisturbed.tip().number());
  }

  /** What is kept from version to version is what stands in manifests. */
  @ParameterizedTest
  @CsvSource({"2, 700, 67", "20, 700, 67", "100, 3400, 850"})
  void auto_restoredAgainAndAgain_continuesBitForBit(int window, int rows, int crash)
      throws LedgerException {
    ModelSettings settings =
        ExampleStream.settings(Map.of("update.policy", "auto", "window.rows", "" + window));
    List<LabelledRow> log = ExampleStream.rows(6, rows, 2);
    Ledger ledger = new Ledger();
    TrainerCore undisturbed = begun(settings, ledger);
    feed(undisturbed, ledger, log);

    Ledger published = new Ledger();
    TrainerCore again = begun(settings, published);
    for (int until = 30; until <= log.size(); until += crash) {
      feed(again, published, rest(log.subList(0, until), again.progress()));
      again = restored(settings, published, again.progress(), log);
    }
    feed(again, published, rest(log, again.progress()));

    assertThat(again.tip().number()).isEqualTo(undisturbed.tip().number());
    assertThat(again.tip().hash()).isEqualTo(undisturbed.tip().hash());
  }

  /** What another policy left counts as an expert, and is known again from the manifest. */
  @ParameterizedTest
  @CsvSource({"append, constant", "decay, constant", "append, linear"})
  void auto_afterAnotherPolicy_goesOnWithItsTreesBitForBit(String policy, String base)
      throws LedgerException {
    Map<String, String> keys = new HashMap<>(Map.of("base", base, "update.policy", policy));
    List<LabelledRow> log = ExampleStream.rows(6, 900, 2);
    Ledger ledger = new Ledger();
    Ledger published = new Ledger();
    TrainerCore before = begun(ExampleStream.settings(keys), ledger);
    feed(before, ledger, log.subList(0, 200));
    TrainerCore twin = begun(ExampleStream.settings(keys), published);
    feed(twin, published, log.subList(0, 200));
    keys.putAll(Map.of("update.policy", "auto", "window.rows", "20"));
    ModelSettings settings = ExampleStream.settings(keys);

    TrainerCore undisturbed = restored(settings, ledger, before.progress(), log);
    feed(undisturbed, ledger, rest(log, before.progress()));
    TrainerCore again = restored(settings, published, twin.progress(), log);
    for (int until = 230; until <= log.size(); until += 67) {
      feed(again, published, rest(log.subList(0, until), again.progress()));
      again = restored(settings, published, again.progress(), log);
    }
    feed(again, published, rest(log, again.progress()));

    assertThat(again.tip().number()).isEqualTo(undisturbed.tip().number());
    assertThat(again.tip().hash()).isEqualTo(undisturbed.tip().hash());
    assertThat(undisturbed.tip().model().trees()).isGreaterThan(before.tip().model().trees());
  }

  private static TrainerCore restored(
      ModelSettings settings, Ledger published, Progress progress, List<LabelledRow> log)
      throws LedgerException {
    TrainerCore restored = new TrainerCore(settings, ExampleStream.framing());
    restored.resume(
        Objects.requireNonNull(Standing.of(published, "m")), published.versions("m"), progress);
    ModelManifest newest = published.versions("m").getLast();
    restored.remember(ReplayPlan.after(newest, progress), ExampleStream.source(log));
    return restored;
  }

  /** Those that were not committed. */
  private static List<LabelledRow> rest(List<LabelledRow> log, Progress progress) {
    return log.stream()
        .filter(
            row ->
                !progress.partitions().containsKey(row.position().partition())
                    || row.position().offset()
                        >= progress.partitions().get(row.position().partition()).position())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "decay", "refit", "replace", "auto"})
  void trees_underAnyPolicy_stayWithinTheBudget(String policy) {
    Map<String, String> changes = new HashMap<>();
    changes.put("update.policy", policy);
    changes.put("update.maxTrees", "50");
    for (LedgerVersion version : versions(changes, PublishedStream.AGR_A, 6_000)) {
      assertThat(version.model().trees()).isLessThanOrEqualTo(50);
    }
  }

  @Test
  void trees_underDecay_weighHalfAfterTheHalfLife() {
    List<LedgerVersion> versions =
        versions(
            Map.of("update.policy", "decay", "update.halfLife", "1000"),
            PublishedStream.AGR_A,
            4_000);

    List<Segment> segments = versions.getLast().model().segments();
    int windows = segments.size();
    for (int k = 0; k < windows; k++) {
      assertThat(segments.get(k).decay())
          .isCloseTo(StrictMath.pow(0.5, (windows - 1 - k) * 200 / 1000.0), within(1e-12));
    }
  }

  @Test
  void trees_thatDecayedToNothing_leave() {
    List<LedgerVersion> versions =
        versions(
            Map.of("update.policy", "decay", "update.halfLife", "200", "update.evict", "decayed"),
            PublishedStream.AGR_A,
            4_000);

    assertThat(versions.getLast().model().segments())
        .hasSize(7) // the seventh before the newest would weigh 1/128
        .allMatch(segment -> segment.decay() >= 0.01);
  }

  @Test
  void segment_ofNoUse_leavesBeforeAnOlderOneThatIs() {
    // Rule 1 comes back after rule 4: what was learned of 4 is then of no use.
    Map<String, String> changes = Map.of("update.maxTrees", "30", "update.evict", "leastUseful");
    List<LedgerVersion> versions = versions(changes, PublishedStream.AGR_R, 4_000);

    LedgerVersion last = versions.getLast();
    List<Digest> kept = last.segments();
    List<Digest> newest = new ArrayList<>();
    for (LedgerVersion version : versions.subList(versions.size() - kept.size(), versions.size())) {
      newest.add(version.segments().getLast());
    }
    assertThat(kept).isNotEqualTo(newest);
    assertThat(last.model().trees()).isLessThanOrEqualTo(30);
  }

  @Test
  void replacement_takesOverAfterAnAbruptDrift() {
    List<LedgerVersion> versions =
        versions(
            Map.of("update.policy", "replace", "trees.rounds", "4", "window.memoryRows", "400"),
            PublishedStream.AGR_A,
            6_000);

    List<Long> replaced = new ArrayList<>();
    for (LedgerVersion version : versions) {
      if (version.manifest().getMetrics().containsKey("replaced")) {
        replaced.add(version.number());
        assertThat(version.model().segments()).hasSize(1);
      }
    }
    assertThat(replaced).anyMatch(version -> version > 6_000 / 4 / 200);
  }

  @Test
  void autoVersion_withoutATurn_changesTheBaseAlone() {
    List<LedgerVersion> versions =
        versions(
            Map.of("update.policy", "auto", "window.rows", "10"), PublishedStream.SEA_A, 1_000);

    int same = 0;
    for (int k = 1; k < versions.size(); k++) {
      LedgerVersion before = versions.get(k - 1);
      LedgerVersion now = versions.get(k);
      if (now.manifest().getMetrics().getOrDefault("treesAppended", 0.0) == 0) {
        assertThat(now.segments()).isEqualTo(before.segments());
        assertThat(now.manifest().getSegments()).isEqualTo(before.manifest().getSegments());
        same++;
      }
    }
    assertThat(same).isGreaterThan(versions.size() / 2);
  }

  @Test
  void auto_onADriftingStream_isBetterThanAppending() {
    double auto = accuracy(Map.of("update.policy", "auto", "window.rows", "50"));
    double append = accuracy(Map.of());

    assertThat(auto).isGreaterThan(append).isGreaterThan(0.85);
  }

  private static double accuracy(Map<String, String> changes) {
    SimulatedStream stream = PublishedStream.AGR_A.stream(3, 8_000);
    OfflineTrainer trainer = new OfflineTrainer(settings(changes), stream.features(), 0);
    int right = 0;
    for (int i = 0; i < 8_000; i++) {
      SimulatedRow row = stream.next();
      double label = row.label();
      right += trainer.next(row.features(), label, "")[0] > 0 == label > 0 ? 1 : 0;
    }
    return right / 8_000.0;
  }

  private static List<LedgerVersion> versions(
      Map<String, String> changes, PublishedStream published, int rows) {
    SimulatedStream stream = published.stream(3, rows);
    OfflineTrainer trainer = new OfflineTrainer(settings(changes), stream.features(), 0);
    List<LedgerVersion> versions = new ArrayList<>();
    trainer.onWindow(
        window -> {
          assertThat(window.outcome()).isInstanceOf(TrainerEvent.Outcome.Trained.class);
          versions.add(trainer.core().tip());
        });
    for (int i = 0; i < rows; i++) {
      SimulatedRow row = stream.next();
      trainer.next(row.features(), row.label(), "");
    }
    return versions;
  }

  private static ModelSettings settings(Map<String, String> changes) {
    Map<String, String> values = new HashMap<>();
    values.put("objective", "logistic");
    values.put("label", "label");
    values.put("trees.rounds", "10");
    values.put("update.policy", "append");
    values.put("window.rows", "200");
    values.putAll(changes);
    return ModelSettings.of("m", values, key -> key);
  }

  private static TrainerCore begun(ModelSettings settings, Ledger ledger) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    publish(begun.version(), ledger);
    core.apply(begun);
    return core;
  }

  private static void feed(TrainerCore core, Ledger ledger, List<LabelledRow> rows) {
    for (LabelledRow row : rows) {
      assertThat(core.add(row)).isEmpty();
      core.completeWindow()
          .ifPresent(
              window -> {
                TrainerEvent.Concluded event = core.decide(window, TIME);
                if (event.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
                  publish(trained.version(), ledger);
                }
                core.apply(event);
              });
    }
  }

  private static void publish(NewVersion version, Ledger ledger) {
    for (LedgerRecord record : version.records()) {
      assertThat(ledger.apply(record.key().toString(), record.value()))
          .isNotInstanceOf(Ledger.Event.Rejected.class);
    }
  }
}
