package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Scorer;
import io.holdfast.schemas.ledger.LedgerRung;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.window.LabelledRow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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

  private List<LedgerVersion> versions(Map<String, String> changes) {
    ModelSettings settings = ExampleStream.settings(changes);
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    core.apply(begun);
    List<LedgerVersion> versions = new ArrayList<>(List.of(begun.version().version()));
    for (LabelledRow row : log) {
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
