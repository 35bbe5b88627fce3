package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerRung;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.strength.GammaSchedule;
import io.holdfast.trainer.window.LabelledRow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions with a ladder, as the trainer makes them. */
class LadderVersionsTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(7));

  private final List<LabelledRow> log = ExampleStream.rows(3, 600, 3, 5);

  @Test
  void versions_holdARungForEachGamma_growingWithThem() {
    List<LedgerVersion> versions = versions(Map.of("gamma", "4", "ladder.gammas", "1,4,9"));
    for (LedgerVersion version : versions.subList(1, versions.size())) {
      assertThat(version.rungs()).extracting(LedgerRung::gamma).containsExactly(1.0, 9.0);
      for (LedgerRung rung : version.rungs()) {
        assertThat(rung.model().trees()).isEqualTo(version.grown().trees());
        assertThat(rung.model()).isNotEqualTo(version.grown());
      }
      assertThat(version.model()).isSameAs(version.grown());
    }
  }

  /** The leaf values beside them change nothing about the trees. */
  @Test
  void trees_withAndWithoutALadder_areTheSame() {
    List<LedgerVersion> with = versions(Map.of("gamma", "4", "ladder.gammas", "1,9"));
    List<LedgerVersion> without = versions(Map.of("gamma", "4"));
    assertThat(with).hasSameSizeAs(without);
    for (int k = 0; k < with.size(); k++) {
      assertThat(with.get(k).grown()).isEqualTo(without.get(k).model());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"decay", "refit", "replace"})
  void trees_underOtherPolicies_areTheSameWithALadder(String policy) {
    Map<String, String> ladder =
        Map.of("gamma", "4", "ladder.gammas", "1,9", "update.policy", policy);
    List<LedgerVersion> with = versions(ladder);
    List<LedgerVersion> without = versions(Map.of("gamma", "4", "update.policy", policy));
    assertThat(with).hasSizeGreaterThan(8).hasSameSizeAs(without);
    for (int k = 1; k < with.size(); k++) {
      LedgerVersion version = with.get(k);
      assertThat(version.grown()).isEqualTo(without.get(k).model());
      assertThat(version.rungs()).extracting(LedgerRung::gamma).containsExactly(1.0, 9.0);
      for (LedgerRung rung : version.rungs()) {
        assertThat(rung.model().segments())
            .extracting(Segment::decay)
            .isEqualTo(version.grown().segments().stream().map(Segment::decay).toList());
        assertThat(rung.model()).isNotEqualTo(version.grown());
      }
    }
  }

  /**
   * All that a policy does to its trees is done to a rung: one of nearly the same gamma shows it.
   */
  @ParameterizedTest
  @CsvSource({
    "append,squared",
    "decay,squared",
    "refit,squared",
    "replace,squared",
    "refit,poisson"
  })
  void rung_ofNearlyTheGrownGamma_isNearlyTheGrownModel(String policy, String objective) {
    List<LedgerVersion> versions =
        versions(
            Map.of(
                "objective",
                objective,
                "gamma",
                "4",
                "ladder.gammas",
                "4.000000001",
                "update.policy",
                policy,
                "update.maxTrees",
                "15"));
    double most = 0;
    for (LedgerVersion version : versions.subList(1, versions.size())) {
      Scorer grown = Scorer.of(version.grown());
      Scorer rung = Scorer.of(version.rungs().getFirst().model());
      for (double x = 0; x <= 1; x += 0.05) {
        for (double color = 0; color < 3; color++) {
          double[] row = {x, color};
          most = Math.max(most, Math.abs(grown.score(row) - rung.score(row)));
        }
      }
    }
    assertThat(most).isLessThan(1e-6);
  }

  /** Labels that turn round: the model begun anew takes over, and so do its rungs. */
  @Test
  void replace_thatTakesOver_beginsEveryRungAnew() {
    List<LabelledRow> turned = new ArrayList<>();
    for (LabelledRow row : log) {
      double label = turned.size() < 300 ? row.label() : 5 - row.label();
      turned.add(
          new LabelledRow(
              row.position(), row.record(), label, row.weight(), row.environment(), row.served()));
    }
    Map<String, String> ladder =
        Map.of(
            "gamma",
            "4",
            "ladder.gammas",
            "1,4.000000001,9",
            "update.policy",
            "replace",
            "window.memoryRows",
            "100");
    List<LedgerVersion> versions = versions(ladder, turned);
    List<LedgerVersion> replaced =
        versions.stream()
            .filter(version -> version.manifest().getMetrics().containsKey("replaced"))
            .toList();

    assertThat(replaced).isNotEmpty();
    for (LedgerVersion version : replaced) {
      Model grown = version.grown();
      Model near = version.rungs().get(1).model();
      double[] row = {0.3, 0};
      assertThat(version.rungs()).hasSize(3);
      assertThat(Scorer.of(near).score(row)).isEqualTo(Scorer.of(grown).score(row), within(1e-6));
    }
  }

  @Test
  void rung_thatServes_isTheModelThatScores() {
    Map<String, String> ladder = Map.of("gamma", "4", "ladder.gammas", "1,9", "ladder.serve", "9");
    LedgerVersion last = versions(ladder).getLast();
    assertThat(last.manifest().getRung()).isEqualTo(9);
    assertThat(last.model()).isSameAs(last.rungs().getLast().model());
    double[] row = {0.3, 0};
    assertThat(Scorer.of(last.model()).score(row)).isNotEqualTo(Scorer.of(last.grown()).score(row));
  }

  @Test
  void adaptive_servesAGammaOfTheLadder_andRemembersWhatEachLost() {
    Map<String, String> ladder =
        Map.of("gamma", "4", "ladder.gammas", "1,9", "ladder.serve", "adaptive");
    LedgerVersion last = versions(ladder).getLast();
    assertThat(last.manifest().getMetrics())
        .containsKeys("rungLoss.1.0", "rungLoss.4.0", "rungLoss.9.0");
    assertThat(last.servedGamma()).isIn(1.0, 4.0, 9.0);
  }

  @Test
  void auto_choosesOnlyAtItsTurn() {
    List<LedgerVersion> versions = versions(Map.of("gamma", "auto"));
    double first = versions.get(1).manifest().getGamma();
    assertThat(first).isIn(1.0, 2.0, 4.0, 7.0, 16.0);
    assertThat(versions.subList(1, 11))
        .allSatisfy(version -> assertThat(version.manifest().getGamma()).isEqualTo(first));
  }

  /** What was chosen, and what it costs in the mean, is in the manifest and can be said. */
  @ParameterizedTest
  @ValueSource(strings = {"worst", "mean"})
  void auto_saysWhatItChose_andWhatItCosts(String by) {
    Map<String, String> auto = Map.of("gamma", "auto", "gammaBy", by, "window.rows", "120");
    List<LedgerVersion> versions = versions(auto, ExampleStream.rows(7, 300, 1, 4));
    ModelManifest chosen = versions.get(1).manifest();
    Map<String, Double> metrics = chosen.getMetrics();
    assertThat(metrics.get("gammaWorst")).isGreaterThanOrEqualTo(metrics.get("gammaMean"));
    assertThat(metrics.get("gammaMean")).isGreaterThanOrEqualTo(metrics.get("gammaLeastMean"));
    assertThat(GammaSchedule.sentence(chosen))
        .startsWith("Gamma ")
        .contains(" was chosen by leaving environments out: the worst of them loses ");
    assertThat(GammaSchedule.sentence(versions.get(2).manifest())).as("none was due").isEmpty();
  }

  private List<LedgerVersion> versions(Map<String, String> changes) {
    return versions(changes, log);
  }

  private static List<LedgerVersion> versions(Map<String, String> changes, List<LabelledRow> rows) {
    ModelSettings settings = ExampleStream.settings(changes);
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    core.apply(begun);
    List<LedgerVersion> versions = new ArrayList<>(List.of(begun.version().version()));
    for (LabelledRow row : rows) {
      assertThat(core.add(row)).isEmpty();
      core.completeWindow()
          .ifPresent(
              window -> {
                TrainerEvent.Concluded concluded = core.decide(window, TIME);
                core.apply(concluded);
                versions.add(core.tip());
              });
    }
    return versions;
  }
}
