package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.RandomModels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models as the engine makes them, beside those of random parts: stored, read, and scored with. */
class TrainedModelsTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12})
  void votes_ofAdaBoost_areStoredAsTreesAndScoreTheSame(int classes) {
    Rows rows = SampleRows.of(classes(classes), 1, 300, 3);
    AdaBoostSettings settings = AdaBoostSettings.stumps(10).withMaxDepth(3);
    Model voted = new AdaBooster(settings).fit(classes, SampleRows.FEATURES, rows).model();
    assertThat(voted.trees()).isPositive();
    check(voted, rows);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void linearBase_isStoredAndScoresTheSame(int classes) {
    Objective objective = classes(classes);
    Rows rows = SampleRows.of(objective, 2, 300, 3);
    var settings =
        BoosterSettings.builder(objective)
            .gamma(3)
            .rounds(5)
            .linearBase(new LinearBase(1e-3, 0.5))
            .build();
    Model trained = new Booster(settings).fit(SampleRows.FEATURES, rows).model();
    assertThat(trained.base().terms()).isNotEmpty();
    check(trained, rows);
  }

  private static Objective classes(int classes) {
    return classes == 2
        ? Objective.named("logistic")
        : Objective.of("softmax", Map.of("classes", (double) classes));
  }

  private static void check(Model model, Rows rows) {
    LedgerCodec.Encoded version = LedgerCodec.encode(RandomModels.draft(null, model));
    Model read = LedgerCodecTest.serve(List.of(version)).model();
    assertThat(read).isEqualTo(model);
    assertThat(Scorer.of(read).scores(rows)).isEqualTo(Scorer.of(model).scores(rows));
  }
}
