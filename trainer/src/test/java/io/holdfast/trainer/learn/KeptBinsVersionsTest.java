package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.FeatureBins;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions whose trees are grown on the bins of those before. */
class KeptBinsVersionsTest {
  private static final int ROWS = 300; // of a window: more values than bins
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("steady"), new Feature.Numeric("moving"));

  private final List<NewVersion> versions = new ArrayList<>();

  @Test
  void stationaryRows_binsAreWrittenOnce_andNamedByAll() {
    learn(Map.of(), 10, Integer.MAX_VALUE);

    assertThat(versions).hasSize(10);
    assertThat(records(versions.getFirst())).hasSize(1);
    Bins first = bins(versions.getFirst());
    assertThat(of(first, 0).rows()).isEqualTo(ROWS);
    for (NewVersion later : versions.subList(1, versions.size())) {
      assertThat(records(later)).isEmpty();
      assertThat(later.version().bins()).isSameAs(first);
      assertThat(later.version().manifest().getBins())
          .isEqualTo(versions.getFirst().version().manifest().getBins());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "decay", "refit"})
  void featureThatMoves_getsNewThresholds_andTheOtherKeepsIts(String policy) {
    learn(Map.of("update.policy", policy), 6, 3);

    assertThat(versions.stream().map(version -> records(version).size()).toList())
        .containsExactly(1, 0, 0, 1, 0, 0);
    Bins before = bins(versions.get(2));
    Bins after = bins(versions.get(3));
    assertThat(of(after, 0)).isSameAs(of(before, 0));
    assertThat(of(after, 1)).isNotEqualTo(of(before, 1));
    assertThat(of(after, 1).threshold(0)).isGreaterThan(2);
  }

  /** The first windows are few rows: thresholds of few rows are coarse. */
  @Test
  void memoryThatGrows_binsAreFoundAgainByTwiceAsManyRows() {
    learn(Map.of("window.memoryRows", "2000"), 10, Integer.MAX_VALUE);

    assertThat(versions.stream().map(version -> records(version).size()).toList())
        .containsExactly(1, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    assertThat(of(bins(versions.getLast()), 0).rows()).isEqualTo(7 * ROWS);
  }

  @Test
  void maxBins_areThoseOfTheSettings() {
    learn(Map.of(), 2, Integer.MAX_VALUE);
    assertThat(bins(versions.getLast()).maxBins()).isEqualTo(255);

    versions.clear();
    learn(Map.of("trees.maxBins", "7"), 1, Integer.MAX_VALUE);
    assertThat(bins(versions.getFirst()).maxBins()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "replace"})
  void policiesOfFreshEnsembles_keepNone(String policy) {
    learn(Map.of("update.policy", policy), 5, Integer.MAX_VALUE);

    assertThat(versions)
        .isNotEmpty()
        .allSatisfy(version -> assertThat(version.version().manifest().getBins()).isNull());
  }

  @Test
  void keepBinsFalse_keepsNone() {
    learn(Map.of("update.keepBins", "false"), 3, Integer.MAX_VALUE);

    assertThat(versions)
        .hasSize(3)
        .allSatisfy(version -> assertThat(version.version().manifest().getBins()).isNull());
  }

  @Test
  void retention_dropsBinsThatNoVersionIsLeftToName() {
    learn(Map.of("retainVersions", "2"), 6, 3);

    LedgerKey first = records(versions.getFirst()).getFirst();
    List<List<LedgerKey>> gone =
        versions.stream()
            .map(version -> version.tombstones().stream().map(LedgerRecord::key).toList())
            .toList();
    // The third version names the first bins, and leaves when the fifth comes.
    assertThat(gone.subList(0, 4)).allSatisfy(keys -> assertThat(keys).doesNotContain(first));
    assertThat(gone.get(4)).contains(first);
    assertThat(gone.get(5)).noneMatch(LedgerKey.BinsKey.class::isInstance);
  }

  private void learn(Map<String, String> changes, int windows, int movesAt) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "objective", "squared",
                "label", "label",
                "labels.in", "topic",
                "trees.rounds", "2",
                "update.policy", "append",
                "window.rows", "" + ROWS,
                "window.memoryRows", "0"));
    values.putAll(changes);
    var settings = ModelSettings.of("m", values, key -> key);
    OfflineTrainer trainer = new OfflineTrainer(settings, FEATURES, 0);
    trainer.onWindow(
        concluded -> {
          if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
            versions.add(trained.version());
          }
        });
    var random = new SplittableRandom(7);
    for (int k = 0; k < windows * ROWS; k++) {
      double moving = random.nextDouble() + (k >= movesAt * (long) ROWS ? 3 : 0);
      double[] row = {random.nextGaussian(), moving};
      var _ = trainer.next(row, row[0] + moving + random.nextGaussian(), "");
    }
  }

  private static Bins bins(NewVersion version) {
    return Objects.requireNonNull(version.version().bins());
  }

  private static FeatureBins of(Bins bins, int feature) {
    return Objects.requireNonNull(bins.of(feature));
  }

  private static List<LedgerKey> records(NewVersion version) {
    return version.encoded().records().stream()
        .map(LedgerRecord::key)
        .filter(LedgerKey.BinsKey.class::isInstance)
        .toList();
  }
}
